/// Decides what happens to playback: a value without I/O, clock or suspension, so that every decision can be tested and
/// walked through.
///
/// Intent, state and suppression are kept apart. The engine is to run exactly when sound is wanted, nothing holds it and
/// there is an item (``shouldRun``); every event changes one of these three and then reconciles the engine with them.
public struct PlaybackPolicy: Hashable, Sendable {
  /// Where the app is, as the platform's events tell (P6, P7).
  public enum AppPhase: String, Hashable, Sendable {
    /// In front.
    case active
    /// In front but about to leave, or under something else.
    case inactive
    /// Not on screen.
    case background
  }

  /// What is known of the queue's current item.
  package enum ItemStage: Hashable, Sendable { case none, loading, ready, ended }

  /// The parts of the fix in force.
  public let configuration: PolicyConfiguration
  /// What the person wants.
  public package(set) var intent = PlaybackIntent.initial
  /// Why playback is held.
  public package(set) var suppression: PlaybackSuppression = []
  /// Where the app is.
  public package(set) var phase = AppPhase.active
  /// Whether the desktop's screen is locked; several sources may tell of one lock (L1).
  public package(set) var isScreenLocked = false
  /// Whether the layers have the player.
  public package(set) var hasLayersAttached = true
  /// Whether the audio session is active.
  public package(set) var isSessionActive = false
  /// The engine was told to start, was not told to pause since, and no report says that the system paused it.
  public package(set) var isRunning = false
  package var item = ItemStage.none
  /// An interruption began while the engine ran, and the pause that the system forces has not been reported yet (P11).
  package var expectsForcedPause = false

  /// A policy before the first event.
  public init(configuration: PolicyConfiguration = PolicyConfiguration()) {
    self.configuration = configuration
  }

  /// What the engine does.
  public var state: PlaybackState {
    switch item {
    case .none: .stopped
    case .loading: .loading
    case .ready: isRunning ? .playing : .paused
    case .ended: .ended
    }
  }

  /// Whether the engine is to run.
  public var shouldRun: Bool { intent.wantsToPlay && suppression.isEmpty && hasItem }

  /// Whether there is an item that could sound.
  package var hasItem: Bool { item == .loading || item == .ready }

  /// Takes one event and says what is to be done about it, in order.
  public mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect] {
    var effects: [PlaybackEffect] = []
    switch event {
    case .play(let origin): play(origin, &effects)
    case .pause(let origin): pause(origin, &effects)
    case .togglePlayPause(let origin): toggle(origin, &effects)
    case .stop(let origin): stop(origin, &effects)
    case .itemSelected:
      item = .loading
      reconcile(start: .setRateCalled, &effects)
    case .itemReady:
      if item == .loading { item = .ready }
    case .queueEnded:
      item = .ended
      reconcile(pause: .endOfQueue, &effects)
    case .rateChanged(let change): rateChanged(change, &effects)
    case .lifecycle(let event): lifecycle(event, &effects)
    case .serverLost:
      // A service that is killed deactivates the session (P13).
      isSessionActive = false
      hold(.serverLost, reason: .serverLost, &effects)
    case .serverRestored:
      // Position and intent were kept; the stream that comes back is inactive (L7).
      lift([.serverLost, .startFailed], start: .serverRestored, &effects)
    case .routeLost: routeLost(&effects)
    case .routeRestored: routeRestored(&effects)
    case .sinkLost(let kind): sinkLost(kind, &effects)
    }
    return effects
  }

  /// Makes the engine follow from intent, suppression and item; says nothing when it does already.
  mutating func reconcile(
    start startReason: RateChangeReason = .setRateCalled,
    pause pauseReason: RateChangeReason = .setRateCalled,
    _ effects: inout [PlaybackEffect]
  ) {
    guard shouldRun != isRunning else { return }
    isRunning = shouldRun
    guard shouldRun else {
      effects.append(.pause(reason: pauseReason))
      return
    }
    // Right before play: an app whose session is inactive in the background plays nothing to the system (P3).
    if configuration.activatesSession, !isSessionActive {
      isSessionActive = true
      effects.append(.activateSession)
    }
    effects.append(.start(reason: startReason))
  }

  /// Adds a cause that holds playback.
  mutating func hold(
    _ cause: PlaybackSuppression, reason: RateChangeReason, _ effects: inout [PlaybackEffect]
  ) {
    suppression.formUnion(cause)
    reconcile(pause: reason, &effects)
  }

  /// Takes causes away, and goes on when none is left.
  ///
  /// By intent it goes on (P7). By state it cannot: at this moment the state says "paused", whoever paused it.
  mutating func lift(
    _ causes: PlaybackSuppression, start reason: RateChangeReason, _ effects: inout [PlaybackEffect]
  ) {
    guard !suppression.isDisjoint(with: causes) else { return }
    suppression.subtract(causes)
    if configuration.decidesBy == .state, shouldRun, !isRunning { suppression.insert(.systemPaused) }
    reconcile(start: reason, &effects)
  }
}
