import AfterlockDesktop
import AfterlockEngine
import AfterlockTestSupport
import Foundation
import Testing

@Suite("What the README shows")
struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("the library's example is the program that is compiled here")
  func exampleIsTheProgram() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let program = try String(
      contentsOf: Self.root.appending(path: "Tests/ReadmeExample/Demo.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n" + program + "```"))
    let inside = program.split(separator: "\n").drop { !$0.contains("main()") }.dropFirst().prefix {
      $0 != "  }"
    }
    #expect(inside.count <= 10, "ten lines, it says")
  }

  @Test("the library's example plays the piece to its last frame")
  func exampleRuns() async throws {
    let program = URL(filePath: try AfterlockProgram.path()).deletingLastPathComponent()
      .appending(path: "ReadmeExample").path
    let piece = Self.root.appending(path: "Scenarios/media/afterlock.flac").path
    let source = try await MediaFiles.decode(piece, rate: 48_000, channels: 2)
    try await withLiveDesktop { live in
      let output = try await Command.run(
        "/bin/sh", ["-c", "cd '\(Self.root.path)' && exec '\(program)'"], environment: live.environment,
        limit: .seconds(60))
      #expect(output.status == .code(0))
      #expect(String(decoding: output.standardOutput, as: UTF8.self) == "failed: []\n")
      let report = try await live.compare(with: source)
      #expect(report.equalsSource, "\(report)")
    }
  }
}
