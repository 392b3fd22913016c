/// What the platform does to playback, and when that is undone.
extension PlaybackPolicy {
  /// A rate change that was reported (P8).
  mutating func rateChanged(_ change: RateChange, _ effects: inout [PlaybackEffect]) {
    guard change.rate == 0 else {
      // A start that nobody wished for is taken back.
      if !shouldRun { effects.append(.pause(reason: .setRateCalled)) }
      return
    }
    switch change.reason {
    case _ where RateChangeReason.confirmations.contains(change.reason): break
    case .appBackgrounded: systemPaused(mayUndo: configuration.backgroundPolicy != .pauses, &effects)
    case .audioSessionInterrupted: forcedPause(&effects)
    case .setRateFailed:
      // Trying again at once could go on for ever.
      isRunning = false
      if intent.wantsToPlay { suppression.insert(.startFailed) }
    default:
      // A reason that is not known does not say that playing on is welcome.
      systemPaused(mayUndo: false, &effects)
    }
  }

  /// The system has paused the player: undone at once when the reason says so (P8), by intent (P7).
  private mutating func systemPaused(mayUndo: Bool, _ effects: inout [PlaybackEffect]) {
    isRunning = false
    guard intent.wantsToPlay else { return }
    if !mayUndo || !configuration.undoesSystemPause || configuration.decidesBy == .state {
      suppression.insert(.systemPaused)
    }
    reconcile(start: .setRateCalled, &effects)
  }

  /// The pause that an interruption forces; it may be seen before the notice, after it, or after its end (P11).
  private mutating func forcedPause(_ effects: inout [PlaybackEffect]) {
    isRunning = false
    let isLate = expectsForcedPause
    expectsForcedPause = false
    if suppression.contains(.audioSessionInterrupted) { return }
    if isLate {
      systemPaused(mayUndo: true, &effects)
    } else if intent.wantsToPlay {
      suppression.insert(.audioSessionInterrupted)
    }
  }

  mutating func lifecycle(_ event: LifecycleEvent, _ effects: inout [PlaybackEffect]) {
    switch event {
    case .willResignActive:
      phase = .inactive
      // Before the system's pause, also for the side button (P6).
      if configuration.detachesLayersAt == .willResignActive { detachLayers(&effects) }
    case .didEnterBackground:
      phase = .background
      // The lock can skip willResignActive (P7).
      if configuration.detachesLayersAt != .never { detachLayers(&effects) }
    case .willEnterForeground:
      phase = .inactive
    case .didBecomeActive: didBecomeActive(&effects)
    case .screenLocked: screenLocked(&effects)
    case .screenUnlocked:
      isScreenLocked = false
      attachLayersIfSeen(&effects)
      lift(.screenLocked, start: .screenUnlocked, &effects)
    case .systemWillSleep: hold(.systemAsleep, reason: .systemSleep, &effects)
    case .systemDidWake: lift([.systemAsleep, .startFailed], start: .systemWake, &effects)
    case .appSuspended: hold(.appSuspended, reason: .appSuspended, &effects)
    case .appResumed: lift([.appSuspended, .startFailed], start: .setRateCalled, &effects)
    case .sessionDeactivated:
      isSessionActive = false
      if hasItem, intent.wantsToPlay { hold(.sessionInactive, reason: .sessionInactive, &effects) }
    case .sessionActivated:
      isSessionActive = true
      lift([.sessionInactive, .startFailed], start: .setRateCalled, &effects)
    case .interruptionBegan: interruptionBegan(&effects)
    case .interruptionEnded(let shouldResume): interruptionEnded(shouldResume: shouldResume, &effects)
    }
  }

  /// Several sources tell of one lock, and only the first holds: whoever says Play afterwards is not silenced by the second
  /// one. What a person had paused before is not the lock's to go on with (L1).
  private mutating func screenLocked(_ effects: inout [PlaybackEffect]) {
    let isNews = !isScreenLocked
    isScreenLocked = true
    if configuration.detachesLayersAt != .never { detachLayers(&effects) }
    guard isNews, configuration.onLock == .pauses, intent.wantsToPlay else { return }
    hold(.screenLocked, reason: .screenLocked, &effects)
  }

  private mutating func didBecomeActive(_ effects: inout [PlaybackEffect]) {
    phase = .active
    attachLayersIfSeen(&effects)
    // In front again, whatever the background forbade is over.
    var causes: PlaybackSuppression = [.appSuspended]
    if configuration.undoesSystemPause, configuration.decidesBy == .intent {
      causes.formUnion([.systemPaused, .startFailed, .sessionInactive])
    }
    lift(causes, start: .setRateCalled, &effects)
  }

  /// An interruption also deactivates the session (P13).
  private mutating func interruptionBegan(_ effects: inout [PlaybackEffect]) {
    isSessionActive = false
    expectsForcedPause = isRunning
    hold(.audioSessionInterrupted, reason: .interruptionBegan, &effects)
  }

  /// Without its options the end is taken as leave: the wish to play is known, and nobody forbade it (P11).
  private mutating func interruptionEnded(shouldResume: Bool?, _ effects: inout [PlaybackEffect]) {
    if shouldResume == false, suppression.contains(.audioSessionInterrupted), intent.wantsToPlay {
      suppression.insert(.resumeNotAdvised)
    }
    lift([.audioSessionInterrupted, .startFailed], start: .setRateCalled, &effects)
  }

  /// No sink: the intent is kept, and nothing is played until there is one (L6).
  mutating func routeLost(_ effects: inout [PlaybackEffect]) {
    hold(.routeLost, reason: .routeLost, &effects)
  }

  mutating func routeRestored(_ effects: inout [PlaybackEffect]) {
    lift([.routeLost, .startFailed], start: .routeRestored, &effects)
  }

  /// The sink that was played to has gone, and the engine holds. Whether another one may have the sound is the viewer's to
  /// say where it was a headset or the like, or as configured (L5); nothing else says it, not even the same sink's return.
  mutating func sinkLost(_ kind: SinkKind, _ effects: inout [PlaybackEffect]) {
    guard !configuration.onRouteLoss.pauses(onLossOf: kind) else { return holdForLostSink(&effects) }
    isRunning = false
    reconcile(start: .routeRestored, &effects)
  }

  /// Without a wish there is nothing to hold: a Play that comes later is the viewer's word.
  mutating func holdForLostSink(_ effects: inout [PlaybackEffect]) {
    guard intent.wantsToPlay else { return }
    hold(.sinkLost, reason: .routeLost, &effects)
  }

  /// By intent the layers always go; by state only while the state still says "playing", which after the system's pause
  /// is too late (P7).
  private mutating func detachLayers(_ effects: inout [PlaybackEffect]) {
    guard hasLayersAttached, configuration.decidesBy == .intent || isRunning else { return }
    hasLayersAttached = false
    effects.append(.detachLayers)
  }

  private mutating func attachLayersIfSeen(_ effects: inout [PlaybackEffect]) {
    guard phase == .active, !isScreenLocked, !hasLayersAttached, configuration.reattachesLayers else {
      return
    }
    hasLayersAttached = true
    effects.append(.attachLayers)
  }
}
