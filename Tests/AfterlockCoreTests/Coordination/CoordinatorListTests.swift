import AfterlockCore
import Testing

/// Changes of the list while it plays.
@Suite struct CoordinatorListTests {
  private func new(_ name: String = "new") -> [QueueItem] {
    [QueueItem(location: .file(MediaPath("/\(name)")))]
  }

  @Test func `What is put in behind the current entry is what follows it`() async throws {
    let player = Player()
    await player.play(3)
    let run = try #require(await player.coordinator.snapshot.run)
    let added = await player.coordinator.insert(new(), at: .afterCurrent)
    let upcoming = try #require(player.engine.lastUpcoming)
    #expect(upcoming.entry == added.first)
    #expect(player.engine.commands == [.setUpcoming(upcoming, after: run)])
    #expect(await player.coordinator.snapshot.run == run)
  }

  @Test func `What is put in elsewhere says nothing to the engine`() async throws {
    let player = Player()
    let entries = await player.play(3)
    await player.coordinator.insert(new(), at: .start)
    await player.coordinator.insert(new(), at: .after(entries[1].id))
    await player.coordinator.insert(new(), at: .end)
    #expect(player.engine.commands.isEmpty)
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.index == 1 && snapshot.count == 6)
  }

  @Test(arguments: [true, false])
  func `An inserted entry becomes current as by a jump, which keeps a pause`(isPlaying: Bool) async throws {
    let player = Player()
    await player.play(2)
    if !isPlaying { await player.coordinator.handle(.pause, origin: .viewer) }
    _ = player.engine.takeCommands()
    let added = await player.coordinator.insert(new(), at: .start, .areCurrent(.viewer))
    #expect(player.engine.lastLoaded?.entry == added.first)
    #expect(await player.coordinator.snapshot.intent.wantsToPlay == isPlaying)
    #expect(!player.engine.commands.contains(.start(reason: .setRateCalled)))
  }

  @Test(arguments: [PlayerCommand.pause, .stop])
  func `An entry that is opened plays whatever was before`(command: PlayerCommand) async throws {
    let player = Player()
    await player.play(2)
    await player.coordinator.handle(command, origin: .viewer)
    _ = player.engine.takeCommands()
    let added = await player.coordinator.insert(new(), at: .afterCurrent, .arePlayed(.viewer))
    #expect(player.engine.lastLoaded?.entry == added.first)
    #expect(player.engine.commands.contains(.start(reason: .setRateCalled)))
    #expect(player.engine.lastUpcoming?.entry.name == "2")
  }

  @Test func `A jump while stopped stays stopped, and Play begins there`() async throws {
    let player = Player()
    let entries = await player.play(3)
    await player.coordinator.handle(.stop, origin: .viewer)
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.jump(to: entries[2].id), origin: .viewer)
    var snapshot = await player.coordinator.snapshot
    #expect(snapshot.state == .stopped && snapshot.entry == entries[2] && player.engine.commands.isEmpty)
    await player.coordinator.handle(.play, origin: .viewer)
    snapshot = await player.coordinator.snapshot
    #expect(snapshot.entry == entries[2] && player.engine.lastLoaded?.entry == entries[2])
  }

  @Test func `The current entry that is taken out makes room for the next`() async throws {
    let player = Player()
    let entries = await player.play(3)
    await player.coordinator.handle(.remove(entries[0].id), origin: .viewer)
    #expect(player.engine.lastLoaded?.entry == entries[1] && player.engine.lastUpcoming?.entry == entries[2])
    #expect(await player.coordinator.snapshot.intent.wantsToPlay)
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.remove(entries[0].id), origin: .viewer)
    #expect(player.engine.commands.isEmpty, "it is gone")
    await player.coordinator.handle(.remove(entries[2].id), origin: .viewer)
    await player.coordinator.handle(.remove(entries[1].id), origin: .viewer)
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.isFinished && snapshot.count == 0 && snapshot.entry == nil)
  }

  @Test func `The upcoming entry that is taken out is named anew, also behind joined ones`() async throws {
    let player = Player()
    let entries = await player.play(4)
    let run = try #require(await player.coordinator.snapshot.run)
    let second = try #require(player.engine.everythingUpcoming.last)
    await player.coordinator.handle(.joined(second))
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.remove(entries[2].id), origin: .viewer)
    var fourth = try #require(player.engine.lastUpcoming)
    #expect(fourth.entry == entries[3])
    #expect(player.engine.takeCommands() == [.setUpcoming(fourth, after: second)])
    // What was joined is taken back.
    await player.coordinator.handle(.remove(entries[1].id), origin: .viewer)
    fourth = try #require(player.engine.lastUpcoming)
    #expect(fourth.entry == entries[3] && player.engine.commands == [.setUpcoming(fourth, after: run)])
    #expect(await player.coordinator.snapshot.run == run)
  }

  @Test func `An entry that begins as it is taken out is left for what follows it`() async throws {
    let player = Player()
    let entries = await player.play(3)
    let second = try #require(player.engine.everythingUpcoming.last)
    await player.coordinator.handle(.joined(second))
    await player.coordinator.handle(.remove(entries[1].id), origin: .viewer)
    // The engine was quicker.
    await player.coordinator.handle(.started(second))
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.entry == entries[2] && player.engine.lastLoaded?.entry == entries[2])
    #expect(snapshot.intent.wantsToPlay)
  }

  @Test func `A stopped player stays stopped when its entry is taken out`() async throws {
    let player = Player()
    let entries = await player.play(2)
    await player.coordinator.handle(.stop, origin: .viewer)
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.remove(entries[0].id), origin: .viewer)
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.state == .stopped && snapshot.entry == entries[1] && player.engine.commands.isEmpty)
  }

  @Test func `The list does not end while somebody looks for more`() async throws {
    let player = Player()
    await player.coordinator.beginAddition()
    await player.play(1)
    let run = try #require(await player.coordinator.snapshot.run)
    await player.coordinator.handle(.ended(run))
    #expect(await !player.coordinator.snapshot.isFinished)
    let added = await player.coordinator.insert(new(), at: .end)
    #expect(player.engine.lastLoaded?.entry == added.first, "it goes on with what came")
    let second = try #require(player.engine.lastLoaded)
    await player.coordinator.handle(.ended(second))
    #expect(await !player.coordinator.snapshot.isFinished)
    await player.coordinator.endAddition()
    #expect(await player.coordinator.snapshot.isFinished)
  }

  @Test func `A list is told of by its version, and is there with it`() async throws {
    let player = Player()
    await player.play(3)
    let before = await player.coordinator.snapshot
    await player.coordinator.handle(.next, origin: .viewer)
    #expect(await player.coordinator.snapshot.listVersion == before.listVersion)
    let added = await player.coordinator.insert(new(), at: .start)
    let listing = await player.coordinator.listing
    #expect(listing.version == (await player.coordinator.snapshot.listVersion))
    #expect(listing.version != before.listVersion && listing.entries.first == added.first)
  }
}

extension RecordingEngine {
  /// The runs that were named as upcoming, in order.
  fileprivate var everythingUpcoming: [PlaybackRun] {
    everything.compactMap { if case .setUpcoming(let run?, _) = $0 { run } else { nil } }
  }
}
