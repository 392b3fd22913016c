import AfterlockDesktop
import AfterlockPipeWire
import AfterlockRealtime
import AfterlockTestSupport
import Foundation
import Testing

@Suite struct LoadTests {
  @Test func `With 8 busy processes a capture of 20 seconds has no gap`() async throws {
    // The quantum that the player asks for; the usual one of the tests would be no proof.
    try await withLiveDesktop(.init(quantum: 2_048)) { live in
      let hogs = try Hogs(8)
      let clip = Signals.noise(frames: 48_000 * 20, seed: 9)
      let player = try RingPlayer(on: live.desktop, seconds: 21)
      defer { player.output.close() }
      player.write(clip)
      player.stream.setActive(true)
      let outcome = await Result { try await player.finishAndDrain(limit: .seconds(90)) }
      await hogs.end()
      try outcome.get()
      let report = try await live.compare(with: clip)
      #expect(report.equalsSource, "\(report)")
    }
  }
}

/// Processes that do nothing as fast as they can; their limit ends them at the latest.
private struct Hogs {
  private let commands: [RunningCommand]

  init(_ count: Int) throws {
    commands = try (0..<count).map { _ in
      try RunningCommand("sh", ["-c", "while :; do :; done"], limit: .seconds(100))
    }
  }

  func end() async {
    for command in commands { command.send(signal: SIGKILL) }
    for command in commands { _ = await command.end() }
  }
}
