import Afterlock
import AfterlockCore
import AfterlockDesktop
import AfterlockScenarios

/// The product's player at its place on a private desktop: PipeWire, WirePlumber, a session bus with logind, screen savers and a
/// remote control, and a capture of every sink.
///
/// What happens is done by real programs. While they are started, ended or asked, and until the player has noticed or has had
/// its time to notice, the scenario's clock stands still.
final class LiveDesktop: LiveWorld {
  let clock = LiveClock()
  let desktop: PrivateDesktop
  let services: DesktopServices
  let player: Player
  let recorder: TimelineRecorder
  private let scenario: Scenario
  private let output: SilencedOutput
  private let session: DesktopSession?
  private let events: DesktopEvents
  private let files: [MediaPath]
  private var layers: [ScreenLayer] = []
  private var hasEnded = false
  /// The captures that run, by their sinks' names.
  private var ears: [String: Ear] = [:]
  /// What was heard by captures that have ended.
  private var heard: [AudibleStretch] = []
  /// What kept an action from being done.
  private var fault: DesktopError?
  /// The links of a stream that is corked.
  var corked: [PrivateDesktop.PortLink] = []

  /// How long the player may take to be there, also on a busy machine.
  static let patience = Duration.seconds(20)
  /// How long it may take to notice what happens to servers and sinks; then the scenario goes on, and is judged.
  static let reaction = Duration.seconds(2)
  /// Whoever has lost its bus asks for it after pauses of some seconds.
  static let busReaction = Duration.seconds(12)

  /// A desktop with its player, which has opened nothing.
  init(_ scenario: Scenario, _ recorder: TimelineRecorder, media: ScenarioMedia) async throws(DesktopError) {
    self.scenario = scenario
    self.recorder = recorder
    var files: [MediaPath] = []
    for (index, item) in scenario.queue.enumerated() { files.append(try media.file(for: item, at: index)) }
    self.files = files
    let sinks = DesktopSinks(for: scenario.timeline).kinds.map(VirtualSink.init(kind:))
    desktop = try await PrivateDesktop.start(.init(sinks: sinks, quantum: LiveScenarioRunner.quantum))
    let (clock, desktop) = (clock, desktop)
    do throws(DesktopError) {
      services = try DesktopServices(on: desktop)
    } catch {
      await desktop.close()
      throw error
    }
    var configuration = Player.Configuration()
    configuration.session = AudioSession(category: scenario.app.category, mode: scenario.app.mode)
    configuration.policy = scenario.app.policyConfiguration
    configuration.fade = .zero
    configuration.artworkFolder = nil
    configuration.shuffleSeed = 1
    configuration.output.remoteName = desktop.socketPath
    configuration.log = PlaybackLog(
      now: { clock.now },
      observe: { line in
        recorder.now = max(recorder.now, clock.now)
        recorder.record(line)
      }, write: nil)
    let output = SilencedOutput(PipeWireOutput(configuration.pipeWire))
    let player = Player(configuration, output: output, on: CoordinatorExecutor(PlatformThreads().main))
    self.output = output
    self.player = player
    let isSettled: @Sendable (Duration) async -> Void = { await player.isSettled(within: $0) }
    session = DesktopSession(
      PlayerEntrances(player.coordinator, player.callbacks, isSettled: isSettled, quit: { _ in }),
      address: desktop.busAddress)
    // One bus is both: nothing of the machine's own locks and sleeps is heard.
    events = DesktopEvents(
      EventEntrances(player.coordinator, isSettled: isSettled),
      on: .init(session: desktop.busAddress, system: desktop.busAddress))
  }

  func prepare() async throws(DesktopError) {
    try await services.start()
    for sink in await desktop.sinks { try await listen(to: sink) }
    guard await player.isConnected(within: Self.patience) else {
      throw DesktopError(.timedOut, "the player waited in vain for PipeWire")
    }
    events.start()
    await session?.start()
    guard await isOnBus(within: Self.patience) else {
      throw DesktopError(.timedOut, "the player waited in vain for the bus")
    }
  }

  /// Waits until the player is on the bus and hears of locks and sleeps.
  func isOnBus(within limit: Duration) async -> Bool {
    guard await services.isListenedTo(within: limit) else { return false }
    let deadline = ContinuousClock.now + limit
    while await session?.name == nil {
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }

  func begin() async {
    if scenario.queue.contains(where: { $0.kind == .video }) { await addLayer() }
    let items = zip(scenario.queue, files).map { QueueItem(location: .file($1), title: $0.title) }
    await player.coordinator.open(items, playing: nil)
    if !items.isEmpty {
      await hasNoticed(within: Self.patience) { $0.info != nil || !$0.failures.isEmpty }
      await waitForPlayer()
    }
    recorder.now = .zero
    clock.begin()
  }

  /// Waits until a snapshot of the player fulfils the condition, or the time is over.
  @discardableResult
  func hasNoticed(
    within limit: Duration = LiveDesktop.reaction, _ condition: @escaping @Sendable (PlayerSnapshot) -> Bool
  ) async -> Bool {
    let player = player
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await snapshot in player.snapshots() where condition(snapshot) { return true }
        return false
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }

  func advance(to time: Duration) async {
    await clock.sleep(until: time)
    recorder.now = max(recorder.now, time)
  }

  func scene() async -> SceneState {
    let snapshot = await player.coordinator.snapshot
    var scene = SceneState()
    scene.app = hasEnded ? .ended : .active
    scene.layers = layers.isEmpty ? .none : layers.contains(where: \.isAttached) ? .attached : .detached
    scene.wantsToPlay = snapshot.intent.wantsToPlay
    scene.rate = hasEnded ? 0 : snapshot.lastRateChange?.rate ?? 0
    scene.position = player.position.time
    scene.item = snapshot.entry.flatMap { entry in
      files.firstIndex { .file($0) == entry.location }
    }
    scene.playback = snapshot.state
    scene.suppression = snapshot.suppression.causes
    scene.volume = snapshot.volume.percent
    let change = recorder.lastRateChange
    scene.reason = change?.reason
    scene.origin = change?.origin
    return scene
  }

  func end() async throws(DesktopError) -> [AudibleStretch] {
    for ear in ears.values { await attempt { () throws(DesktopError) in heard += try await ear.heard() } }
    await endPlayer()
    await services.close()
    await desktop.close()
    if let fault { throw fault }
    return heard.joined
  }

  // MARK: The player's own

  /// Ends the player, as its viewer does.
  func endPlayer() async {
    guard !hasEnded else { return }
    hasEnded = true
    layers = []
    await events.close()
    await session?.close()
    await player.close()
  }

  func addLayer() async {
    let layer = ScreenLayer()
    layers.append(layer)
    await player.coordinator.add(layer)
  }

  func dropLayer() { if !layers.isEmpty { layers.removeLast() } }

  func failItem() { output.breakOff("The item broke off, as the scenario says.") }

  func endItem() async {
    guard let length = await player.coordinator.snapshot.info?.duration else { return }
    player.send(.seek(to: length, in: nil))
  }

  // MARK: Faults and ears

  /// Does something to the desktop, and keeps what stands against it: the run has no result then.
  func attempt(_ body: () async throws(DesktopError) -> Void) async {
    do throws(DesktopError) {
      try await body()
    } catch {
      if fault == nil { fault = error }
      recorder.record(.fault, error.message)
    }
  }

  func listen(to sink: VirtualSink) async throws(DesktopError) {
    if ears[sink.name] == nil { ears[sink.name] = try await Ear(to: sink, on: desktop) }
  }

  /// Ends the captures of sinks that are gone.
  func dropEars(_ names: [String]) async {
    for name in names {
      guard let ear = ears.removeValue(forKey: name) else { continue }
      await attempt { () throws(DesktopError) in heard += try await ear.stop() }
    }
  }

  var listenedSinks: [String] { Array(ears.keys) }
}

extension VirtualSink {
  /// A scenario's sink of a kind, which the session manager and the player see as such.
  init(kind: SinkKind) {
    let properties: [String: String] =
      switch kind {
      case .headset: ["device.form-factor": "headset", "priority.session": "2400"]
      case .headphones: ["device.form-factor": "headphone", "priority.session": "2300"]
      case .bluetooth: ["device.bus": "bluetooth", "priority.session": "2200"]
      case .usb: ["device.bus": "usb", "priority.session": "2100"]
      case .other: ["priority.session": "1000"]
      }
    self.init(name: kind.sinkName, channels: ["MONO"], properties: properties)
  }
}
