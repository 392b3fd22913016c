import AfterlockCore
import Foundation

/// Interruptions and routes: who else has to do with the sound.
extension SimulatedPhone {
  /// A call or an alarm pauses the player and deactivates the session (P11, P13); the pause may be seen before the notice
  /// or after it. An ambient session mixes with other apps' sound, and is not interrupted by it (P2).
  func beginInterruption(
    _ kind: ScenarioAction.InterruptionKind, pauseSeen: ScenarioAction.ForcedPauseMoment
  ) async {
    guard interruption == nil, isRunning else { return }
    if kind == .otherAudio, scenario.app.category == .ambient, rules.has(.category) {
      return recorder.record(.platform, "the session mixes with it")
    }
    interruption = kind
    guard rules.has(.interruption) else { return }
    session.isTaken = true
    player.setRefusesStart(true)
    if rules.has(.deactivation) { session.deactivate() }
    recorder.record(.platform, "the system pauses the player: \(kind.rawValue)")
    player.pauseBySystem(reason: .audioSessionInterrupted)
    if pauseSeen == .before { await settle() } else { unseenPause = await player.takeReports() }
    await post(
      NotificationBridge.PlatformName.interruption, [NotificationBridge.PlatformKey.interruptionType: UInt(1)]
    )
    if pauseSeen == .after { await showForcedPause() }
  }

  /// The notice says whether to go on, or nothing (P11).
  func endInterruption(shouldResume: Bool?) async {
    guard interruption != nil else { return }
    interruption = nil
    session.isTaken = false
    player.setRefusesStart(false)
    if rules.has(.interruption) {
      var userInfo: [String: any Sendable] = [NotificationBridge.PlatformKey.interruptionType: UInt(0)]
      if let shouldResume {
        userInfo[NotificationBridge.PlatformKey.interruptionOption] = UInt(shouldResume ? 1 : 0)
      }
      await post(NotificationBridge.PlatformName.interruption, userInfo)
      await showForcedPause()
    }
    await suspendIfIdle()
  }

  private func showForcedPause() async {
    let reports = unseenPause
    unseenPause = []
    for report in reports { await deliver(report) }
    await settle()
  }

  /// An unplugged headset pauses, and the notice comes on a secondary thread (P12).
  func unplugRoute() async {
    guard hasHeadset else { return }
    hasHeadset = false
    guard rules.has(.route) else { return }
    recorder.record(.platform, "the system pauses the player: its route is gone")
    player.pauseBySystem(reason: .setRateCalled)
    await settle()
    await postRouteChange(2)
  }

  /// A new device starts nothing (P12).
  func plugRoute() async {
    guard !hasHeadset else { return }
    hasHeadset = true
    guard rules.has(.route) else { return }
    await postRouteChange(1)
  }

  private func postRouteChange(_ reason: UInt) async {
    guard isRunning else { return }
    let (center, name) = (center, NotificationBridge.PlatformName.routeChange)
    recorder.record(.notice, "\(name.rawValue), on a secondary thread")
    threads.onSecondary {
      center.post(
        name: name, object: nil, userInfo: [NotificationBridge.PlatformKey.routeChangeReason: reason])
    }
    await app.catchUp()
    await settle()
  }
}
