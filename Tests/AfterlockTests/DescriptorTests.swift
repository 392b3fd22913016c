import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@Suite("A player with few file descriptors")
struct DescriptorTests {
  /// The README's example, which is a whole program with the library.
  @Test(arguments: [20, 23, 26, 29, 32])
  func `each item fails with words for it, and the queue comes to its end`(limit: Int) async throws {
    let program = URL(filePath: try AfterlockProgram.path()).deletingLastPathComponent()
      .appending(path: "ReadmeExample").path
    let script = "cd '\(Repository.root)' && ulimit -n \(limit) && exec '\(program)'"
    try await withLiveDesktop { live in
      let output = try await Command.run(
        "/bin/sh", ["-c", script], environment: live.environment, limit: .seconds(60))
      #expect(output.status == .code(0), "\(output.errorText)")
      #expect(output.text.hasPrefix("failed: [\"Too few file descriptors "), "\(output.text)")
    }
  }
}
