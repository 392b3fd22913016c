import Afterlock
import AfterlockCore
import AfterlockDesktop

/// One run of `noise`: prepares its one file, shows toggle, slider and status, and says what keys mean.
///
/// Isolation: the main actor, as the coordinator that it talks to. What is shown and what is taken of a command is
/// ``NoiseMaker``'s.
@MainActor
final class NoiseSession {
  private let options: NoiseOptions
  private let coordinator: PlaybackCoordinator
  private let run: PlayerRun
  private var reporter = NoiseReporter()
  private var view = NoiseView(shown: NoiseMaker(PlayerSnapshot()), isWaiting: true)
  private var snapshot = PlayerSnapshot()
  private var faults = FaultReporter()
  private var reportedFailures = 0
  /// What the last key has brought about.
  private var lastUse: Task<Void, Never>?
  /// Until the server has answered for the first time nothing can be heard, and no control can be used.
  private var isConnected = false

  init(_ options: NoiseOptions, coordinator: PlaybackCoordinator, run: PlayerRun) {
    self.options = options
    self.coordinator = coordinator
    self.run = run
  }

  /// Begins to prepare the file and to show; returns at once.
  func begin() {
    run.onKey = { [weak self] in self?.take($0) }
    run.onDraw = { [weak self] screen in
      guard let view = self?.view else { return nil }
      return screen.draw { view.lines(for: $0, $1) }
    }
    run.begin()
    Task { await prepare() }
    Task {
      // A snapshot may have waited for its turn behind newer ones.
      for await _ in coordinator.snapshots() { show(await coordinator.snapshot) }
    }
  }

  /// Lets media keys and lock screens find the noise maker: they play, pause and toggle, and set the volume.
  func takePlace(on player: Player) {
    run.place = DesktopPlace(
      player, offersMPRIS: true, hearsLogind: true, offer: .noiseMaker, add: nil, steered: {}
    ) { [weak self] in self?.leave($0) }
  }

  /// Gives up when the server does not answer in time. What it says of its sinks is in the coordinator's inbox, and comes
  /// first.
  func waitForServer(of player: Player) {
    Task {
      guard await run.waitForServer(of: player, within: .seconds(5)) else { return }
      let latest = await coordinator.snapshot
      isConnected = true
      show(latest)
    }
  }

  /// Opens the file and holds it until Play (N).
  private func prepare() async {
    guard let item = await item() else { return run.finish(status: 1, origin: nil) }
    await coordinator.handle(.setVolume(options.volume), origin: .viewer)
    await coordinator.handle(.setLoopMode(.track), origin: .viewer)
    await coordinator.open([item], playing: options.plays ? .viewer : nil)
  }

  /// The file that was named, or a sound of its own; `nil` when that cannot be made.
  private func item() async -> QueueItem? {
    if let file = options.file { return QueueItem(location: file) }
    let made = await Task.detached(executorPreference: ListingExecutor()) {
      () -> Result<MediaPath, MemoryFileError> in
      Result { () throws(MemoryFileError) in try MemoryFile.make("noise.wav", SoftNoise.wav()) }
    }.value
    switch made {
    case .success(let path): return QueueItem(location: .file(path), title: "Noise")
    case .failure(let error):
      run.report("afterlock: there is no room for the noise: \(error.message); name a file instead")
      return nil
    }
  }

  private func show(_ snapshot: PlayerSnapshot) {
    guard !run.isOver else { return }
    self.snapshot = snapshot
    view = NoiseView(shown: NoiseMaker(snapshot), hold: hold, isWaiting: !isConnected)
    if run.hasScreen {
      run.redraw()
    } else if isConnected || !view.shown.hasControls {
      for line in reporter.lines(for: view) { StandardStream.output.write(line + "\n") }
    }
    for failure in snapshot.failures.dropFirst(reportedFailures) { run.report(faults.line(for: failure)) }
    reportedFailures = max(reportedFailures, snapshot.failures.count)
    // With nobody to read it and no key to leave by, there is nothing to wait for.
    if !view.shown.hasControls, !run.hasScreen { run.finish(status: 1, origin: nil) }
  }

  private var hold: String? {
    isConnected ? SnapshotWords.hold(snapshot, sink: options.output) : nil
  }

  private func take(_ key: Key) {
    guard let action = KeyBinding.action(for: key, among: KeyBinding.noise),
      isConnected || action == .quit
    else { return }
    switch action {
    case .togglePlayPause: use { _ in .togglePlayPause }
    case .changeVolume(let points):
      use { shown in
        let percent = shown.volumePercent
        // The slider ends at 100 %; a mixer may have gone beyond.
        let target = points > 0 ? max(percent, min(percent + points, 100)) : percent + points
        return .setVolume(Volume(percent: target))
      }
    case .quit: leave(.viewer)
    default: break
    }
  }

  /// One control after the other, each by the state that the one before has left: keys may come faster than snapshots.
  private func use(_ command: @escaping @Sendable (NoiseMaker) -> PlayerCommand) {
    let earlier = lastUse
    lastUse = Task {
      await earlier?.value
      let shown = NoiseMaker(await coordinator.snapshot)
      guard let command = shown.taken(command(shown)) else { return }
      await coordinator.handle(command, origin: .viewer)
    }
  }

  private func leave(_ origin: CommandOrigin) {
    run.finish(status: view.shown.hasControls ? 0 : 1, origin: origin)
  }
}
