import AfterlockCore
import Testing

/// How the coordinator leads the engine through the queue.
@Suite struct CoordinatorQueueTests {
  @Test func `Opening loads the first item, names the second and starts`() async throws {
    let player = Player()
    let entries = await player.coordinator.open(items(2), at: .seconds(7))
    let first = try #require(player.engine.lastLoaded)
    let second = try #require(player.engine.lastUpcoming)
    #expect(first.entry == entries[0] && second.entry == entries[1])
    #expect(
      player.engine.commands == [
        .load(first, position: .seconds(7)), .setUpcoming(second, after: first),
        .start(reason: .setRateCalled),
      ])
    #expect(await player.coordinator.session.isActive)
  }

  @Test func `Opening at a place behind the end of the queue begins there`() async throws {
    let player = Player()
    await player.play(1)
    await player.coordinator.handle(.ended(try #require(await player.coordinator.snapshot.run)))
    _ = player.engine.takeCommands()
    await player.coordinator.open(items(1), at: .seconds(30))
    let run = try #require(player.engine.lastLoaded)
    #expect(player.engine.commands.first == .load(run, position: .seconds(30)))
  }

  @Test func `A queue whose first item fails is not at its end while more are on their way`() async throws {
    let player = Player()
    await player.coordinator.open(items(1), moreFollow: true)
    let run = try #require(player.engine.lastLoaded)
    await player.coordinator.handle(.failed(run, PlaybackFailure(.corrupt, "bad"), played: false))
    #expect(await !player.coordinator.snapshot.isFinished)
    await player.coordinator.append(items(1), moreFollow: true)
    #expect(await player.coordinator.snapshot.state == .loading)
    await player.coordinator.append([])
    let second = try #require(player.engine.lastLoaded)
    await player.coordinator.handle(.failed(second, PlaybackFailure(.corrupt, "bad"), played: false))
    #expect(await player.coordinator.finished().failures.count == 2)
  }

  @Test func `Opening without playing loads and leaves the engine held`() async {
    let player = Player()
    await player.coordinator.open(items(1), playing: nil)
    #expect(!player.engine.commands.contains(.start(reason: .setRateCalled)))
    #expect(await player.coordinator.snapshot.state == .loading)
    await player.coordinator.handle(.play, origin: .viewer)
    #expect(player.engine.commands.last == .start(reason: .setRateCalled))
  }

  @Test func `A gapless join moves the queue on and names what follows`() async throws {
    let player = Player()
    await player.coordinator.open(items(3))
    await player.coordinator.start(try #require(player.engine.lastLoaded))
    let second = try #require(player.engine.lastUpcoming)
    await player.coordinator.handle(.opened(second, .minute(seconds: 5)))
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.started(second))
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.run == second && snapshot.index == 1 && snapshot.info == .minute(seconds: 5))
    #expect(player.engine.commands.count == 1 && player.engine.lastUpcoming?.entry.name == "3")
  }

  @Test func `The last item has nothing after it, and its end is the end`() async throws {
    let player = Player()
    await player.play(1)
    let run = try #require(await player.coordinator.snapshot.run)
    await player.coordinator.handle(.ended(run))
    #expect(player.engine.commands == [.pause(reason: .endOfQueue), .unload])
    let summary = await player.coordinator.finished()
    #expect(summary.isComplete && summary.failures.isEmpty)
  }

  @Test func `A looped track follows itself in a new run`() async throws {
    let player = Player()
    await player.play(2)
    await player.coordinator.handle(.setLoopMode(.track), origin: .viewer)
    let again = try #require(player.engine.lastUpcoming)
    let run = try #require(await player.coordinator.snapshot.run)
    #expect(again.entry == run.entry && again.id != run.id)
    await player.coordinator.handle(.started(again))
    #expect(await player.coordinator.snapshot.run == again)
    let third = try #require(player.engine.lastUpcoming)
    #expect(third.entry == run.entry && third.id != again.id)
  }

  @Test func `An item that fails is told of and skipped`() async throws {
    let player = Player()
    await player.coordinator.open(items(3))
    let first = try #require(player.engine.lastLoaded)
    await player.coordinator.handle(.failed(first, .notThere, played: false))
    #expect(player.engine.lastLoaded?.entry.name == "2" && player.engine.lastUpcoming?.entry.name == "3")
    #expect(await player.coordinator.snapshot.failures.map(\.entry) == [first.entry])
    #expect(await player.coordinator.snapshot.intent.wantsToPlay)
  }

  @Test func `An item too short for its start is told of, and plays whole in the next round`() async throws {
    let player = Player()
    let tooShort = PlaybackFailure(.tooShort, "The sound is 2 s long, so it cannot begin at 60 s.")
    await player.coordinator.handle(.setLoopMode(.playlist), origin: .viewer)
    await player.coordinator.open(items(2), at: .seconds(60))
    let first = try #require(player.engine.lastLoaded)
    await player.coordinator.handle(.failed(first, tooShort, played: false))
    let second = try #require(player.engine.lastLoaded)
    #expect(player.engine.commands.contains(.load(second, position: .zero)) && second.entry.name == "2")
    #expect(player.engine.lastUpcoming?.entry == first.entry)
    #expect(await player.coordinator.snapshot.failures.map(\.extent) == [.notPlayed])
  }

  @Test func `A bad upcoming item is replaced while the current one plays`() async throws {
    let player = Player()
    await player.coordinator.open(items(3))
    let first = try #require(player.engine.lastLoaded)
    let second = try #require(player.engine.lastUpcoming)
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.failed(second, .notThere, played: false))
    let third = try #require(player.engine.lastUpcoming)
    #expect(player.engine.commands == [.setUpcoming(third, after: first)] && third.entry.name == "3")
    await player.coordinator.handle(.failed(third, .notThere, played: false))
    #expect(player.engine.commands.last == .setUpcoming(nil, after: first))
  }

  @Test(arguments: LoopMode.allCases, [false, true])
  func `A queue of only bad items ends, each told of once and in order`(mode: LoopMode, shuffled: Bool)
    async throws
  {
    let player = Player()
    await player.coordinator.handle(.setLoopMode(mode), origin: .viewer)
    await player.coordinator.handle(.setShuffled(shuffled), origin: .viewer)
    await player.coordinator.open(items(20))
    var tried: [QueueEntry] = []
    while let run = await player.coordinator.snapshot.run, tried.count < 100 {
      tried.append(run.entry)
      await player.coordinator.handle(.failed(run, .notThere, played: false))
    }
    #expect(tried.count == 20 && Set(tried).count == 20)
    let summary = await player.coordinator.finished()
    #expect(summary.failures.map(\.entry) == tried && summary.failedCount == 20)
    var told: [QueueEntry] = []
    for await failure in player.coordinator.itemFailures().prefix(20) { told.append(failure.entry) }
    #expect(told == tried)
  }

  @Test func `An item that breaks off is failed, one that is damaged plays on`() async throws {
    let player = Player()
    await player.play(2)
    let run = try #require(await player.coordinator.snapshot.run)
    await player.coordinator.handle(.damaged(run, PlaybackFailure(.corrupt, "A part is broken.")))
    #expect(await player.coordinator.snapshot.run == run)
    #expect(await player.coordinator.snapshot.failedCount == 0)
    await player.coordinator.handle(.failed(run, PlaybackFailure(.truncated, "It ends early."), played: true))
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.failures.map(\.extent) == [.damaged, .brokeOff] && snapshot.failedCount == 1)
    #expect(snapshot.entry?.name == "2")
  }

  @Test func `A damaged item in a loop is told of once`() async throws {
    let player = Player()
    await player.play(1)
    let run = try #require(await player.coordinator.snapshot.run)
    for _ in 0..<50 {
      await player.coordinator.handle(.damaged(run, PlaybackFailure(.corrupt, "A part is broken.")))
    }
    #expect(await player.coordinator.snapshot.failures.count == 1)
  }

  @Test func `A hundred thousand failures, a snapshot kept after each, are no slower each than a few`() {
    let entry = QueueEntry(id: TrackID(rawValue: 1), location: .url("http://a/"))
    let failure = ItemFailure(entry: entry, failure: .notThere, extent: .notPlayed)
    var snapshot = PlayerSnapshot()
    let start = ContinuousClock.now
    for _ in 0..<100_000 {
      let kept = snapshot
      snapshot.failures.append(failure)
      if kept == snapshot { Issue.record("the copy has grown too") }
    }
    #expect(snapshot.failures.count == 100_000 && snapshot.failedCount == 100_000)
    // With a copy of the list for each failure it is minutes.
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `Copies of a list of failures go on apart from each other`() {
    let entries = (1...3).map { QueueEntry(id: TrackID(rawValue: $0), location: .url("http://a/\($0)")) }
    let failures = entries.map { ItemFailure(entry: $0, failure: .notThere, extent: .notPlayed) }
    var one = FailureList([failures[0]])
    var two = one
    one.append(failures[1])
    two.append(failures[2])
    #expect(one.map(\.entry.id.rawValue) == [1, 2] && two.map(\.entry.id.rawValue) == [1, 3])
    #expect(one != two && one == FailureList(failures.prefix(2)) && two.failedCount == 2)
  }

  @Test func `What was left in the meantime decides nothing`() async throws {
    let player = Player()
    await player.play(3)
    let old = try #require(await player.coordinator.snapshot.run)
    await player.coordinator.handle(.next, origin: .viewer)
    let current = try #require(await player.coordinator.snapshot.run)
    let facts: [EngineFact] = [
      .ended(old), .failed(old, .notThere, played: true), .started(old), .opened(old, .minute()),
      .seeked(old, position: .zero),
    ]
    for fact in facts { await player.coordinator.handle(fact) }
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.run == current && snapshot.failures.isEmpty && snapshot.info == nil)
    #expect(!snapshot.isHeard && snapshot.jumps == 0)
  }

  @Test func `An engine that joined before it heard of another choice is believed`() async throws {
    let player = Player()
    await player.coordinator.open(items(5))
    await player.coordinator.start(try #require(player.engine.lastLoaded))
    let second = try #require(player.engine.lastUpcoming)
    await player.coordinator.handle(.setLoopMode(.track), origin: .viewer)
    let again = try #require(player.engine.lastUpcoming)
    #expect(again.entry.name == "1")
    await player.coordinator.handle(.started(second))
    #expect(await player.coordinator.snapshot.entry?.name == "2")
    // The engine has `again` as what follows, and joins it before it hears of anything else.
    await player.coordinator.handle(.started(again))
    #expect(await player.coordinator.snapshot.entry?.name == "1")
    #expect(player.engine.lastUpcoming?.entry.name == "1")
  }

  @Test func `What was named before the item that plays is behind it and cannot begin any more`() async throws
  {
    let player = Player()
    await player.coordinator.open(items(5))
    await player.coordinator.start(try #require(player.engine.lastLoaded))
    let second = try #require(player.engine.lastUpcoming)
    await player.coordinator.handle(.setLoopMode(.track), origin: .viewer)
    let again = try #require(player.engine.lastUpcoming)
    await player.coordinator.handle(.started(again))
    await player.coordinator.handle(.started(second))
    await player.coordinator.handle(.failed(second, .notThere, played: false))
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.run == again && snapshot.failures.isEmpty)
  }

  @Test func `Items added later are played, also after the end`() async throws {
    let player = Player()
    await player.play(1)
    await player.coordinator.append(items(1))
    let added = try #require(player.engine.lastUpcoming)
    #expect(added.entry.id.rawValue == 2)
    await player.coordinator.handle(.started(added))
    await player.coordinator.handle(.ended(added))
    #expect(await player.coordinator.snapshot.isFinished)
    _ = player.engine.takeCommands()
    await player.coordinator.append(items(1))
    #expect(player.engine.lastLoaded?.entry.id.rawValue == 3)
    #expect(player.engine.commands.last == .start(reason: .setRateCalled))
  }

  @Test func `Items added after the end of a paused queue are loaded and held`() async throws {
    let player = Player()
    await player.coordinator.open(items(1), playing: nil)
    let bad = try #require(player.engine.lastLoaded)
    await player.coordinator.handle(.failed(bad, .notThere, played: false))
    #expect(await player.coordinator.snapshot.isFinished)
    await player.coordinator.append(items(1))
    #expect(player.engine.lastLoaded?.entry.id.rawValue == 2)
    #expect(await player.coordinator.snapshot.state == .loading)
    #expect(!player.engine.commands.contains(.start(reason: .setRateCalled)))
  }

  @Test func `An end that comes before the naming of what was added goes on there`() async throws {
    let player = Player()
    await player.play(1)
    let run = try #require(await player.coordinator.snapshot.run)
    await player.coordinator.append(items(1))
    await player.coordinator.handle(.ended(run))
    #expect(player.engine.lastLoaded?.entry.id.rawValue == 2)
    #expect(await player.coordinator.snapshot.state == .loading)
  }

  @Test func `An empty queue is finished at once`() async {
    let player = Player()
    await player.coordinator.open([])
    #expect(await player.coordinator.finished().isComplete)
  }
}
