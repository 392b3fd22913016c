import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("Playing with few file descriptors")
struct DescriptorLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  /// The command in a shell that has set a limit before.
  private func play(_ limit: String, _ names: [String], on live: LiveDesktop) throws -> RunningProgram {
    let words = ["play"] + names.map { "\(folder.path)/\($0)" }
    return try RunningProgram(
      words.map { Array($0.utf8) }, script: "ulimit \(limit) && exec \"$@\"", environment: live.environment)
  }

  @Test func `with any hard limit it plays, or says what is missing and what to do`() async throws {
    try folder.wav("a.wav", frames: 4_800)
    try await withLiveDesktop { live in
      var fewest: Int?
      for limit in 8...64 {
        let program = try play("-n \(limit)", ["a.wav"], on: live)
        defer { program.kill() }
        let status = try await program.exitStatus()
        if status == 0 {
          fewest = fewest ?? limit
          #expect(program.standardError.isEmpty && program.standardOutput == "Playing: a.wav (0:00)\n")
          continue
        }
        #expect(status == 1, "limit \(limit): \(program.standardError)")
        #expect(fewest == nil, "\(limit) are not enough, and \(fewest ?? 0) were")
        #expect(program.standardOutput.isEmpty)
        let words = "afterlock: too few file descriptors are left (the limit is \(limit), about "
        #expect(program.errorLines.count == 1 && program.standardError.hasPrefix(words))
        #expect(program.standardError.hasSuffix("raise the limit with \"ulimit -n 1024\"\n"))
      }
      #expect((40...48).contains(fewest ?? 0), "the fewest that it plays with: \(fewest ?? 0)")
    }
  }

  @Test func `a low soft limit is raised by itself`() async throws {
    try folder.wav("a.wav", frames: 4_800)
    try await withLiveDesktop { live in
      let program = try play("-Sn 16", ["a.wav"], on: live)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 0)
      #expect(program.standardError.isEmpty)
    }
  }

  @Test(arguments: [46, 52, 58, 64, 76])
  func `where there are too few for another format, its track is named and the rest is played`(
    limit: Int
  ) async throws {
    try folder.wav("a.wav", frames: 4_800)
    try folder.wav("b.wav", frames: 4_410, rate: 44_100, channels: 1)
    try await withLiveDesktop { live in
      let names = (1...4).flatMap { _ in ["a.wav", "b.wav"] }
      let program = try play("-n \(limit)", names, on: live)
      defer { program.kill() }
      // On a slow machine a stream may be gone before the next one is due.
      #expect(try await program.exitStatus() == (program.errorLines.isEmpty ? 0 : 1))
      #expect(program.standardOutput.hasPrefix("Playing: a.wav (0:00)\n"))
      for line in program.errorLines {
        #expect(line.contains(".wav: too few file descriptors are left (the limit is \(limit), about "))
      }
    }
  }
}
