import AfterlockCore
import Foundation

/// Lock, app switch and control centre: where the app is.
extension SimulatedPhone {
  /// The simulator's lock is an app switch to the app (P10).
  var reproducesLock: Bool { scenario.platform == .phone || !rules.has(.simulatorLock) }

  /// The side button takes the app to the background almost at once: it resigns active, the system pauses what is on
  /// screen, and only then the app hears of the background (P6). It may skip the first of these (P7).
  func pressSideButton(skipsInactive: Bool) async {
    guard !isLocked else { return ignore("the phone is locked already") }
    isLocked = true
    isControlCenterOpen = false
    updateSound()
    guard phase == .active || phase == .inactive else { return }
    let skips = skipsInactive && reproducesLock && rules.has(.skippedInactive)
    if phase == .active, !skips { await resignActive() }
    let pausesFirst = reproducesLock && rules.has(.sideButtonOrder)
    if pausesFirst { await pauseForBackground(byLock: true) }
    await enterBackground()
    if !pausesFirst { await pauseForBackground(byLock: true) }
    await suspendIfIdle()
  }

  /// What was in front comes forward again.
  func unlock() async {
    guard isLocked else { return ignore("the phone is not locked") }
    isLocked = false
    if isInFront { await comeForward() }
  }

  /// By the book: the app has the time to hear of the background before the system pauses (P6).
  func switchApp() async {
    guard !isLocked, isInFront else { return ignore("the app is not on screen") }
    isInFront = false
    isControlCenterOpen = false
    guard phase == .active || phase == .inactive else { return }
    if phase == .active { await resignActive() }
    await enterBackground()
    await pauseForBackground(byLock: false)
    await suspendIfIdle()
  }

  /// Behind a lock the app comes forward with the unlock.
  func returnToApp() async {
    guard phase != .ended else { return ignore("the app does not run") }
    isInFront = true
    if !isLocked { await comeForward() }
  }

  /// The app stays on screen beneath it, and resigns active.
  func openControlCenter() async {
    guard phase == .active else { return ignore("the app is not in front") }
    isControlCenterOpen = true
    await resignActive()
  }

  /// The app is in front again.
  func closeControlCenter() async {
    guard isControlCenterOpen else { return ignore("control centre is not open") }
    isControlCenterOpen = false
    if phase == .inactive { await becomeActive() }
  }

  // MARK: Steps

  private func resignActive() async {
    phase = .inactive
    await post(NotificationBridge.PlatformName.willResignActive)
  }

  private func enterBackground() async {
    phase = .background
    await post(NotificationBridge.PlatformName.didEnterBackground)
  }

  private func comeForward() async {
    switch phase {
    case .suspended: await resumeProcess()
    case .background: break
    case .active, .inactive, .ended: return
    }
    phase = .inactive
    await post(NotificationBridge.PlatformName.willEnterForeground)
    await becomeActive()
  }

  private func becomeActive() async {
    phase = .active
    await post(NotificationBridge.PlatformName.didBecomeActive)
  }

  /// A suspended app runs again and is told what it has missed: that it was suspended, as an interruption (P1), and what
  /// became of its interruption (P11), its route (P12) and the media service (P13).
  private func resumeProcess() async {
    phase = .background
    if rules.has(.suspensionNotice) {
      let key = NotificationBridge.PlatformKey.self
      await post(
        NotificationBridge.PlatformName.interruption,
        [key.interruptionType: UInt(1), key.wasSuspended: true])
    }
    let missed = missedNotices
    missedNotices = []
    for notice in missed { await tell(notice) }
  }
}
