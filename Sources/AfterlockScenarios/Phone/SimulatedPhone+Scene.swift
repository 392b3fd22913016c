import AfterlockCore
import Foundation

/// Lock, app switch and control centre: where the app is, and what that does to a player.
extension SimulatedPhone {
  /// The simulator's lock is an app switch to the app (P10).
  private var reproducesLock: Bool { scenario.platform == .phone || !rules.has(.simulatorDifference) }

  /// The side button takes the app to the background almost at once: it resigns active, the system pauses what is on
  /// screen, and only then the app hears of the background (P6). It may skip the first of these (P7).
  func pressSideButton(skipsInactive: Bool) async {
    guard !isLocked else { return }
    isLocked = true
    isControlCenterOpen = false
    updateSound()
    guard phase == .active || phase == .inactive else { return }
    if phase == .active, !(skipsInactive && rules.has(.skippedInactive)) { await resignActive() }
    let isEarly = reproducesLock && rules.has(.sideButtonOrder)
    // Whatever the policy, a player on a visible layer is paused (P5).
    if isEarly, showsVideo || hasVideo && backgroundPolicy == .pauses { await pauseForBackground() }
    await enterBackground()
    if !isEarly, pausesOnAppSwitch { await pauseForBackground() }
    await suspendIfIdle()
  }

  func unlock() async {
    guard isLocked else { return }
    isLocked = false
    if isInFront { await comeForward() }
  }

  func switchApp() async {
    guard !isLocked, isInFront else { return }
    isInFront = false
    isControlCenterOpen = false
    guard phase == .active || phase == .inactive else { return }
    if phase == .active { await resignActive() }
    await enterBackground()
    if pausesOnAppSwitch { await pauseForBackground() }
    await suspendIfIdle()
  }

  func returnToApp() async {
    guard phase != .ended else { return }
    isInFront = true
    if !isLocked { await comeForward() }
  }

  func openControlCenter() async {
    guard phase == .active else { return }
    isControlCenterOpen = true
    await resignActive()
  }

  func closeControlCenter() async {
    guard isControlCenterOpen else { return }
    isControlCenterOpen = false
    await becomeActive()
  }

  func terminate() async {
    phase = .ended
    layers = []
    await stopSound()
  }

  // MARK: Steps

  private func resignActive() async {
    phase = .inactive
    await post(NotificationBridge.PlatformName.willResignActive)
    disableVideoTracks()
    if scenario.app.activatesSession == .deactivatesOnResign { session.deactivate() }
  }

  private func enterBackground() async {
    phase = .background
    await post(NotificationBridge.PlatformName.didEnterBackground)
    disableVideoTracks()
  }

  private func comeForward() async {
    switch phase {
    case .suspended:
      phase = .background
      let key = NotificationBridge.PlatformKey.self
      await post(
        NotificationBridge.PlatformName.interruption,
        [key.interruptionType: UInt(1), key.wasSuspended: true])
    case .background: break
    case .active, .inactive, .ended: return
    }
    phase = .inactive
    await post(NotificationBridge.PlatformName.willEnterForeground)
    await becomeActive()
  }

  private func becomeActive() async {
    phase = .active
    hasVideoTracks = true
    await post(NotificationBridge.PlatformName.didBecomeActive)
  }

  /// The other way out of P4, the app's own: tracks of a stream are not the app's to disable.
  private func disableVideoTracks() {
    guard scenario.app.disablesVideoTracks, currentItem?.source == .file else { return }
    hasVideoTracks = false
  }

  // MARK: What the system does to a player in the background

  private var currentItem: ScenarioItem? {
    guard let location = player.position.run?.entry.location else { return nil }
    return scenario.queue.indices.first { ScenarioItem.location($0) == location }.map { scenario.queue[$0] }
  }

  /// The current item has a picture.
  private var hasVideo: Bool { currentItem?.kind == .video && hasVideoTracks }
  /// The picture is on the phone's screen (P4).
  private var showsVideo: Bool { hasVideo && layers.contains(where: \.isAttached) }

  /// Without the rule the system sees fit, as without a policy.
  private var backgroundPolicy: PolicyConfiguration.BackgroundPolicy {
    rules.has(.backgroundPolicy) ? scenario.app.backgroundPolicy : .automatic
  }

  /// Whether an app switch pauses (P5).
  private var pausesOnAppSwitch: Bool {
    switch backgroundPolicy {
    case .automatic: showsVideo
    case .pauses: hasVideo
    case .continuesIfPossible: false
    }
  }

  private func pauseForBackground() async {
    guard rules.has(.videoPause), player.rate > 0 else { return }
    recorder.record(.platform, "the system pauses the player: its video is on screen")
    player.pauseBySystem(reason: .appBackgrounded)
    await settle()
  }

  /// Without the capability nothing runs in the background (P1), and an app whose session is inactive plays nothing to the
  /// system (P3).
  func suspendIfIdle() async {
    guard phase == .background, interruption == nil else { return }
    let mayRun = !rules.has(.capability) || scenario.app.backgroundModes.contains("audio")
    let plays = !rules.has(.sessionActivation) || session.isActive
    guard !mayRun || !plays else { return }
    recorder.record(.platform, "the system suspends the app")
    phase = .suspended
    await stopSound()
  }

  /// The app does not hear of it: its code does not run.
  private func stopSound() async {
    player.pauseBySystem(reason: .appSuspended)
    _ = await player.takeReports()
  }

  /// Ambient and solo ambient are silenced by the lock and by the Ring/Silent switch (P2); in the background only an active
  /// session is heard (P3).
  func updateSound() {
    let isAmbient = rules.has(.category) && scenario.app.category != .playback
    let isUnheard = rules.has(.sessionActivation) && phase == .background && !session.isActive
    player.setSilenced(isAmbient && (isLocked || isRingSilent) || isUnheard)
  }
}
