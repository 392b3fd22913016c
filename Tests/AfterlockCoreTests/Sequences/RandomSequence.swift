import AfterlockCore

/// One random life of a player in virtual time: commands, locks, sleeps, lost sinks, lost servers, interruptions, files
/// that fail; and at the end all is well again.
///
/// Everything follows from the seed. The platform keeps its own rules: what is lost is lost once, and comes back once.
struct RandomSequence {
  enum Law: String, CaseIterable {
    case noStartWithoutWish = "nothing starts without a wish"
    case noSoundWithoutWish = "nothing is heard without a wish"
    case wishIsAPersons = "only a person changes the wish"
    case noSilenceAgainstWish = "nothing is silent against the wish once its cause is gone"
  }

  struct Violation: Error, CustomStringConvertible {
    let law: Law
    let seed: UInt64
    let events: [String]

    var description: String {
      "\(law.rawValue), seed \(seed):\n"
        + events.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
    }
  }

  let seed: UInt64
  var configuration = PolicyConfiguration()
  /// A fault of the world that the laws must find.
  var fault: Fault?

  enum Fault { case playsOnUnlock, startsByItself, neverTellsOfReturn }

  /// What the platform has taken away.
  private struct World {
    var isLocked = false
    var isAsleep = false
    var hasServer = true
    var hasSink = true
    var isInterrupted = false
    var isActive = true
  }

  /// Plays `steps` events.
  /// - Returns: how often sound started, so that a test can see that something happened.
  func play(steps: Int, on coordinator: isolated PlaybackCoordinator, _ engine: VirtualEngine)
    throws(Violation)
    -> Int
  {
    var random = SeededGenerator(seed: seed)
    var world = World()
    var events: [String] = []
    var starts = 0
    var wish = coordinator.snapshot.intent

    func check(_ what: String, byPerson: Bool) throws(Violation) {
      events.append(what)
      func require(_ law: Law, _ holds: Bool) throws(Violation) {
        if !holds { throw Violation(law: law, seed: seed, events: events) }
      }
      let snapshot = coordinator.snapshot
      if !byPerson { try require(.wishIsAPersons, snapshot.intent == wish) }
      wish = snapshot.intent
      let started = engine.takeStarts()
      starts += started
      try require(.noStartWithoutWish, started == 0 || wish.wantsToPlay)
      try require(.noSoundWithoutWish, !engine.isStarted || wish.wantsToPlay)
    }

    /// What the engine has to say, until it has nothing more to say.
    func settle(_ what: String, byPerson: Bool) throws(Violation) {
      try check(what, byPerson: byPerson)
      for _ in 0..<100 {
        let reports = engine.takeReports()
        if reports.facts.isEmpty, reports.changes.isEmpty { return }
        for change in reports.changes { coordinator.handle(change) }
        for fact in reports.facts { coordinator.handle(fact) }
        try check("the engine reports", byPerson: false)
      }
    }

    func tick() throws(Violation) {
      engine.tick(failsToOpen: Int.random(in: 0..<12, using: &random) == 0)
      try settle("a second", byPerson: false)
    }

    coordinator.open(items(4), playing: Bool.random(using: &random) ? .viewer : nil)
    wish = coordinator.snapshot.intent
    try settle("opened", byPerson: true)
    for _ in 0..<steps {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2:
        let (command, origin) = (Self.command(&random), Self.person(&random))
        coordinator.handle(command, origin: origin)
        try settle("\(command) by \(origin)", byPerson: true)
      case 3...5: try tick()
      default:
        let what = happen(&world, coordinator, engine, &random)
        try settle(what, byPerson: false)
      }
    }
    restore(&world, coordinator, engine)
    try settle("all is well again", byPerson: false)
    for _ in 0..<8 { try tick() }
    let end = coordinator.snapshot
    guard end.intent.wantsToPlay, end.state != .ended, end.state != .stopped, !engine.isHeard else {
      return starts
    }
    // Some causes end by the person's word only.
    let needsPerson = !end.suppression.isEmpty && end.suppression.isSubset(of: .liftedByPerson)
    if needsPerson {
      coordinator.handle(.play, origin: .viewer)
      try settle("play by viewer", byPerson: true)
      for _ in 0..<8 where !engine.isHeard { try tick() }
    }
    let state = coordinator.snapshot.state
    guard engine.isHeard || state == .ended || state == .stopped else {
      throw Violation(law: .noSilenceAgainstWish, seed: seed, events: events)
    }
    return starts
  }

  private static func person(_ random: inout SeededGenerator) -> CommandOrigin {
    Bool.random(using: &random)
      ? .viewer : .remote(busName: ":1.9", processID: 9, program: "playerctl")
  }

  private static func command(_ random: inout SeededGenerator) -> PlayerCommand {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: .play
    case 2: .pause
    case 3: .togglePlayPause
    case 4: .stop
    case 5: .next
    case 6: .previous
    case 7: .seek(to: .seconds(Int64.random(in: 0..<6, using: &random)), in: nil)
    case 8: .seekBy(.seconds(Int64.random(in: -9..<10, using: &random)))
    case 9: .setLoopMode([.none, .track, .playlist].randomElement(using: &random) ?? .none)
    case 10: .toggleShuffled
    default: .toggleMute
    }
  }

  /// Something of the platform's; only what can be.
  private func happen(
    _ world: inout World, _ coordinator: isolated PlaybackCoordinator, _ engine: VirtualEngine,
    _ random: inout SeededGenerator
  ) -> String {
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      world.isLocked.toggle()
      coordinator.handle(world.isLocked ? .screenLocked : .screenUnlocked)
      if fault == .startsByItself { engine.perform(.start(reason: .setRateCalled)) }
      if fault == .playsOnUnlock, !world.isLocked { coordinator.handle(.play, origin: .viewer) }
      return world.isLocked ? "locked" : "unlocked"
    case 1:
      world.isAsleep.toggle()
      coordinator.handle(world.isAsleep ? .systemWillSleep : .systemDidWake)
      return world.isAsleep ? "will sleep" : "did wake"
    case 2:
      world.hasServer.toggle()
      if !world.hasServer { engine.stopByItself() }
      if world.hasServer, fault == .neverTellsOfReturn { return "server back, and nobody says so" }
      coordinator.handle(world.hasServer ? .serverRestored : .serverLost)
      return world.hasServer ? "server back" : "server lost"
    case 3:
      world.hasSink.toggle()
      coordinator.handle(world.hasSink ? .routeRestored(sink: "sink") : .routeLost(sink: "sink"))
      return world.hasSink ? "sink back" : "sink lost"
    case 4:
      world.isInterrupted.toggle()
      guard world.isInterrupted else {
        let advice: Bool? = [true, false, nil].randomElement(using: &random) ?? nil
        coordinator.handle(.interruptionEnded(shouldResume: advice))
        return "interruption ended, resume \(advice.map(String.init) ?? "unsaid")"
      }
      coordinator.handle(.interruptionBegan)
      return "interruption began"
    case 5:
      world.isActive.toggle()
      for event in world.isActive ? [.willEnterForeground, .didBecomeActive] : Self.leaving(&random) {
        coordinator.handle(event)
      }
      return world.isActive ? "in front" : "in the background"
    default:
      guard engine.isStarted else { return "nothing" }
      engine.stopByItself()
      coordinator.handle(RateChange(rate: 0, reason: .appBackgrounded))
      return "paused by the system"
    }
  }

  /// The lock can skip the first of these (P7).
  private static func leaving(_ random: inout SeededGenerator) -> [LifecycleEvent] {
    Bool.random(using: &random) ? [.willResignActive, .didEnterBackground] : [.didEnterBackground]
  }

  private func restore(
    _ world: inout World, _ coordinator: isolated PlaybackCoordinator, _ engine: VirtualEngine
  ) {
    if world.isInterrupted { coordinator.handle(.interruptionEnded(shouldResume: true)) }
    if world.isAsleep { coordinator.handle(.systemDidWake) }
    if !world.hasServer, fault != .neverTellsOfReturn { coordinator.handle(.serverRestored) }
    if !world.hasSink { coordinator.handle(.routeRestored(sink: "sink")) }
    if world.isLocked { coordinator.handle(.screenUnlocked) }
    coordinator.handle(.didBecomeActive)
    world = World()
  }
}
