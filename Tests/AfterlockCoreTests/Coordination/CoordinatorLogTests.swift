import AfterlockCore
import Foundation
import Testing

/// What the coordinator writes into the log.
@Suite struct CoordinatorLogTests {
  private func lines(of player: Player) throws -> [PlaybackLogTests.Line] {
    try player.lines.all.map { try JSONDecoder().decode(PlaybackLogTests.Line.self, from: Data($0.utf8)) }
  }

  @Test func `A pause that overtakes the confirmation of the start stays the viewer's`() async throws {
    let player = Player()
    await player.play(1)
    for command in [PlayerCommand.pause, .togglePlayPause, .togglePlayPause] {
      await player.coordinator.handle(command, origin: .viewer)
    }
    await player.coordinator.handle(RateChange(rate: 1, reason: .setRateCalled))
    await player.coordinator.handle(RateChange(rate: 0, reason: .setRateCalled))
    let last = try #require(try lines(of: player).last)
    #expect(last.event == "rateChange" && last.rate == 0 && last.origin == "viewer")
  }

  @Test(arguments: [PlayerCommand.next, .stop])
  func `The end of the sound is told of the track that was left, and of its place`(
    command: PlayerCommand
  ) async throws {
    let player = Player()
    await player.play(1)
    let run = try #require(await player.coordinator.snapshot.run)
    player.engine.setPosition(run, .seconds(7))
    await player.coordinator.handle(command, origin: .viewer)
    player.engine.setPosition(nil, .zero)
    await player.coordinator.handle(RateChange(rate: 0, reason: .setRateCalled, runID: run.id))
    let last = try #require(try lines(of: player).last)
    #expect(last.event == "rateChange" && last.rate == 0)
    #expect(last.position == 7 && last.track == "/music/1", "\(last)")
  }

  @Test func `A pause of the system is none of the viewer's wishes`() async throws {
    let player = Player()
    await player.play(1)
    await player.coordinator.handle(.pause, origin: .system)
    let held = try #require(try lines(of: player).last)
    #expect(held.event == "lifecycle" && held.reason == "pause" && held.wantsToPlay)
    #expect(held.decided == ["pause(setRateCalled)"] && held.suppression == ["systemPaused"])
    await player.coordinator.handle(.play, origin: .viewer)
    #expect(try lines(of: player).last?.event == "intentChange")
  }
}
