import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

/// What the compiler cannot see (C functions, PipeWire itself) is counted in a program whose memory is watched.
@Suite struct AllocationTests {
  @Test func `A minute's cycles with seeks, pauses and track changes allocate nothing`() async throws {
    #expect(try await allocations(["render", "60"]) == 0)
  }

  @Test func `Playing into a server with seeks, pauses and track changes allocates nothing`() async throws {
    let count = try await withLiveDesktop { try await allocations([$0.socketPath, "6"]) }
    #expect(count == 0)
  }

  @Test func `A planted allocation is seen in both`() async throws {
    #expect(try await allocations(["render", "5", "plant"]) > 0)
    let count = try await withLiveDesktop { try await allocations([$0.socketPath, "1", "plant"]) }
    #expect(count > 0)
  }

  private func allocations(_ arguments: [String]) async throws -> Int {
    let folder = URL(fileURLWithPath: try AfterlockProgram.path()).deletingLastPathComponent()
    let probe = folder.appendingPathComponent("AllocationProbe").path
    let output = try await Command.run(probe, arguments, limit: .seconds(120))
    let words = output.text.split(whereSeparator: \.isWhitespace)
    return try #require(words.last.flatMap { Int($0) }, "\(output.text)\(output.errorText)")
  }
}
