import AfterlockCore
import Testing

/// What commands mean for the engine.
@Suite struct CoordinatorCommandTests {
  @Test func `Next and Previous keep a paused player paused`() async {
    let player = Player()
    await player.play(3)
    await player.coordinator.handle(.pause, origin: .viewer)
    await player.coordinator.handle(.next, origin: .viewer)
    await player.coordinator.handle(.next, origin: .viewer)
    await player.coordinator.handle(.previous, origin: .viewer)
    #expect(player.engine.lastLoaded?.entry.name == "2")
    #expect(!player.engine.commands.contains(.start(reason: .setRateCalled)))
  }

  @Test func `Next and Previous keep a stopped player stopped`() async {
    let player = Player()
    await player.play(3)
    await player.coordinator.handle(.stop, origin: .viewer)
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.next, origin: .viewer)
    await player.coordinator.handle(.next, origin: .viewer)
    await player.coordinator.handle(.next, origin: .viewer)
    #expect(player.engine.commands.isEmpty)
    #expect(await player.coordinator.snapshot.entry?.name == "3")
    await player.coordinator.handle(.play, origin: .viewer)
    #expect(player.engine.lastLoaded?.entry.name == "3")
  }

  @Test func `Stop then Play starts at 0`() async throws {
    let player = Player()
    await player.play(2)
    let run = try #require(await player.coordinator.snapshot.run)
    player.engine.setPosition(run, .seconds(30))
    await player.coordinator.handle(.stop, origin: .viewer)
    #expect(player.engine.takeCommands() == [.pause(reason: .setRateCalled), .unload])
    await player.coordinator.handle(.play, origin: .viewer)
    let again = try #require(player.engine.lastLoaded)
    #expect(again.entry == run.entry)
    #expect(player.engine.commands.first == .load(again, position: .zero))
  }

  @Test func `Where the first item was to begin holds for that once`() async throws {
    let player = Player()
    await player.coordinator.open(items(2), at: .seconds(30))
    await player.coordinator.handle(.stop, origin: .viewer)
    await player.coordinator.handle(.play, origin: .viewer)
    let again = try #require(player.engine.lastLoaded)
    #expect(player.engine.commands.contains(.load(again, position: .zero)))
  }

  @Test func `Commands that go round begin where the one before them ended`() async {
    let player = Player()
    await player.play(2)
    // All are given before any is carried out, as a burst of keys is.
    for command in [
      PlayerCommand.cycleLoopMode, .toggleShuffled, .cycleLoopMode, .toggleShuffled, .toggleShuffled,
    ] {
      player.coordinator.send(command, origin: .viewer)
    }
    await player.coordinator.handle(.setMuted(false), origin: .viewer)
    #expect(await player.coordinator.snapshot.loopMode == .playlist)
    #expect(await player.coordinator.snapshot.isShuffled)
    await player.coordinator.handle(.cycleLoopMode, origin: .viewer)
    #expect(await player.coordinator.snapshot.loopMode == .none)
  }

  @Test func `Next after the last item ends the queue`() async {
    let player = Player()
    await player.play(1)
    await player.coordinator.handle(.next, origin: .viewer)
    #expect(player.engine.takeCommands() == [.pause(reason: .endOfQueue), .unload])
    #expect(await player.coordinator.snapshot.isFinished)
    await player.coordinator.handle(.next, origin: .viewer)
    #expect(player.engine.commands.isEmpty)
    await player.coordinator.handle(.play, origin: .viewer)
    #expect(player.engine.lastLoaded?.entry.name == "1")
  }

  @Test func `Previous restarts the track after 3 s and goes back before`() async throws {
    let player = Player()
    await player.play(2)
    await player.coordinator.handle(.next, origin: .viewer)
    let run = try #require(await player.coordinator.snapshot.run)
    player.engine.setPosition(run, .milliseconds(3001))
    await player.coordinator.handle(.previous, origin: .viewer)
    #expect(player.engine.commands.last == .seek(run, position: .zero))
    await player.coordinator.handle(.seeked(run, position: .zero))
    player.engine.setPosition(run, .seconds(3))
    await player.coordinator.handle(.previous, origin: .viewer)
    #expect(player.engine.lastLoaded?.entry.name == "1")
  }

  @Test func `Seeks outside the track and for another track are ignored`() async throws {
    let player = Player()
    await player.play(2)
    let run = try #require(await player.coordinator.snapshot.run)
    let other = TrackID(rawValue: run.entry.id.rawValue + 1)
    for command in [
      PlayerCommand.seek(to: .seconds(-1), in: nil), .seek(to: .milliseconds(60_001), in: nil),
      .seek(to: .seconds(5), in: other),
    ] { await player.coordinator.handle(command, origin: .viewer) }
    #expect(player.engine.commands.isEmpty)
    await player.coordinator.handle(.seek(to: .seconds(60), in: run.entry.id), origin: .viewer)
    #expect(player.engine.commands == [.seek(run, position: .seconds(60))])
  }

  @Test func `Quick relative seeks add up before the first has landed`() async throws {
    let player = Player()
    await player.play(1)
    let run = try #require(await player.coordinator.snapshot.run)
    player.engine.setPosition(run, .seconds(10))
    for _ in 1...3 { await player.coordinator.handle(.seekBy(.seconds(5)), origin: .viewer) }
    #expect(
      player.engine.takeCommands() == [15, 20, 25].map { .seek(run, position: .seconds($0)) })
    // The engine folds them into one, and lands 2 s early.
    await player.coordinator.handle(.seeked(run, position: .seconds(23)))
    player.engine.setPosition(run, .seconds(23))
    await player.coordinator.handle(.seekBy(.seconds(-5)), origin: .viewer)
    #expect(player.engine.takeCommands() == [.seek(run, position: .seconds(18))])
    #expect(await player.coordinator.snapshot.jumps == 1)
  }

  @Test func `A relative seek stops at 0, and goes to the next item beyond the end`() async throws {
    let player = Player()
    await player.play(2)
    let run = try #require(await player.coordinator.snapshot.run)
    player.engine.setPosition(run, .seconds(2))
    await player.coordinator.handle(.seekBy(.seconds(-5)), origin: .viewer)
    #expect(player.engine.takeCommands() == [.seek(run, position: .zero)])
    await player.coordinator.handle(.seeked(run, position: .zero))
    player.engine.setPosition(run, .seconds(58))
    await player.coordinator.handle(.seekBy(.seconds(5)), origin: .viewer)
    #expect(player.engine.lastLoaded?.entry.name == "2")
  }

  @Test func `Seeks of any size lead to a time that can be said`() async throws {
    let player = Player()
    // Its length is not known.
    await player.coordinator.open(items(1))
    let run = try #require(player.engine.lastLoaded)
    _ = player.engine.takeCommands()
    for amount in [Duration.seconds(Int64.max), .seconds(Int64.max) * 18, .seconds(Int64.min) * 18] {
      for _ in 1...20 { await player.coordinator.handle(.seekBy(amount), origin: .viewer) }
      let commands = player.engine.takeCommands()
      #expect(commands.count == 20)
      for case .seek(_, let position) in commands {
        #expect(position >= .zero)
        #expect(position <= .seconds(Int64.max))
      }
    }
    await player.coordinator.handle(.seek(to: .seconds(Int64.max) * 5, in: nil), origin: .viewer)
    #expect(player.engine.takeCommands() == [.seek(run, position: .seconds(Int64.max))])
  }

  @Test func `A relative seek to the very end stays in the item`() async throws {
    let player = Player()
    await player.play(2)
    let run = try #require(await player.coordinator.snapshot.run)
    player.engine.setPosition(run, .seconds(55))
    await player.coordinator.handle(.seekBy(.seconds(5)), origin: .viewer)
    #expect(player.engine.takeCommands() == [.seek(run, position: .seconds(60))])
  }

  @Test func `Muting keeps the volume, and a mixer's change is taken over`() async throws {
    let player = Player()
    await player.coordinator.handle(.setVolume(Volume(percent: 50)), origin: .viewer)
    await player.coordinator.handle(.toggleMute, origin: .viewer)
    await player.coordinator.handle(.changeVolume(percent: 5), origin: .viewer)
    await player.coordinator.handle(.volumeChanged(Volume(slider: 0)))
    var snapshot = await player.coordinator.snapshot
    #expect(snapshot.isMuted && snapshot.volume == Volume(percent: 55))
    await player.coordinator.handle(.setMuted(false), origin: .viewer)
    #expect(
      player.engine.commands == [50, 0, 0, 55].map { .setVolume(Volume(percent: $0)) })
    await player.coordinator.handle(.setMuted(true), origin: .viewer)
    await player.coordinator.handle(.volumeChanged(Volume(percent: 30)))
    snapshot = await player.coordinator.snapshot
    #expect(!snapshot.isMuted && snapshot.volume == Volume(percent: 30))
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.muteChanged(true))
    snapshot = await player.coordinator.snapshot
    #expect(snapshot.isMuted && snapshot.volume == Volume(percent: 30))
    #expect(player.engine.takeCommands() == [], "what the mixer did is done")
    let volumes = player.lines.all.filter { $0.contains(#""event":"volume""#) }
    let told = volumes.filter { $0.contains(#""origin":"system""#) }
    try #require(told.count == 2 && volumes.suffix(2) == told)
    #expect(told[0].contains("30 %") && told[1].contains("muted"))
    await player.coordinator.handle(.toggleMute, origin: .viewer)
    #expect(player.engine.takeCommands() == [.setVolume(Volume(percent: 30))])
  }

  @Test func `A jump loads the entry, and an unknown one is ignored`() async {
    let player = Player()
    let entries = await player.play(4)
    await player.coordinator.handle(.jump(to: entries[2].id), origin: .viewer)
    #expect(player.engine.lastLoaded?.entry == entries[2] && player.engine.lastUpcoming?.entry == entries[3])
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.jump(to: TrackID(rawValue: 99)), origin: .viewer)
    #expect(player.engine.commands.isEmpty)
  }

  @Test func `Shuffle and loop name what follows anew`() async throws {
    let player = Player()
    await player.play(10)
    await player.coordinator.handle(.setShuffled(true), origin: .viewer)
    await player.coordinator.handle(.setShuffled(false), origin: .viewer)
    #expect(player.engine.lastUpcoming?.entry.name == "2")
    await player.coordinator.handle(.setLoopMode(.track), origin: .viewer)
    #expect(player.engine.lastUpcoming?.entry.name == "1")
  }
}
