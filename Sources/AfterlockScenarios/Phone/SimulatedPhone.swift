import AfterlockCore
import Foundation

/// A phone with one app on it, which is paused, silenced and suspended as on a real one (P1–P13).
///
/// It knows nothing of the app's decisions: it posts notifications and calls closures, as the platform's frameworks do, and
/// looks at player, session and layers. Each rule stands in one place, which names it.
package final class SimulatedPhone: SimulatedPlatform {
  let scenario: Scenario
  let rules: RuleSet
  let recorder: TimelineRecorder
  let player: any PlatformPlayer
  let session = PhoneSession()
  let center = NotificationCenter()
  let threads = PlatformThreads()
  let app: ScenarioApp

  /// Where the app is.
  var phase = SceneState.App.active
  /// Whether the app is what the viewer sees when the screen is on.
  var isInFront = true
  var isLocked = false
  var isControlCenterOpen = false
  var isRingSilent = false
  var hasHeadset = true
  var interruption: ScenarioAction.InterruptionKind?
  /// A forced pause that the app has not seen yet (P11).
  var unseenPause: [PlatformReport] = []
  var layers: [ScreenLayer] = []
  /// Whether the current item's video tracks are enabled (P4).
  var hasVideoTracks = true

  /// A phone in the viewer's hand, unlocked, with the app in front.
  /// - Parameter player: what plays on it.
  package init(_ scenario: Scenario, rules: RuleSet, recorder: TimelineRecorder, player: any PlatformPlayer) {
    self.scenario = scenario
    self.rules = rules
    self.recorder = recorder
    let session = session
    self.player = player
    app = ScenarioApp(
      scenario, rules: rules, player: player, on: CoordinatorExecutor(threads.main), center: center,
      activateSession: { session.activate() }, now: { recorder.now }, log: { recorder.record($0) })
  }

  package func begin() async {
    if scenario.queue.contains(where: { $0.kind == .video }) { await addLayer() }
    await app.begin()
    await settle()
  }

  package func advance(to time: Duration) async {
    while recorder.now < time {
      recorder.now = await player.advance(to: time)
      await settle()
      recorder.sample(await scene())
    }
  }

  package func perform(_ action: ScenarioAction) async {
    if await performShared(action) { return await settle() }
    switch action {
    case .sideButton(let skipsInactive): await pressSideButton(skipsInactive: skipsInactive)
    case .unlock: await unlock()
    case .switchApp: await switchApp()
    case .returnToApp: await returnToApp()
    case .openControlCenter: await openControlCenter()
    case .closeControlCenter: await closeControlCenter()
    case .ringSwitchSilent: isRingSilent = true
    case .ringSwitchRing: isRingSilent = false
    case .beginInterruption(let kind, let seen): await beginInterruption(kind, pauseSeen: seen)
    case .endInterruption(let shouldResume): await endInterruption(shouldResume: shouldResume)
    case .unplugRoute: await unplugRoute()
    case .plugRoute: await plugRoute()
    case .terminate: await terminate()
    default:
      recorder.record(.platform, "a phone has none of that")
    }
    await settle()
  }

  package func scene() async -> SceneState {
    var scene = await sharedScene()
    scene.app = phase
    return scene
  }

  // MARK: The app's process

  /// Whether the app's code runs: a suspended one hears nothing (P1).
  var isRunning: Bool { phase != .suspended && phase != .ended }

  /// Lock screen and headset reach every app that runs.
  var hearsRemotes: Bool { true }

  /// On whatever thread, and with the reason as a string (P8).
  func post(rate: Double, _ reason: RateChangeReason, runID: UInt64?) {
    let (center, hasReason) = (center, rules.has(.rateReason))
    threads.onSecondary {
      var userInfo: [AnyHashable: Any] = [NotificationBridge.rateKey: rate]
      if let runID { userInfo[NotificationBridge.runKey] = runID }
      if hasReason { userInfo[NotificationBridge.platformReasonKey] = reason.platformString }
      center.post(name: NotificationBridge.platformRateDidChange, object: nil, userInfo: userInfo)
    }
  }

  /// Posts on the main thread and waits until the app has dealt with it.
  func post(_ name: Notification.Name, _ userInfo: [String: any Sendable] = [:]) async {
    guard isRunning else { return }
    recorder.record(.notice, name.rawValue)
    let center = center
    threads.onMain { center.post(name: name, object: nil, userInfo: userInfo) }
    await app.catchUp()
    await settle()
  }
}

extension RateChangeReason {
  /// As AVFoundation writes it (P8). To the platform all that an app asks for is one thing.
  var platformString: String {
    let known: Set<RateChangeReason> = [.setRateFailed, .audioSessionInterrupted, .appBackgrounded]
    let name = (known.contains(self) ? self : .setRateCalled).rawValue
    return NotificationBridge.platformReasonPrefix + name.prefix(1).uppercased() + name.dropFirst()
  }
}
