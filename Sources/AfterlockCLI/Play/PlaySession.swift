import Afterlock
import AfterlockCore
import AfterlockEngine
import Glibc

/// One run of `play`: feeds the queue, shows what happens, says what keys mean, and knows when it is over.
///
/// Isolation: the main actor, as the coordinator that it talks to; no decision about playback is taken here.
@MainActor
final class PlaySession {
  private let options: PlayOptions
  private let coordinator: PlaybackCoordinator
  private let run: PlayerRun

  /// Breaks off what the list waits for.
  private let listing = ReadInterrupter()
  private var reporter: PlainReporter
  private(set) var faults = FaultReporter()
  private var snapshot = PlayerSnapshot()
  private var reportedFailures = 0
  private var hasOpened = false
  /// Until the server has answered for the first time nothing is heard, whatever the coordinator has been told.
  private var isConnected = false
  private var isListComplete = false
  /// The viewer touched playback: what was heard is then not the plain list.
  private(set) var wasSteered = false
  /// The run was ended before the list was.
  private(set) var wasStopped = false

  init(_ options: PlayOptions, coordinator: PlaybackCoordinator, run: PlayerRun) {
    self.options = options
    self.coordinator = coordinator
    self.run = run
    reporter = PlainReporter(sink: options.output)
  }

  /// Begins to list, to play and to show; returns at once.
  func begin() {
    run.onKey = { [weak self] in self?.take($0) }
    run.onDraw = { [weak self] in self?.draw(on: $0) }
    run.onFinish = { [weak self] in self?.isEnding() }
    run.begin()
    feed()
    Task {
      // A snapshot may have waited for its turn behind newer ones.
      for await _ in coordinator.snapshots() { show(await coordinator.snapshot) }
    }
  }

  /// Lets media keys, lock screens and other programs find the player, and the player hear of locks and sleeps.
  /// - Parameter bus: the address of a private desktop's session bus, which the machine's own login is no part of; `nil`
  ///   for this desktop.
  func takePlace(on player: Player, bus: String? = nil) {
    let adder = ItemAdder(to: coordinator, interrupter: listing) { [weak self] fault in
      guard let self, !isOver else { return }
      report(faults.line(for: fault))
    }
    run.place = DesktopPlace(
      player, bus: bus, offersMPRIS: options.offersMPRIS, hearsLogind: bus == nil, add: adder,
      steered: { [weak self] in self?.wasSteered = true }
    ) { [weak self] origin in
      guard let self else { return }
      finish(status: faults.hasFaults ? 1 : 0, origin: origin)
    }
  }

  // MARK: The list

  private func feed() {
    let (words, isShuffled, listing) = (options.items, options.isShuffled, listing)
    Task.detached(executorPreference: ListingExecutor(), priority: .userInitiated) {
      var feed = ItemFeed(ItemSource(words, interrupter: listing), isShuffled: isShuffled)
      while let batch = feed.next() {
        guard await self.take(batch) else { return }
      }
      await self.listIsComplete()
    }
  }

  /// Returns `false` when nothing more is wanted.
  private func take(_ batch: ItemFeed.Batch) async -> Bool {
    if isOver { return false }
    for fault in batch.faults { report(faults.line(for: fault)) }
    guard !batch.items.isEmpty else { return true }
    if hasOpened {
      await coordinator.append(batch.items, moreFollow: true)
    } else {
      hasOpened = true
      await coordinator.recordBegin()
      await coordinator.handle(.setVolume(options.volume), origin: .viewer)
      await coordinator.handle(.setLoopMode(options.loop), origin: .viewer)
      await coordinator.handle(.setShuffled(options.isShuffled), origin: .viewer)
      await coordinator.open(
        batch.items, at: options.start, playing: options.isPaused ? nil : .viewer, moreFollow: true)
    }
    return !isOver
  }

  private func listIsComplete() async {
    isListComplete = true
    guard hasOpened else { return finish(status: 1, origin: nil) }
    await coordinator.append([])
    show(await coordinator.snapshot)
  }

  // MARK: What happens

  private func show(_ snapshot: PlayerSnapshot) {
    guard !isOver else { return }
    self.snapshot = snapshot
    reportFailures(of: snapshot)
    if run.hasScreen {
      run.redraw()
    } else {
      announce()
    }
    if isListComplete, snapshot.isFinished { Task { await endIfFinished() } }
  }

  private func reportFailures(of snapshot: PlayerSnapshot) {
    for failure in snapshot.failures.dropFirst(reportedFailures) { report(faults.line(for: failure)) }
    reportedFailures = max(reportedFailures, snapshot.failures.count)
  }

  /// Ends when the queue really is at its end: a snapshot tells of a moment that may have passed, and of an end that came
  /// before the last items were listed.
  private func endIfFinished() async {
    let latest = await coordinator.snapshot
    guard !isOver, latest.isFinished else { return }
    reportFailures(of: latest)
    finish(status: faults.hasFaults ? 1 : 0, origin: nil)
  }

  /// Gives up when the server does not answer in time. What it says of its sinks is in the coordinator's inbox, and comes
  /// first: nothing plays where there is none.
  func waitForServer(of player: Player) {
    Task {
      guard await run.waitForServer(of: player, within: options.wait) else { return }
      let latest = await coordinator.snapshot
      isConnected = true
      show(latest)
    }
  }

  private func announce() {
    guard isConnected, !options.isSilent else { return }
    for line in reporter.lines(for: snapshot) { StandardStream.output.write(line + "\n") }
  }

  private func draw(on screen: StatusScreen) -> ContinuousClock.Instant? {
    guard snapshot.entry != nil else {
      return screen.writeLines() ? nil : .now + StatusScreen.shortestPause
    }
    let position = coordinator.position
    let time = position.run == snapshot.run ? position.time : snapshot.position
    var model = SnapshotWords.model(snapshot, position: time, sink: options.output)
    if !isConnected, snapshot.intent.wantsToPlay { model.state = .waiting("waiting for the sound server") }
    let line = model
    if let next = screen.draw({ [StatusLine.render(line, columns: $0.columns, style: $1)] }) { return next }
    guard snapshot.state == .playing else { return nil }
    // The clock shows whole seconds, so that is when there is something to draw.
    let fraction = time - .seconds(time.components.seconds)
    return .now + (.seconds(1) - fraction) + .milliseconds(5)
  }

  // MARK: Keys

  private func take(_ key: Key) {
    guard let action = KeyBinding.action(for: key) else { return }
    if action != .quit, action != .showHelp { wasSteered = true }
    switch action {
    case .togglePlayPause: send(.togglePlayPause)
    case .seek(let amount): send(.seekBy(amount))
    case .changeVolume(let points): send(.changeVolume(percent: points))
    case .next: send(.next)
    case .previous: send(.previous)
    case .cycleLoop: send(.cycleLoopMode)
    case .toggleShuffle: send(.toggleShuffled)
    case .toggleMute: send(.toggleMute)
    case .quit: finish(status: faults.hasFaults ? 1 : 0, origin: .viewer)
    case .showHelp:
      for row in HelpSection.playKeys.rows { run.show("  \(row.term): \(row.meaning)") }
    }
  }

  private func send(_ command: PlayerCommand) { coordinator.send(command, origin: .viewer) }

  // MARK: The end

  var isOver: Bool { run.isOver }

  func report(_ line: String?) { run.report(line) }

  func finish(status: Int32, origin: CommandOrigin?) { run.finish(status: status, origin: origin) }

  /// What came out was wrong: a run that would end with 0 ends with 1.
  func spoil() { run.spoil() }

  private func isEnding() {
    listing.interrupt()
    wasStopped = !isListComplete || hasOpened && !snapshot.isFinished
  }
}
