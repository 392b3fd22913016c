import AfterlockCore
import Foundation

/// A phone with one app on it, which is paused, silenced and suspended as on a real one (P1–P13).
///
/// It knows nothing of the app's decisions: it posts notifications and calls closures, as the platform's frameworks do, and
/// looks at player, session, video and layers. Each rule stands in one place, which names it.
package final class SimulatedPhone: SimulatedPlatform {
  let scenario: Scenario
  let rules: RuleSet
  let recorder: TimelineRecorder
  let player: any PlatformPlayer
  let services = PhoneServices()
  let center = NotificationCenter()
  let threads = PlatformThreads()
  let app: ScenarioApp
  let faults: PhoneFaults

  /// Where the app is.
  var phase = SceneState.App.active
  /// Whether the app is what the viewer sees when the screen is on.
  var isInFront = true
  /// The screen is locked and dark.
  var isLocked = false
  /// It covers the app, which is inactive meanwhile.
  var isControlCenterOpen = false
  /// The Ring/Silent switch (P2).
  var isRingSilent = false
  /// A headset is plugged in (P12).
  var hasHeadset = true
  /// The media service was killed and does not run yet (P13).
  var isServiceDead = false
  /// What the app could not be told while it was suspended, in order.
  var missedNotices: [MissedNotice] = []
  /// Who else has the sound (P11).
  var interruption: ScenarioAction.InterruptionKind?
  /// Whether the app knows of it: a suspended one is not told that it began.
  var isInterruptionTold = false
  /// A forced pause that the app has not seen yet (P11).
  var unseenPause: [PlatformReport] = []
  var layers: [ScreenLayer] = []
  /// The picture that was asked for last (P9).
  var askedArtwork: NowPlayingArtwork?
  /// What ended the app, or kept it from being built.
  package var fault: ScenarioFault?

  /// A phone in the viewer's hand, unlocked, with the app in front and a headset plugged in.
  /// - Parameters:
  ///   - player: what plays on it.
  ///   - faults: makes the real crash and asks the real compiler.
  package init(
    _ scenario: Scenario, rules: RuleSet, recorder: TimelineRecorder, player: any PlatformPlayer,
    faults: PhoneFaults = PhoneFaults()
  ) {
    self.scenario = scenario
    self.rules = rules
    self.recorder = recorder
    self.player = player
    self.faults = faults
    let services = services
    app = ScenarioApp(
      scenario, rules: rules, player: player, on: CoordinatorExecutor(threads.main), center: center,
      activateSession: { services.session.activate() }, phone: services, now: { recorder.now },
      log: { recorder.record($0) })
  }

  /// A device's build is refused where a notification is sent across to the main actor; the simulator's is not (P10).
  package func build() async -> ScenarioFault? {
    let isForDevice = scenario.platform == .phone || !rules.has(.simulatorBuild)
    guard isForDevice, scenario.app.reasonCrossesAs == .notification else { return nil }
    return await faults.refusal(of: .reasonAsNotification)
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
      await askForArtwork()
      recorder.sample(await scene())
    }
  }

  package func perform(_ action: ScenarioAction) async {
    if await !performShared(action) { await performOwn(action) }
    await settle()
    if isRunning { await app.catchUp() }
    await askForArtwork()
  }

  private func performOwn(_ action: ScenarioAction) async {
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
    case .killServer: await killService()
    case .startServer: await startService()
    case .terminate: await terminate()
    default: recorder.record(.platform, "a phone has none of that")
    }
  }

  package func scene() async -> SceneState {
    var scene = await sharedScene()
    scene.app = phase
    return scene
  }

  /// Nothing comes of an action, and the timeline says why.
  func ignore(_ why: String) { recorder.record(.platform, "nothing happens: \(why)") }
}
