import Afterlock
import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@Suite("A player on a busy machine")
struct LoadTests {
  @Test("with 8 busy processes 20 seconds of a FLAC file have no gap")
  func busy() async throws {
    let folder = try TemporaryFolder()
    let samples = Signals.noise16(frames: 48_000 * 20, seed: 9)
    let plain = try folder.write("a.wav", MediaFiles.wav16(samples))
    let file = try await MediaFiles.flac(plain, to: folder.file("a.flac"))
    // The quantum that the player asks for; the usual one of the tests would be no proof.
    try await withLiveDesktop(.init(quantum: 2_048)) { live in
      let hogs = try Hogs(8)
      let outcome = await Result {
        try await withPlayer(on: live) { player in
          await player.open([QueueItem(file)])
          #expect(await player.finished().failures == [])
        }
      }
      await hogs.end()
      try outcome.get()
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: samples))
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
