import AfterlockCore
import Testing

/// How the coordinator names what follows, while the engine is whole tracks ahead of what is heard.
@Suite struct CoordinatorUpcomingTests {
  @Test func `Each join is answered with what follows it, to the end of the queue`() async throws {
    let player = Player()
    await player.play(4)
    let runs = try await player.joinAll()
    #expect(runs.map(\.entry.name) == ["2", "3", "4"])
    #expect(player.engine.commands.last == .setUpcoming(nil, after: runs[2]))
    _ = player.engine.takeCommands()
    for run in runs {
      await player.coordinator.handle(.started(run))
      #expect(await player.coordinator.snapshot.run == run)
    }
    #expect(player.engine.commands.isEmpty, "all of it is known")
    await player.coordinator.handle(.ended(runs[2]))
    #expect(await player.coordinator.snapshot.isFinished)
  }

  @Test func `A single item is followed by nothing, and that is said`() async throws {
    let player = Player()
    await player.coordinator.open(items(1))
    let run = try #require(player.engine.lastLoaded)
    #expect(player.engine.commands.contains(.setUpcoming(nil, after: run)))
  }

  @Test func `What is known of a joined track is there when it begins, each with its own`() async throws {
    let player = Player()
    await player.play(3)
    var runs: [PlaybackRun] = []
    for seconds in 1...2 as ClosedRange<Int64> {
      let run = try #require(player.engine.upcoming)
      await player.coordinator.handle(.opened(run, .minute(seconds: seconds)))
      await player.coordinator.handle(.joined(run))
      runs.append(run)
    }
    for (seconds, run) in zip([1, 2] as [Int64], runs) {
      await player.coordinator.handle(.started(run))
      let snapshot = await player.coordinator.snapshot
      #expect(snapshot.info == .minute(seconds: seconds) && snapshot.isHeard)
    }
  }

  @Test func `A looped track follows itself in a new run each time`() async throws {
    let player = Player()
    await player.play(2)
    await player.coordinator.handle(.setLoopMode(.track), origin: .viewer)
    let runs = try await player.joinAll(limit: 20)
    #expect(Set(runs.map(\.entry.name)) == ["1"] && Set(runs).count == 20)
    for run in runs { await player.coordinator.handle(.started(run)) }
    #expect(await player.coordinator.snapshot.index == 0)
  }

  @Test func `A loop that is switched on takes back all that was joined`() async throws {
    let player = Player()
    await player.play(5)
    let current = try #require(await player.coordinator.snapshot.run)
    let joined = try await player.joinAll(limit: 3)
    await player.coordinator.handle(.setLoopMode(.track), origin: .viewer)
    let again = try #require(player.engine.lastUpcoming)
    #expect(again.entry == current.entry)
    #expect(player.engine.commands.last == .setUpcoming(again, after: current))
    // The engine was just beginning the first of them: then that one is what loops.
    await player.coordinator.handle(.started(joined[0]))
    let second = try #require(player.engine.lastUpcoming)
    #expect(second.entry.name == "2")
    #expect(player.engine.commands.last == .setUpcoming(second, after: joined[0]))
  }

  @Test func `A loop that is switched off takes back the next round and keeps this one`() async throws {
    let player = Player()
    await player.play(3)
    await player.coordinator.handle(.setLoopMode(.playlist), origin: .viewer)
    let joined = try await player.joinAll(limit: 7)
    #expect(joined.map(\.entry.name) == ["2", "3", "1", "2", "3", "1", "2"])
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.setLoopMode(.none), origin: .viewer)
    #expect(player.engine.commands == [.setUpcoming(nil, after: joined[1])])
    // What the engine had joined meanwhile decides nothing.
    await player.coordinator.handle(.joined(joined[6]))
    #expect(player.engine.commands.count == 1)
  }

  @Test func `A choice that changes nothing says nothing`() async throws {
    let player = Player()
    await player.play(6)
    _ = try await player.joinAll(limit: 3)
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.setLoopMode(.playlist), origin: .viewer)
    await player.coordinator.append(items(1))
    await player.coordinator.handle(.setLoopMode(.none), origin: .viewer)
    #expect(player.engine.commands.isEmpty)
  }

  @Test func `Shuffle takes back what is out of its turn`() async throws {
    let player = Player()
    await player.play(40)
    let current = try #require(await player.coordinator.snapshot.run)
    _ = try await player.joinAll(limit: 10)
    await player.coordinator.handle(.setShuffled(true), origin: .viewer)
    let next = try #require(player.engine.lastUpcoming)
    #expect(player.engine.commands.last == .setUpcoming(next, after: current))
    let shuffled = try await player.joinAll(limit: 39)
    #expect(Set(shuffled.map(\.entry.name)).count == 39, "each of the others once")
  }

  @Test(arguments: [LoopMode.none, .playlist], [false, true])
  func `The order is the same however far the engine is ahead`(mode: LoopMode, isShuffled: Bool) async throws
  {
    var orders: Set<[String]> = []
    for ahead in [0, 1, 5, 100] {
      let player = Player()
      await player.coordinator.handle(.setLoopMode(mode), origin: .viewer)
      await player.coordinator.handle(.setShuffled(isShuffled), origin: .viewer)
      await player.play(7)
      var heard = [try #require(await player.coordinator.snapshot.entry?.name)]
      while heard.count < 30 {
        let runs = try await player.joinAll(limit: max(ahead, 1), says: ahead > 0)
        if runs.isEmpty { break }
        for run in runs {
          await player.coordinator.handle(.started(run))
          heard.append(run.entry.name)
        }
      }
      orders.insert(Array(heard.prefix(30)))
      #expect(heard.count >= (mode == .none ? 7 : 30))
    }
    #expect(orders.count == 1)
  }

  @Test func `A bad item behind joined ones is replaced behind the last of them`() async throws {
    let player = Player()
    await player.play(5)
    let joined = try await player.joinAll(limit: 2)
    let bad = try #require(player.engine.lastUpcoming)
    #expect(bad.entry.name == "4")
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.failed(bad, .notThere, played: false))
    let next = try #require(player.engine.lastUpcoming)
    #expect(next.entry.name == "5" && player.engine.commands == [.setUpcoming(next, after: joined[1])])
    await player.coordinator.handle(.failed(next, .notThere, played: false))
    #expect(player.engine.commands.last == .setUpcoming(nil, after: joined[1]))
    #expect(await player.coordinator.snapshot.failedCount == 2)
  }

  @Test func `After a seek the engine joins anew, and all that follows is named again`() async throws {
    let player = Player()
    await player.play(5)
    let joined = try await player.joinAll(limit: 3)
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.joined(joined[0]))
    let third = try #require(player.engine.lastUpcoming)
    #expect(third.entry.name == "3" && third != joined[1])
    #expect(player.engine.commands == [.setUpcoming(third, after: joined[0])])
    await player.coordinator.handle(.started(joined[0]))
    await player.coordinator.handle(.started(third))
    #expect(await player.coordinator.snapshot.index == 2)
  }

  @Test func `Next leaves all that was joined, and nothing of it decides any more`() async throws {
    let player = Player()
    await player.play(5)
    let joined = try await player.joinAll(limit: 3)
    await player.coordinator.handle(.next, origin: .viewer)
    let second = try #require(player.engine.lastLoaded)
    #expect(second.entry.name == "2" && second != joined[0])
    let third = try #require(player.engine.lastUpcoming)
    _ = player.engine.takeCommands()
    for run in joined {
      await player.coordinator.handle(.joined(run))
      await player.coordinator.handle(.started(run))
    }
    #expect(await player.coordinator.snapshot.run == second && player.engine.commands.isEmpty)
    await player.coordinator.handle(.previous, origin: .viewer)
    #expect(player.engine.lastLoaded?.entry.name == "1" && third.entry.name == "3")
  }

  @Test func `An engine that is ahead of a choice is believed, one track after the other`() async throws {
    let player = Player()
    await player.play(6)
    let joined = try await player.joinAll(limit: 4)
    await player.coordinator.handle(.setLoopMode(.track), origin: .viewer)
    for run in joined {
      await player.coordinator.handle(.started(run))
      let named = try #require(player.engine.lastUpcoming)
      #expect(await player.coordinator.snapshot.run == run)
      #expect(named.entry == run.entry && player.engine.commands.last == .setUpcoming(named, after: run))
    }
  }

  @Test func `While more items are on their way the last one is not called the last`() async throws {
    let player = Player()
    await player.coordinator.open(items(1), moreFollow: true)
    let first = try #require(player.engine.lastLoaded)
    #expect(player.engine.commands == [.load(first, position: .zero), .start(reason: .setRateCalled)])
    await player.coordinator.append(items(1), moreFollow: true)
    let second = try #require(player.engine.lastUpcoming)
    #expect(player.engine.commands.last == .setUpcoming(second, after: first))
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.failed(second, .notThere, played: false))
    #expect(player.engine.commands.isEmpty)
    await player.coordinator.append(items(1), moreFollow: true)
    let third = try #require(player.engine.lastUpcoming)
    _ = player.engine.takeCommands()
    await player.coordinator.handle(.joined(third))
    #expect(player.engine.commands.isEmpty)
    await player.coordinator.append([])
    #expect(player.engine.commands == [.setUpcoming(nil, after: third)])
    await player.coordinator.append([])
    #expect(player.engine.commands.count == 1)
  }
}

extension Player {
  /// The engine joins what it is told, until there is nothing or `limit` is reached.
  /// - Parameter says: whether it says so, or only remembers it.
  fileprivate func joinAll(limit: Int = 100, says: Bool = true) async throws -> [PlaybackRun] {
    var joined: [PlaybackRun] = []
    while joined.count < limit, let run = engine.upcoming, joined.last != run {
      joined.append(run)
      if says { await coordinator.handle(.joined(run)) }
    }
    return joined
  }
}

extension RecordingEngine {
  /// What the last `setUpcoming` has said.
  fileprivate var upcoming: PlaybackRun? {
    for case .setUpcoming(let run, _) in everything.reversed() { return run }
    return nil
  }
}
