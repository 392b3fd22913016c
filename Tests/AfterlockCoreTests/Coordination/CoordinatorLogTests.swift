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

  @Test(arguments: [
    (PlayerCommand.next, "next"), (.previous, "previous"), (.jump(to: TrackID(rawValue: 1)), "jump"),
  ])
  func `Who wants another track is named, and where that leads`(
    command: PlayerCommand, reason: String
  ) async throws {
    let player = Player()
    await player.play(3)
    await player.coordinator.handle(command, origin: .viewer)
    let viewers = try #require(try lines(of: player).last { $0.reason == reason })
    #expect(viewers.event == "track" && viewers.origin == "viewer" && viewers.track == "/music/1")
    await player.coordinator.handle(command, origin: PolicyWalk.remote)
    let line = try #require(try lines(of: player).last { $0.reason == reason })
    #expect(line.event == "track" && line.origin == "remote" && line.program == "playerctl")
    #expect(line.processID == 7 && line.busName == ":1.7")
    let current = try #require(await player.coordinator.snapshot.index)
    #expect(line.index == current && line.entry == UInt64(current + 1))
  }

  @Test func `Who sets the volume or moves the position is named, and no change is no line`()
    async throws
  {
    let player = Player()
    await player.play(2)
    let count = try lines(of: player).count
    func tell(_ commands: PlayerCommand..., origin: CommandOrigin = PolicyWalk.remote) async throws
      -> [String]
    {
      let before = try lines(of: player).count
      for command in commands { await player.coordinator.handle(command, origin: origin) }
      return try lines(of: player)[before...].map { line in
        let isRemote = origin != .viewer
        #expect(line.origin == origin.name && line.decided.isEmpty)
        #expect(line.program == (isRemote ? "playerctl" : nil) && line.processID == (isRemote ? 7 : nil))
        #expect(line.busName == (isRemote ? ":1.7" : nil))
        return "\(line.event) \(line.reason ?? "") \(line.message ?? "")"
      }
    }
    let half = PlayerCommand.setVolume(Volume(percent: 50))
    #expect(try await tell(half, .setMuted(false)) == ["volume volume to 50 %"])
    #expect(try await tell(half, .setMuted(false)).isEmpty)
    #expect(try await tell(.toggleMute) == ["volume volume to 50 %, muted"])
    #expect(try await tell(.setMuted(false)) == ["volume volume to 50 %"])
    #expect(try await tell(.changeVolume(percent: -10)) == ["volume volume to 40 %"])
    #expect(try await tell(.seek(to: .milliseconds(12_500), in: nil)) == ["seek seek to 12.5 s"])
    #expect(try await tell(.seekBy(.seconds(10))) == ["seek seek to 22.5 s"])
    // What has no effect is none.
    #expect(try await tell(.seek(to: .seconds(61), in: nil), .seek(to: .seconds(-1), in: nil)).isEmpty)
    #expect(try await tell(.seek(to: .zero, in: TrackID(rawValue: 99))).isEmpty)
    #expect(
      try await tell(half, .seek(to: .zero, in: nil), origin: .viewer)
        == ["volume volume to 50 %", "seek seek to 0 s"])
    // Beyond the end is the next track.
    #expect(try await tell(.seekBy(.seconds(100))) == ["track next "])
    #expect(try lines(of: player).count == count + 9)
  }

  @Test func `Another order of the list is told of, and how the program began`() async throws {
    let player = Player()
    await player.play(2)
    await player.coordinator.recordBegin()
    let began = try #require(try lines(of: player).last)
    #expect(began.event == "lifecycle" && began.reason == "programBegan")
    #expect(began.onLock == "continue" && began.onRouteLoss == "auto")
    for command in [PlayerCommand.setLoopMode(.none), .cycleLoopMode, .toggleShuffled, .setShuffled(true)] {
      await player.coordinator.handle(command, origin: .viewer)
    }
    let orders = try lines(of: player).filter { $0.event == "list" }
    #expect(orders.map(\.reason) == ["loop", "shuffle"] && orders.map(\.loop) == ["track", "track"])
    #expect(orders.map(\.shuffled) == [false, true])
  }

  @Test func `A track that begins, and one that fails, are told of with length and place`() async throws {
    let player = Player()
    await player.play(2)
    let run = try #require(await player.coordinator.snapshot.run)
    let began = try #require(try lines(of: player).last { $0.event == "track" })
    #expect(began.entry == 1 && began.index == 0 && began.duration != nil)
    await player.coordinator.handle(.failed(run, .notThere, played: true))
    let failed = try #require(try lines(of: player).last { $0.event == "error" })
    #expect(failed.entry == 1 && failed.index == 0 && failed.track == "/music/1")
  }

  @Test func `A Play that only lifts a hold is told of`() async throws {
    let player = Player()
    await player.play(1)
    await player.coordinator.handle(.systemWillSleep)
    await player.coordinator.handle(.pause, origin: .system)
    let count = try lines(of: player).count
    await player.coordinator.handle(.play, origin: .viewer)
    let new = try lines(of: player)[count...]
    #expect(new.map(\.reason) == ["play"] && new.first?.suppression == ["systemAsleep"])
  }

  @Test func `Who ends the program is told, and the last lines without a file`() async throws {
    let player = Player()
    await player.play(1)
    await player.coordinator.recordEnd("it was told to end", origin: .system)
    let last = try #require(try lines(of: player).last)
    #expect(
      last.event == "lifecycle" && last.reason == "programEnded" && last.message == "it was told to end")
    #expect(player.coordinator.past().isEmpty, "this log keeps none")
    let quiet = PlaybackCoordinator(
      on: CoordinatorExecutor(QueueExecutor()), queue: PlaybackQueue(generator: SeededGenerator(seed: 1)),
      log: PlaybackLog(keepsPast: true, write: nil), engine: RecordingEngine { _ in })
    await quiet.open(items(1))
    #expect(quiet.past().count == 1 && quiet.past()[0].contains("\"reason\":\"play\""))
  }
}
