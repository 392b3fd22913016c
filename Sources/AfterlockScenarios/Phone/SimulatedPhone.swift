import AfterlockCore
import Foundation

/// A phone with one app on it, which is paused, silenced and suspended as on a real one (P1–P13).
///
/// It knows nothing of the app's decisions: it posts notifications and calls closures, as the platform's frameworks do, and
/// looks at player, session and layers. Each rule stands in one place, which names it.
package final class SimulatedPhone: ScenarioWorld {
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
  /// The screen's own hold on its layers, the last one last.
  var layers: [PhoneLayer] = []
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
      scenario, player: player, on: CoordinatorExecutor(threads.main), center: center,
      activateSession: { session.activate() }, now: { recorder.now }, log: { recorder.record($0) })
  }

  package func begin() async {
    if scenario.queue.contains(where: { $0.kind == .video }) { await addLayer() }
    await app.open(scenario.queue)
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
    switch action {
    case .play: await viewer(.play)
    case .pause: await viewer(.pause)
    case .toggle: await viewer(.togglePlayPause)
    case .stop: await viewer(.stop)
    case .next: await viewer(.next)
    case .previous: await viewer(.previous)
    case .seek(let position): await viewer(.seek(to: position, in: nil))
    case .volume(let percent): await viewer(.setVolume(Volume(percent: percent)))
    case .addLayer: await addLayer()
    case .dropLayer: if !layers.isEmpty { layers.removeLast() }
    case .remotePlay: await remote(.play)
    case .remotePause: await remote(.pause)
    case .remoteToggle: await remote(.togglePlayPause)
    case .remoteNext: await remote(.next)
    case .remotePrevious: await remote(.previous)
    case .remoteSeek(let position): await remote(.seek(to: position, in: nil))
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
    case .failItem: player.failItem()
    case .endItem: player.endItem()
    case .killServer, .startServer, .lock, .sleep, .wake, .removeSink, .addSink, .setDefaultSink, .cork,
      .uncork, .duck, .unduck, .killBus, .startBus:
      recorder.record(.platform, "a phone has none of that")
    }
    await settle()
  }

  package func scene() async -> SceneState {
    let snapshot = await app.coordinator.snapshot
    var scene = SceneState()
    scene.app = phase
    scene.layers = layers.isEmpty ? .none : layers.contains(where: \.isAttached) ? .attached : .detached
    scene.wantsToPlay = snapshot.intent.wantsToPlay
    scene.rate = player.rate
    scene.position = player.position.time
    scene.item = app.item(of: snapshot)
    scene.playback = snapshot.state
    scene.suppression = snapshot.suppression.causes
    scene.isAudible = isRunning && player.isSounding
    scene.volume = snapshot.volume.percent
    let change = recorder.lastRateChange
    scene.reason = change?.reason
    scene.origin = change?.origin
    return scene
  }

  // MARK: The app's process

  /// Whether the app's code runs: a suspended one hears nothing (P1).
  var isRunning: Bool { phase != .suspended && phase != .ended }

  /// Delivers what the player has to tell until there is nothing more, and brings the silence up to date.
  func settle() async {
    updateSilence()
    while isRunning {
      let reports = await player.takeReports()
      if reports.isEmpty { break }
      for report in reports { await deliver(report) }
    }
    updateSilence()
  }

  /// A rate change is a notification, on whatever thread (P8); the end of an item comes on any thread too (P12).
  func deliver(_ report: PlatformReport) async {
    let (center, app, hasReason) = (center, app, rules.has(.rateReason))
    switch report {
    case .rate(let rate, let reason, let runID):
      threads.onSecondary {
        var userInfo: [AnyHashable: Any] = [NotificationBridge.rateKey: rate]
        if let runID { userInfo[NotificationBridge.runKey] = runID }
        if hasReason { userInfo[NotificationBridge.platformReasonKey] = reason.platformString }
        center.post(name: NotificationBridge.platformRateDidChange, object: nil, userInfo: userInfo)
      }
    case .fact(let fact): threads.onSecondary { app.coordinator.report(fact) }
    }
    await app.catchUp()
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

  private func viewer(_ command: PlayerCommand) async {
    guard isRunning else { return recorder.record(.platform, "not heard: the app does not run") }
    await app.coordinator.handle(command, origin: .viewer)
  }

  /// Lock screen and headset call the app's handlers on a thread of the media framework (P9).
  private func remote(_ command: PlayerCommand) async {
    guard isRunning else { return recorder.record(.platform, "not heard: the app does not run") }
    let callbacks = app.callbacks
    let call: @Sendable () -> Void = {
      callbacks.receive(command, from: .remote(busName: nil, processID: nil, program: nil))
    }
    if rules.has(.foreignThreads) { threads.onMedia(call) } else { threads.onMain(call) }
    await app.catchUp()
  }

  private func addLayer() async {
    let layer = PhoneLayer()
    layers.append(layer)
    await app.coordinator.add(layer)
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
