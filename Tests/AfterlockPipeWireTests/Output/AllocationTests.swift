import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

/// What the compiler cannot see (C functions, PipeWire itself) is counted in a program whose memory is watched.
@Suite struct AllocationTests {
  @Test func `A minute's cycles with seeks, pauses and track changes allocate nothing`() async throws {
    #expect(try await probe(["render", "60"])["allocations"] == 0)
  }

  @Test func `A minute of play with seeks, pauses and track changes allocates nothing`() async throws {
    let counts = try await play(seconds: 60)
    #expect(counts["allocations"] == 0, "\(counts)")
    // It was what it says it was.
    #expect(counts["seconds"] ?? 0 >= 60, "\(counts)")
    // The desktop's quantum, whatever the player asks for.
    #expect(counts["callbacks"] ?? 0 >= 60 * 48_000 / 4_096, "\(counts)")
    for event in ["seeks", "pauses", "tracks"] { #expect(counts[event] ?? 0 >= 10, "\(counts)") }
  }

  @Test func `A planted allocation is seen in both`() async throws {
    #expect(try await probe(["render", "5", "plant"])["allocations"] ?? 0 > 0)
    #expect(try await play(seconds: 6, ["plant"])["allocations"] ?? 0 > 0)
  }

  /// Plays files on a desktop whose clock does not wait: as soon as all have done their part of a cycle the next one
  /// begins, so that a minute is over in less than a second. There is no capture, which could not keep up.
  private func play(seconds: Int, _ more: [String] = []) async throws -> [String: Double] {
    let folder = try TemporaryFolder()
    // Two that join, and one that needs another stream.
    let files = try [48_000, 48_000, 44_100].enumerated().map { number, rate in
      try folder.write("\(number).wav", MediaFiles.wav16(Signals.ramp16(frames: rate * 20), rate: rate))
    }
    let sink = VirtualSink(properties: ["node.group": "pipewire.freewheel"])
    return try await DesktopPermits.shared.withPermit {
      let desktop = try await PrivateDesktop.start(.init(sinks: [sink]))
      let arguments = ["play", "\(seconds)", desktop.socketPath] + files + more
      let counts = await Result { try await probe(arguments) }
      await desktop.close()
      return try counts.get()
    }
  }

  private func probe(_ arguments: [String]) async throws -> [String: Double] {
    let folder = URL(fileURLWithPath: try AfterlockProgram.path()).deletingLastPathComponent()
    let probe = folder.appendingPathComponent("AllocationProbe").path
    let output = try await Command.run(probe, arguments, limit: .seconds(120))
    let words = output.text.split(whereSeparator: \.isWhitespace)
    try #require(output.status == .code(0) && !words.isEmpty, "\(output.text)\(output.errorText)")
    return zip(words, words.dropFirst()).reduce(into: [:]) { counts, pair in
      if let number = Double(pair.1) { counts[String(pair.0)] = number }
    }
  }
}
