/// From events to the policy, and from its effects to the engine, the layers and the session.
extension PlaybackCoordinator {
  /// Asks the policy, writes down what it decided and does it.
  /// - Parameter source: who told of the event, where several may.
  func decide(_ event: PlaybackEvent, origin: CommandOrigin, source: String? = nil) {
    let before = policy
    let effects = policy.handle(event)
    if !policy.suppression.contains(.sinkLost) { lostSink = nil }
    record(event, origin: origin, source: source, before: before, effects: effects)
    if policy.intent != before.intent { note(policy.intent) }
    guard case .rateChanged = event else { return perform(effects, startedBy: origin, pausedBy: origin) }
    // A pause by the system that is undone: the start is the player's own. A start that is taken back came too late:
    // whoever paused since is who pauses.
    perform(effects, startedBy: .engine, pausedBy: lastPauseOrigin)
  }

  /// The rate change that confirms a command comes later, and is then put down to whoever gave it.
  private func note(_ intent: PlaybackIntent) {
    if intent.wantsToPlay { lastStartOrigin = intent.origin } else { lastPauseOrigin = intent.origin }
  }

  private func perform(
    _ effects: [PlaybackEffect], startedBy starter: CommandOrigin, pausedBy pauser: CommandOrigin
  ) {
    var isEmpty = false
    for effect in effects {
      switch effect {
      case .load: isEmpty = !loadCurrentEntry()
      case .start(let reason):
        lastStartOrigin = starter
        engine.perform(.start(reason: reason))
      case .pause(let reason):
        lastPauseOrigin = pauser
        engine.perform(.pause(reason: reason))
      case .allowOtherSink: engine.perform(.allowOtherSink)
      case .unload: unload()
      case .activateSession: activateSession()
      case .attachLayers:
        layers.layers.forEach { $0.attachPlayer() }
        recordLayers(attached: true, origin: starter)
      case .detachLayers:
        layers.layers.forEach { $0.detachPlayer() }
        recordLayers(attached: false, origin: pauser)
      }
    }
    session.isActive = policy.isSessionActive
    if isEmpty { endQueue(origin: .engine) }
  }

  // MARK: - Loading

  /// Loads what the queue has, from its start or where the first entry was to begin.
  private func loadCurrentEntry() -> Bool {
    guard let entry = queue.current ?? queue.restart() else { return false }
    load(entry, at: startPosition)
    return true
  }

  /// Loads without a wish to play, so that there is something to show.
  func loadCurrentOrFirst() {
    if loadCurrentEntry() { decide(.itemSelected, origin: .engine) } else { endQueue(origin: .engine) }
  }

  func load(_ entry: QueueEntry, at position: Duration = .zero) {
    forgetRuns()
    let run = makeRun(entry)
    currentRun = run
    engine.perform(.load(run, position: position))
    nameUpcoming()
  }

  /// Leaves the queue's end behind: nothing is current.
  func endQueue(origin: CommandOrigin) {
    decide(.queueEnded, origin: origin)
    unload()
  }

  private func unload() {
    // It is still the current one, and what is known of it still holds.
    if let currentRun, let currentInfo { lastInfo = (currentRun.entry.id, currentInfo) }
    forgetRuns()
    engine.perform(.unload)
  }

  /// `load` and `unload` make the engine forget what was named as upcoming, too.
  private func forgetRuns() {
    if let currentRun { left = (currentRun, heardPosition) }
    currentRun = nil
    currentInfo = nil
    isHeard = false
    forgetUpcoming()
    seekTargets = []
    startPosition = .zero
  }

  /// Goes to `entry`, or ends the queue.
  func goOn(to entry: QueueEntry?, origin: CommandOrigin) {
    guard let entry else { return endQueue(origin: origin) }
    load(entry)
    decide(.itemSelected, origin: origin)
  }

  func makeRun(_ entry: QueueEntry) -> PlaybackRun {
    lastRunID += 1
    return PlaybackRun(id: lastRunID, entry: entry)
  }
}
