import AfterlockCore

/// What simulated phones and desktops have in common: one app, a viewer and remote controls that command it, a screen that
/// shows it, and a player that has something to tell it.
protocol SimulatedPlatform: ScenarioWorld {
  var rules: RuleSet { get }
  var recorder: TimelineRecorder { get }
  var player: any PlatformPlayer { get }
  var threads: PlatformThreads { get }
  var app: ScenarioApp { get }
  /// The screen's own hold on its layers, the last one last.
  var layers: [ScreenLayer] { get set }
  /// Whether the app's code runs; one that does not hears nothing.
  var isRunning: Bool { get }
  /// Whether the viewer can use the app's own controls.
  var isInReach: Bool { get }
  /// Whether a remote control finds the way to the app.
  var hearsRemotes: Bool { get }

  /// Posts a rate change as this platform does.
  func post(rate: Double, _ reason: RateChangeReason, runID: UInt64?)
  /// Brings what the platform does to the sound up to date with how things are.
  func updateSound()
}

extension SimulatedPlatform {
  var isInReach: Bool { true }

  /// Does what is the same everywhere.
  /// - Returns: whether it was such an action.
  func performShared(_ action: ScenarioAction) async -> Bool {
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
    // A player moves with its app.
    case .failItem, .endItem:
      guard isRunning else {
        recorder.record(.platform, "nothing happens: the app does not run")
        break
      }
      if action == .failItem { player.failItem() } else { player.endItem() }
    default: return false
    }
    return true
  }

  /// Delivers what the player has to tell until there is nothing more, and brings the sound up to date.
  func settle() async {
    updateSound()
    while isRunning {
      let reports = await player.takeReports()
      if reports.isEmpty { break }
      for report in reports { await deliver(report) }
    }
    updateSound()
  }

  /// A rate change is a notification, on whatever thread (P8); the end of an item comes on any thread too (P12).
  func deliver(_ report: PlatformReport) async {
    switch report {
    case .rate(let rate, let reason, let runID): post(rate: rate, reason, runID: runID)
    case .fact(let fact):
      let app = app
      threads.onSecondary { app.coordinator.report(fact) }
    }
    await app.catchUp()
  }

  func addLayer() async {
    guard isRunning else { return recorder.record(.platform, "not shown: the app does not run") }
    let layer = ScreenLayer()
    layers.append(layer)
    await app.coordinator.add(layer)
  }

  func viewer(_ command: PlayerCommand) async {
    guard isRunning else { return recorder.record(.platform, "not heard: the app does not run") }
    guard isInReach else {
      return recorder.record(.platform, "out of the viewer's reach: the app is not in front")
    }
    await app.use(command)
  }

  /// Lock screen, headset and other programs call the app's handlers on a thread of the media framework (P9).
  func remote(
    _ command: PlayerCommand,
    from origin: CommandOrigin = .remote(busName: nil, processID: nil, program: nil)
  ) async {
    guard isRunning else { return recorder.record(.platform, "not heard: the app does not run") }
    guard hearsRemotes else { return recorder.record(.platform, "not heard: there is no way to the app") }
    guard let command = await app.offered(command) else {
      return recorder.record(.platform, "the app has no such remote command")
    }
    let callbacks = app.callbacks
    let call: @Sendable () -> Void = { callbacks.receive(command, from: origin) }
    if rules.has(.foreignThreads) { threads.onMedia(call) } else { threads.onMain(call) }
    await callbacks.catchUp()
    await app.catchUp()
  }

  /// What app, player and layers say of how things are; where the app is, and whether it is heard, is the platform's to say.
  func sharedScene() async -> SceneState {
    let snapshot = await app.coordinator.snapshot
    var scene = SceneState()
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
    app.show(snapshot, in: &scene)
    return scene
  }
}
