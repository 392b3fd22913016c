import AfterlockCore
import Foundation

/// Interruptions, routes and the media service: who else has to do with the sound.
extension SimulatedPhone {
  private typealias Name = NotificationBridge.PlatformName
  private typealias Key = NotificationBridge.PlatformKey

  /// A call or an alarm pauses the player and deactivates the session (P11, P13); the pause may be seen before the notice
  /// or after it. An ambient session mixes with other apps' sound, and is not interrupted by it (P2).
  func beginInterruption(
    _ kind: ScenarioAction.InterruptionKind, pauseSeen: ScenarioAction.ForcedPauseMoment
  ) async {
    guard interruption == nil else { return ignore("somebody else has the sound already") }
    if kind == .otherAudio, services.session.category == .ambient, rules.has(.mixing) {
      return recorder.record(.platform, "the session mixes with it")
    }
    interruption = kind
    isInterruptionTold = isRunning
    guard rules.has(.interruption) else { return }
    if rules.has(.refusedStart) {
      services.session.isTaken = true
      player.setRefusesStart(true)
    }
    if rules.has(.interruptionDeactivates) { services.session.deactivate() }
    guard isRunning else { return }
    if player.rate > 0 { recorder.record(.platform, "the system pauses the player: \(kind.rawValue)") }
    player.pauseBySystem(reason: .audioSessionInterrupted)
    let seen = rules.has(.forcedPauseOrder) ? pauseSeen : .before
    if seen == .before { await settle() } else { unseenPause = await player.takeReports() }
    await post(Name.interruption, [Key.interruptionType: UInt(1)])
    if seen == .after { await showForcedPause() }
  }

  /// The notice says whether to go on, or nothing (P11).
  func endInterruption(shouldResume: Bool?) async {
    guard interruption != nil else { return ignore("there is no interruption") }
    interruption = nil
    services.session.isTaken = false
    player.setRefusesStart(false)
    guard rules.has(.interruption) else { return }
    if isRunning || isInterruptionTold { await tellOrKeep(.interruptionEnded(option(shouldResume))) }
    await showForcedPause()
    await suspendIfIdle()
  }

  /// Without the rules every end says that the app should go on, and one that says nothing forbids it (P11).
  private func option(_ shouldResume: Bool?) -> Bool? {
    guard let shouldResume else { return rules.has(.missingOptions) ? nil : false }
    return shouldResume || !rules.has(.interruptionOptions)
  }

  private func showForcedPause() async {
    let reports = unseenPause
    unseenPause = []
    for report in reports { await deliver(report) }
    await settle()
  }

  /// An unplugged headset pauses, and the notice comes on a secondary thread (P12).
  func unplugRoute() async {
    guard hasHeadset else { return ignore("there is no headset") }
    hasHeadset = false
    guard rules.has(.unplug) else { return }
    if player.rate > 0 { recorder.record(.platform, "the system pauses the player: its route is gone") }
    player.pauseBySystem(reason: .setRateCalled)
    await settle()
    await tellOrKeep(.routeChanged(reason: 2))
  }

  /// A new device starts nothing (P12).
  func plugRoute() async {
    guard !hasHeadset else { return ignore("there is a headset already") }
    hasHeadset = true
    // Without the rule a device that comes is told of as one that goes.
    await tellOrKeep(.routeChanged(reason: rules.has(.plug) ? 1 : 2))
  }

  private func postRouteChange(reason: UInt) async {
    let (center, name) = (center, Name.routeChange)
    recorder.record(.notice, "\(name.rawValue), on a secondary thread")
    threads.onSecondary {
      center.post(name: name, object: nil, userInfo: [Key.routeChangeReason: reason])
    }
    await app.catchUp()
    await settle()
  }

  /// The media service is killed, and the player with it; the session is inactive from then on (P13).
  func killService() async {
    guard !isServiceDead else { return ignore("the media service does not run") }
    isServiceDead = true
    if rules.has(.serviceDeactivates) { services.session.deactivate() }
    guard rules.has(.serviceDeath) else { return }
    recorder.record(.platform, "the media service is killed, and the player with it")
    player.die()
    await tellOrKeep(.service(Name.servicesLost))
  }

  /// The media service runs again: the app makes a new player, and activates its session when it plays (P13).
  func startService() async {
    guard isServiceDead else { return ignore("the media service runs") }
    isServiceDead = false
    await tellOrKeep(.service(Name.servicesReset))
    await suspendIfIdle()
  }

  // MARK: Notices that are not lost

  /// A suspended app is told when it runs again.
  private func tellOrKeep(_ notice: MissedNotice) async {
    switch phase {
    case .suspended: missedNotices.append(notice)
    case .ended: break
    case .active, .inactive, .background: await tell(notice)
    }
  }

  /// Posts a notice on the thread that is its own.
  func tell(_ notice: MissedNotice) async {
    switch notice {
    case .interruptionEnded(let shouldResume):
      var userInfo: [String: any Sendable] = [Key.interruptionType: UInt(0)]
      if let shouldResume { userInfo[Key.interruptionOption] = UInt(shouldResume ? 1 : 0) }
      await post(Name.interruption, userInfo)
    case .routeChanged(let reason): await postRouteChange(reason: reason)
    case .service(let name): await post(name)
    }
  }

  /// What an app is told late rather than never.
  enum MissedNotice {
    /// An interruption that it knew of is over; `nil` where that comes without its options (P11).
    case interruptionEnded(Bool?)
    /// A device came or went, by the platform's number (P12).
    case routeChanged(reason: UInt)
    /// The media service was lost or reset (P13).
    case service(Notification.Name)
  }
}
