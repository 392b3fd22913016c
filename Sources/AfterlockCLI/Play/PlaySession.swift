import Afterlock
import AfterlockCore
import AfterlockEngine
import Glibc

/// One run of `play`: feeds the queue, shows what happens, takes keys and signals, and knows when it is over.
///
/// Isolation: the main actor, as the coordinator that it talks to; no decision about playback is taken here.
@MainActor
final class PlaySession {
  private let options: PlayOptions
  private let coordinator: PlaybackCoordinator
  private let loop: MainLoop
  private let screen: StatusScreen?
  /// Waits until a hold has been carried out, also by the server, or takes too long.
  private let settle: @MainActor () async -> Void
  /// Lets go of the player; called once, before the loop ends.
  private let close: @MainActor () async -> Void

  /// Its place on the desktop, once it has one.
  private var place: DesktopPlace?
  /// Breaks off what the list waits for.
  private let listing = ReadInterrupter()
  private var reporter: PlainReporter
  private(set) var faults = FaultReporter()
  private var snapshot = PlayerSnapshot()
  private var reportedFailures = 0
  private var decoder = KeyDecoder()
  private var escapeDeadline: ContinuousClock.Instant?
  private var redrawTime: ContinuousClock.Instant?
  /// When to look again whether the terminal is ours.
  private var terminalLookTime: ContinuousClock.Instant?
  private var hasOpened = false
  /// Until the server has answered for the first time nothing is heard, whatever the coordinator has been told.
  private var isConnected = false
  private var isListComplete = false
  /// The exit status once the run is over.
  private var status: Int32?
  /// The viewer touched playback: what was heard is then not the plain list.
  private(set) var wasSteered = false
  /// The run was ended before the list was.
  private(set) var wasStopped = false

  /// - Parameter screen: `nil` where no line is redrawn and no key is read.
  init(
    _ options: PlayOptions, coordinator: PlaybackCoordinator, loop: MainLoop, screen: StatusScreen?,
    settle: @escaping @MainActor () async -> Void, close: @escaping @MainActor () async -> Void
  ) {
    self.options = options
    self.coordinator = coordinator
    self.loop = loop
    self.screen = screen
    self.settle = settle
    self.close = close
    reporter = PlainReporter(sink: options.output)
  }

  /// Whether lines for people are printed at all.
  private var isSilent: Bool { options.isQuiet || options.log == .standardOutput }

  /// Begins to list, to play and to show; returns at once.
  func begin() {
    loop.onSignal = { [weak self] in self?.take(signal: $0) }
    loop.onTimer = { [weak self] in self?.timerFired() }
    loop.onInputLost = { [weak self] in
      self?.screen?.restore()
      self?.takeTerminal()
    }
    takeTerminal()
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
    place = DesktopPlace(
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
    if screen?.isActive == true {
      redraw()
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

  /// The server has answered. What it said of its sinks is in the coordinator's inbox, and comes first: nothing plays where
  /// there is none.
  func connected() async {
    let latest = await coordinator.snapshot
    isConnected = true
    show(latest)
  }

  private func announce() {
    guard isConnected, !isSilent else { return }
    for line in reporter.lines(for: snapshot) { StandardStream.output.write(line + "\n") }
  }

  /// Prints a line for standard error.
  func report(_ line: String?) {
    guard let line else { return }
    guard let screen else { return StandardStream.error.write(line + "\n") }
    show(line, on: screen, .error)
  }

  private func show(_ line: String, on screen: StatusScreen, _ stream: StandardStream) {
    if screen.print(line, to: stream) { return }
    redrawTime = .now + StatusScreen.shortestPause
    setTimer()
  }

  private func redraw() {
    guard let screen, screen.isActive else { return }
    guard snapshot.entry != nil else {
      redrawTime = screen.writeLines() ? nil : .now + StatusScreen.shortestPause
      return setTimer()
    }
    let position = coordinator.position
    let time = position.run == snapshot.run ? position.time : snapshot.position
    var model = SnapshotWords.model(snapshot, position: time, sink: options.output)
    if !isConnected, snapshot.intent.wantsToPlay { model.state = .waiting("waiting for the sound server") }
    redrawTime = screen.draw(model)
    if redrawTime == nil, snapshot.state == .playing {
      // The clock shows whole seconds, so that is when there is something to draw.
      let fraction = time - .seconds(time.components.seconds)
      redrawTime = .now + (.seconds(1) - fraction) + .milliseconds(5)
    }
    setTimer()
  }

  private func setTimer() {
    loop.wakeTime = [redrawTime, escapeDeadline, terminalLookTime].compactMap { $0 }.min()
  }

  private func timerFired() {
    let now = ContinuousClock.now
    if let deadline = escapeDeadline, deadline <= now {
      escapeDeadline = nil
      for key in decoder.flush() { take(key) }
    }
    if let time = terminalLookTime, time <= now { takeTerminal() }
    if let time = redrawTime, time <= now { redraw() } else { setTimer() }
  }

  // MARK: Keys

  private func takeTerminal() {
    guard let screen, !isSilent else { return }
    screen.activate()
    // In the background the keys are for somebody else, and asking for them would stop us (SIGTTIN). A shell that brings
    // a running job to the front says nothing.
    terminalLookTime = screen.isActive || !TerminalMode.isThere ? nil : .now + .seconds(1)
    guard screen.isActive else {
      loop.onInput = nil
      return setTimer()
    }
    loop.onInput = { [weak self] in self?.take(input: $0) }
    redraw()
  }

  private func take(input bytes: [UInt8]) {
    for key in decoder.feed(bytes) { take(key) }
    escapeDeadline = decoder.isWaiting ? .now + .milliseconds(50) : nil
    setTimer()
  }

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
      guard let screen else { return }
      for row in HelpSection.playKeys.rows { show("  \(row.term): \(row.meaning)", on: screen, .output) }
    }
  }

  private func send(_ command: PlayerCommand) { coordinator.send(command, origin: .viewer) }

  // MARK: Signals

  private func take(signal: Int32) {
    switch signal {
    case SIGWINCH:
      screen?.resize()
      redraw()
    case SIGTSTP: Task { await suspend() }
    case SIGCONT:
      // The shell may have changed the terminal, or keep us in the background.
      screen?.restore()
      takeTerminal()
    default: finish(status: 128 + signal, origin: signal == SIGTERM ? .system : .viewer)
    }
  }

  /// Ctrl-Z. A stopped program that the graph waits for would silence everybody on the same sink, so the stream is
  /// held first.
  private func suspend() async {
    await coordinator.handle(.appSuspended)
    await settle()
    loop.onInput = nil
    screen?.restore()
    ProcessSignals.raiseDefault(SIGTSTP)
    ProcessSignals.take(SIGTSTP)
    coordinator.report(.appResumed)
    takeTerminal()
  }

  // MARK: The end

  /// Ends the run; the first one to say so decides the status, and a second signal does not wait for the player.
  /// - Parameter origin: who ended it, for the log; `nil` where the sound had ended by itself.
  func finish(status: Int32, origin: CommandOrigin?) {
    guard !isOver else {
      if status > 128 { loop.stop(status: status) }
      return
    }
    self.status = status
    listing.interrupt()
    wasStopped = !isListComplete || hasOpened && !snapshot.isFinished
    loop.onInput = nil
    loop.wakeTime = nil
    screen?.restore()
    let (coordinator, place) = (coordinator, place)
    Task {
      if let origin {
        await coordinator.leave(EndWords.message(status: status, origin), origin: origin)
      }
      await place?.close()
      await close()
      loop.stop(status: self.status ?? status)
    }
  }

  /// What came out was wrong: a run that would end with 0 ends with 1.
  func spoil() { if status == 0 { status = 1 } }

  var isOver: Bool { status != nil }
}
