import AfterlockCore
import Foundation
import Synchronization
import Testing

/// Where the coordinator runs, and in which order it takes what comes from elsewhere.
@Suite struct CoordinatorIsolationTests {
  @Test func `Nothing is decided except on the executor that was handed in`() {
    let executor = ManualExecutor()
    let places = Mutex<[Bool]>([])
    let player = Player(on: CoordinatorExecutor(executor)) { [executor] _ in
      places.withLock { $0.append(executor.isCurrent) }
    }
    player.coordinator.send(.setVolume(Volume(percent: 10)), origin: .viewer)
    player.coordinator.send(.setVolume(Volume(percent: 20)), origin: .viewer)
    #expect(player.engine.commands.isEmpty)
    #expect(executor.run { player.engine.commands.count == 2 })
    #expect(places.withLock(\.self) == [true, true])
  }

  @Test func `On the main executor the engine is commanded on the main actor`() async {
    let player = Player(on: .main) { _ in MainActor.preconditionIsolated() }
    await player.coordinator.open(items(2))
    player.coordinator.send(.pause, origin: .viewer)
    #expect(await player.coordinator.snapshot.intent.wantsToPlay == false)
    #expect(player.engine.commands.count == 4)
  }

  @Test func `The executor lives as long as the coordinator`() async {
    weak let executor: QueueExecutor?
    do {
      let own = QueueExecutor()
      executor = own
      let player = Player(on: CoordinatorExecutor(own))
      await player.play(1)
      #expect(executor != nil)
    }
    #expect(await eventually { executor == nil })
  }

  @Test func `A burst from one thread is taken in its order, in few turns`() {
    let executor = ManualExecutor()
    let player = Player(on: CoordinatorExecutor(executor))
    let levels = (0..<1_000).map { Volume(percent: Double($0 % 150)) }
    for level in levels { player.coordinator.send(.setVolume(level), origin: .viewer) }
    #expect(executor.runNext())
    #expect(player.engine.commands == levels.map { .setVolume($0) })
    #expect(executor.waitingCount == 0)
  }

  @Test func `Commands, facts and events of one thread keep their order among each other`() async throws {
    let player = Player()
    await player.play(1)
    let coordinator = player.coordinator
    coordinator.report(.serverLost)
    coordinator.send(.pause, origin: .viewer)
    coordinator.send(.play, origin: .viewer)
    coordinator.report(.serverRestored)
    coordinator.report(.systemWillSleep)
    coordinator.report(RateChange(rate: 0, reason: .appBackgrounded))
    coordinator.report(.systemDidWake)
    #expect(await coordinator.snapshot.state == .playing)
    #expect(
      player.engine.commands == [
        .pause(reason: .serverLost), .start(reason: .serverRestored), .pause(reason: .systemSleep),
        .start(reason: .systemWake),
      ])
  }

  @Test func `Two looks at a player in which nothing happens are equal, and a change has a greater number`()
    async
  {
    let player = Player()
    await player.play(1)
    let first = await player.coordinator.snapshot
    #expect(await player.coordinator.snapshot == first)
    await player.coordinator.handle(.pause, origin: .viewer)
    #expect(await player.coordinator.snapshot.serial > first.serial)
  }

  @Test func `A call on the coordinator comes after what was sent before it`() async {
    let player = Player()
    await player.coordinator.sendThenHandle(.setVolume(Volume(percent: 10)), .setVolume(Volume(percent: 20)))
    #expect(player.engine.commands == [10, 20].map { .setVolume(Volume(percent: $0)) })
  }

  @Test func `Each of many threads finds its own commands in their order`() async {
    let player = Player()
    let coordinator = player.coordinator
    let threads = 8
    let each = 500
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<threads {
        group.addTask {
          await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
              for number in 0..<each {
                let level = Volume(slider: Double(thread * each + number) / 10_000)
                coordinator.send(.setVolume(level), origin: .viewer)
              }
              done.resume()
            }
          }
        }
      }
    }
    _ = await coordinator.snapshot
    var seen = Array(repeating: -1, count: threads)
    for case .setVolume(let level) in player.engine.commands {
      let number = Int((level.slider * 10_000).rounded())
      #expect(number % each == seen[number / each] + 1)
      seen[number / each] = number % each
    }
    #expect(seen == Array(repeating: each - 1, count: threads))
  }

  @Test func `Facts that come while the coordinator is made are not lost`() async {
    let engine = RecordingEngine()
    let coordinator = PlaybackCoordinator(
      on: CoordinatorExecutor(QueueExecutor()), queue: PlaybackQueue(generator: SeededGenerator(seed: 1))
    ) { report in
      report(.serverLost)
      return engine
    }
    for await snapshot in coordinator.snapshots() where snapshot.suppression == .serverLost { break }
    #expect(await coordinator.snapshot.suppression == .serverLost)
  }

  @Test func `Coordinator, engine and streams do not keep each other alive`() async throws {
    weak let coordinator: PlaybackCoordinator?
    let snapshots: AsyncStream<PlayerSnapshot>
    do {
      let player = Player()
      coordinator = player.coordinator
      snapshots = player.coordinator.snapshots()
      await player.play(2)
      player.coordinator.send(.pause, origin: .viewer)
      _ = await player.coordinator.snapshot
    }
    try #require(await eventually { coordinator == nil })
    // The streams end with it.
    for await _ in snapshots {}
  }

  @Test func `Snapshots begin with how things are and end with the newest`() async {
    let player = Player()
    await player.play(3)
    let stream = player.coordinator.snapshots()
    for level in 1...50 {
      await player.coordinator.handle(.setVolume(Volume(percent: Double(level))), origin: .viewer)
    }
    var seen: [PlayerSnapshot] = []
    for await snapshot in stream {
      seen.append(snapshot)
      if snapshot.volume == Volume(percent: 50) { break }
    }
    #expect(seen.count == 1 && seen[0].index == 0 && seen[0].count == 3)
  }

  @Test func `A position that only moves makes no snapshot`() async throws {
    let player = Player()
    await player.play(1)
    let run = try #require(await player.coordinator.snapshot.run)
    let stream = player.coordinator.snapshots()
    player.engine.setPosition(run, .seconds(9))
    await player.coordinator.handle(RateChange(rate: 1, reason: .setRateCalled))
    let before = try #require(await stream.first { _ in true })
    player.engine.setPosition(run, .seconds(10))
    await player.coordinator.handle(RateChange(rate: 1, reason: .setRateCalled))
    let again = try #require(await player.coordinator.snapshots().first { _ in true })
    #expect(before == again && before.position == .seconds(9))
    #expect(player.coordinator.position.time == .seconds(10))
  }

  @Test func `Waiting for the end of a player that goes away ends, too`() async {
    let waiting: Task<PlaybackSummary, Never>
    do {
      let player = Player()
      await player.play(1)
      let coordinator = player.coordinator
      waiting = Task { await coordinator.finished() }
    }
    waiting.cancel()
    #expect(await !waiting.value.isComplete)
  }
}

/// Whether `condition` comes to hold within 20 s.
func eventually(_ condition: () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(20)
  while !condition() {
    guard ContinuousClock.now < end else { return false }
    await Task.yield()
  }
  return true
}

extension PlaybackCoordinator {
  /// Both in one turn, so that nothing can be drained in between.
  fileprivate func sendThenHandle(_ first: PlayerCommand, _ second: PlayerCommand) {
    send(first, origin: .viewer)
    handle(second, origin: .viewer)
  }
}
