import AfterlockCore
import Foundation

/// A Linux desktop with one app on it: a screen that locks, a machine that sleeps, a sound server with sinks, and a session
/// bus, as they are on a real one (L1–L9).
///
/// What the app makes of it is the product's own code: coordinator, callbacks, ``ScreenLock`` and ``SleepPlan``. Each rule
/// stands in one place, which names it.
final class SimulatedDesktop: SimulatedPlatform {
  let scenario: Scenario
  let rules: RuleSet
  let recorder: TimelineRecorder
  let output: DesktopPlayer
  let center = NotificationCenter()
  let threads = PlatformThreads()
  let app: ScenarioApp
  var layers: [ScreenLayer] = []
  var agenda = DesktopAgenda()
  var idle = IdleMachine()

  /// The app's own view of the screen's lock (L1).
  var screenLock = ScreenLock()
  /// Those that say that the screen is locked, as they would when asked.
  var lockedBy: Set<ScreenLock.Source> = []
  /// What the app holds against sleep, and what it does at one (L2, L3).
  var sleepPlan = SleepPlan()
  var isAsleep = false
  var hasBus = true
  /// Whether the app has its name on the bus.
  var hasName = true
  /// A role policy has taken the app off its sink (L8).
  var isCorked = false
  /// A role policy plays the app at a lower level (L8).
  var isDucked = false
  /// The session manager has not linked the app to another sink yet (L4).
  var isRelinking = false
  /// The app has been told that it has no link.
  var hasToldLinkLoss = false

  init(_ scenario: Scenario, rules: RuleSet, recorder: TimelineRecorder) {
    self.scenario = scenario
    self.rules = rules
    self.recorder = recorder
    let output = DesktopPlayer(
      VirtualPlayer(items: scenario.queue),
      output: DesktopOutput(
        sinks: DesktopSinks(for: scenario.timeline),
        policy: scenario.app.policyConfiguration.onRouteLoss, rules: rules))
    self.output = output
    app = ScenarioApp(
      scenario, rules: rules, player: output, on: CoordinatorExecutor(threads.main), center: center,
      activateSession: {}, now: { recorder.now }, log: { recorder.record($0) })
  }

  var player: any PlatformPlayer { output }
  /// Nothing suspends an app.
  var isRunning: Bool { true }
  /// Remote controls come over the session bus (L9).
  var hearsRemotes: Bool { hasName }

  /// As the engine posts it, with its own reasons.
  func post(rate: Double, _ reason: RateChangeReason, runID: UInt64?) {
    let bridge = NotificationBridge(center: center)
    threads.onSecondary { bridge.post(rate: rate, reason: reason, runID: runID) }
  }

  func begin() async {
    output.change { $0.connect() }
    if scenario.queue.contains(where: { $0.kind == .video }) { await addLayer() }
    await app.begin()
    idle.touch(at: .zero)
    await followUp()
  }

  func advance(to time: Duration) async {
    while recorder.now < time {
      let due = [agenda.next, idle.next].compactMap(\.self).min() ?? time
      recorder.now = await player.advance(to: min(due, time))
      await settle()
      for event in agenda.takeDue(at: recorder.now) { await carryOut(event) }
      for event in idle.takeDue(at: recorder.now) { await carryOut(event) }
      await followUp()
      recorder.sample(await scene())
    }
  }

  func perform(_ action: ScenarioAction) async {
    if action.isInput, !isAsleep { idle.touch(at: recorder.now) }
    if await !performShared(action) {
      switch action {
      case .lock(let sources): await tell(sources, isLocked: true)
      case .unlock(let sources): await tell(sources, isLocked: false)
      case .sleep: await sleep()
      case .wake(let isTold): await wake(isTold: isTold)
      case .removeSink(let kind, let pauses): await removeSink(kind, sessionManagerPauses: pauses)
      case .addSink(let kind): output.change { $0.add(kind) }
      case .setDefaultSink(let kind): output.change { $0.choose(kind) }
      case .killServer: killServer()
      case .startServer: startServer()
      case .cork: setCorked(true)
      case .uncork: setCorked(false)
      case .duck: setDucked(true)
      case .unduck: setDucked(false)
      case .killBus: await killBus()
      case .startBus: await startBus()
      default: recorder.record(.platform, "a desktop has none of that")
      }
    }
    await followUp()
  }

  func scene() async -> SceneState { await sharedScene() }

  private func carryOut(_ event: DesktopAgenda.Event) async {
    switch event {
    case .lockRequestExpires(let request): await take(.requestExpired(request))
    case .sleepIsOverdue(let sleep): await take(.overdue(sleep))
    case .relink: isRelinking = false
    case .awaitedSinkIsMissed:
      recorder.record(.platform, "the sink that was played to has not come back with the server")
      output.change { $0.stopAwaiting() }
    }
  }

  /// Brings everything up to date that follows from what has happened: the sound, the link, and what is held against sleep
  /// and screen saver.
  func followUp() async {
    await settle()
    tellOfLink()
    await settle()
    await followPlayer()
  }
}

extension ScenarioAction {
  /// Whether somebody touches the machine for it (L3). A remote control does not.
  var isInput: Bool {
    switch self {
    case .play, .pause, .toggle, .stop, .next, .previous, .seek, .volume, .addLayer, .dropLayer, .lock,
      .unlock, .setDefaultSink:
      true
    default: false
    }
  }
}
