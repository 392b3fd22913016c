import Afterlock
import AfterlockCore
import AfterlockDesktop
import AfterlockScenarios

/// What happens on the desktop, done by real programs.
extension LiveDesktop {
  func perform(_ action: ScenarioAction) async {
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
    case .dropLayer: dropLayer()
    case .remotePlay: await remote(.play)
    case .remotePause: await remote(.pause)
    case .remoteToggle: await remote(.playPause)
    case .remoteNext: await remote(.next)
    case .remotePrevious: await remote(.previous)
    case .remoteSeek(let position): await remote(.seek(to: position))
    case .lock(let sources): await setLocked(true, by: sources)
    case .unlock(let sources): await setLocked(false, by: sources)
    case .sleep: await attempt { () throws(DesktopError) in try await services.prepareForSleep(true) }
    // Where nobody tells of it, it is asked for later than a run in real time may last.
    case .wake(let isTold):
      await attempt { () throws(DesktopError) in if isTold { try await services.prepareForSleep(false) } }
    case .failItem: failItem()
    case .endItem: await endItem()
    case .terminate: await endPlayer()
    case .removeSink, .addSink, .setDefaultSink, .killServer, .startServer, .cork, .uncork, .duck, .unduck,
      .killBus, .startBus:
      await clock.hold {
        await attempt { () throws(DesktopError) in try await change(action) }
        if corked.isEmpty, await isPlaying { await waitForPlayer() }
      }
    case .sideButton, .switchApp, .returnToApp, .openControlCenter, .closeControlCenter, .ringSwitchSilent,
      .ringSwitchRing, .beginInterruption, .endInterruption, .unplugRoute, .plugRoute:
      recorder.record(.platform, "a desktop has none of that")
    }
  }

  private func viewer(_ command: PlayerCommand) async {
    await player.coordinator.handle(command, origin: .viewer)
  }

  /// A remote control that finds no player is no fault of the desktop.
  private func remote(_ command: DesktopServices.RemoteCommand) async {
    do throws(RemotePlayerError) {
      try await services.send(command)
    } catch {
      recorder.record(.platform, "not heard: \(error.message)")
    }
  }

  private func setLocked(_ isLocked: Bool, by sources: Set<ScenarioAction.LockSource>) async {
    for source in ScenarioAction.LockSource.allCases where sources.contains(source) {
      await attempt { () throws(DesktopError) in
        try await services.setLocked(isLocked, by: .init(source))
      }
    }
  }

  // MARK: Servers and sinks

  private func change(_ action: ScenarioAction) async throws(DesktopError) {
    switch action {
    case .removeSink(let kind, let sessionManagerPauses):
      try await removeSink(kind, sessionManagerPauses: sessionManagerPauses)
    case .addSink(let kind):
      let sink = VirtualSink(kind: kind)
      guard await !desktop.sinks.contains(sink) else { return }
      guard await desktop.hasServer else { return await desktop.keepSink(sink) }
      try await desktop.addSink(sink)
      try await listen(to: sink)
    case .setDefaultSink(let kind): try await chooseSink(kind)
    case .killServer:
      let names = listenedSinks
      try await desktop.killServer()
      corked = []
      await dropEars(names)
      await hasNoticed { $0.suppression.contains(.serverLost) }
    case .startServer:
      try await desktop.restartServer()
      for sink in await desktop.sinks { try await listen(to: sink) }
      await hasNoticed { !$0.suppression.contains(.serverLost) }
    case .cork:
      corked = try await desktop.cork(stream: ProgramIdentity.title)
      await hasNoticed { $0.suppression.contains(.corked) }
    case .uncork:
      try await desktop.uncork(corked)
      corked = []
      await hasNoticed { !$0.suppression.contains(.corked) }
    case .duck: try await setLevel(0.3)
    case .unduck: try await setLevel(1)
    case .killBus:
      await services.close()
      try await desktop.killBus()
    case .startBus:
      try await desktop.restartBus()
      try await services.start()
      _ = await isOnBus(within: Self.busReaction)
    default: break
    }
  }

  private func removeSink(_ kind: SinkKind?, sessionManagerPauses: Bool) async throws(DesktopError) {
    guard await desktop.hasServer else {
      if let kind { await desktop.forgetSink(named: kind.sinkName) }
      return
    }
    let played = await desktop.playedSink
    guard let name = kind?.sinkName ?? played, listenedSinks.contains(name) else { return }
    let isPlayed = name == played
    if isPlayed, sessionManagerPauses { await pauseAsSessionManager() }
    try await desktop.removeSink(named: name)
    await dropEars([name])
    guard isPlayed else { return }
    await hasNoticed { $0.sink != name }
  }

  private func pauseAsSessionManager() async {
    do throws(DesktopError) {
      try await desktop.callPlayerAsSessionManager("Pause")
    } catch {
      recorder.record(.platform, "not heard: \(error.message)")
    }
  }

  private var isPlaying: Bool {
    get async { await player.coordinator.snapshot.state == .playing }
  }

  private func chooseSink(_ kind: SinkKind?) async throws(DesktopError) {
    let played = await desktop.playedSink
    let names = await desktop.sinks.map(\.name)
    let chosen = kind?.sinkName ?? names.first { $0 != played }
    guard let name = chosen, names.contains(name) else { return }
    try await desktop.chooseSink(named: name)
    await hasNoticed { $0.sink == name }
  }

  /// Waits until the session manager has linked the player to the sink that is the default one now.
  func waitForPlayer() async {
    guard let sink = await desktop.playedSink else { return }
    await desktop.waitForStream(ProgramIdentity.title, toReach: sink, within: Self.reaction)
  }

  private func setLevel(_ level: Double) async throws(DesktopError) {
    guard let sink = await desktop.playedSink else { return }
    try await desktop.setLevel(level, ofSink: sink)
  }
}

extension PrivateDesktop {
  /// The name of the default sink, as the session manager has it.
  fileprivate var playedSink: String? {
    get async { try? await graph().defaultSink }
  }
}

extension DesktopServices.LockTeller {
  fileprivate init(_ source: ScenarioAction.LockSource) {
    self =
      switch source {
      case .request: .request
      case .lockedHint: .lockedHint
      case .gnome: .gnome
      case .freedesktop: .freedesktop
      }
  }
}
