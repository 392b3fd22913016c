import AfterlockCore

/// What the system does to an app in the background: to its picture, its sound and its process.
extension SimulatedPhone {
  private var currentItem: ScenarioItem? {
    guard let location = player.position.run?.entry.location else { return nil }
    return scenario.queue.indices.first { ScenarioItem.location($0) == location }.map { scenario.queue[$0] }
  }

  /// The current item has a picture. Its tracks can be disabled, unless it is a stream (P4).
  private var hasVideo: Bool {
    guard let currentItem, currentItem.kind == .video else { return false }
    let isFixed = currentItem.source == .stream && rules.has(.streamTracks)
    return services.video.hasTracks || isFixed || !rules.has(.videoTracks)
  }

  /// The picture is on the phone's screen (P4).
  private var showsVideo: Bool {
    hasVideo && (layers.contains(where: \.isAttached) || !rules.has(.videoLayers))
  }

  /// A player that shows video is paused when the app enters the background (P4), unless the policy lets it go on; the
  /// side button does not ask the policy (P5).
  func pauseForBackground(byLock isLock: Bool) async {
    guard rules.has(.videoPause), player.rate > 0 else { return }
    let overrules = isLock && reproducesLock && rules.has(.sideButtonPause)
    guard overrules && showsVideo || pausesByPolicy else { return }
    recorder.record(.platform, "the system pauses the player, which has video")
    player.pauseBySystem(reason: .appBackgrounded)
    await settle()
  }

  /// What the app has asked for (P5).
  private var pausesByPolicy: Bool {
    // Without the rule the system sees fit, as without a policy.
    switch rules.has(.backgroundPolicy) ? services.video.backgroundPolicy : .automatic {
    case .automatic: showsVideo
    case .pauses: hasVideo
    case .continuesIfPossible: false
    }
  }

  /// Without the capability nothing runs in the background (P1), and an app whose session is inactive plays nothing to the
  /// system (P3); for the session the system waits while somebody else has the sound, or nobody.
  func suspendIfIdle() async {
    guard phase == .background else { return }
    let mayRun = !rules.has(.capability) || scenario.app.backgroundModes.contains("audio")
    let isWaitedFor = interruption != nil || isServiceDead
    let plays = !rules.has(.sessionActivation) || services.session.isActive || isWaitedFor
    guard !mayRun || !plays else { return }
    recorder.record(
      .platform, "the system suspends the app: \(mayRun ? "its session is inactive" : "no capability")")
    phase = .suspended
    await stopSound()
  }

  /// Ambient and solo ambient are silenced by the lock and by the Ring/Silent switch (P2); in the background only an active
  /// session is heard (P3).
  func updateSound() {
    let isLockSilent = isLocked && reproducesLock && rules.has(.lockSilence)
    let isSwitchSilent = isRingSilent && rules.has(.ringSwitch)
    let isQuiet = services.session.category != .playback && (isLockSilent || isSwitchSilent)
    let isUnheard = phase == .background && rules.has(.sessionActivation) && !services.session.isActive
    player.setSilenced(isQuiet || isUnheard)
  }
}
