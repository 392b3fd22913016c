import Afterlock
import AfterlockCore
import Glibc

/// What every program that plays has beside its player: the terminal with its keys, the signals, a place on the desktop,
/// and one end.
///
/// Isolation: the main actor, as the coordinator that it talks to; no decision about playback is taken here.
@MainActor
final class PlayerRun {
  /// Takes a key.
  var onKey: ((Key) -> Void)?
  /// Draws on the screen, which is ours at that time, and says when to draw again.
  var onDraw: ((StatusScreen) -> ContinuousClock.Instant?)?
  /// The run is over; called once, before anything is let go of.
  var onFinish: (() -> Void)?
  /// Its place on the desktop, once it has one.
  var place: DesktopPlace?

  private let coordinator: PlaybackCoordinator
  private let loop: MainLoop
  private let screen: StatusScreen?
  /// Neither picture nor keys, although there may be a terminal.
  private let isSilent: Bool
  /// Waits until a hold has been carried out, also by the server, or takes too long.
  private let settle: @MainActor () async -> Void
  /// Lets go of the player; called once, before the loop ends.
  private let close: @MainActor () async -> Void
  private var decoder = KeyDecoder()
  private var escapeDeadline: ContinuousClock.Instant?
  private var redrawTime: ContinuousClock.Instant?
  /// When to look again whether the terminal is ours.
  private var terminalLookTime: ContinuousClock.Instant?
  /// The exit status once the run is over.
  private var status: Int32?

  /// - Parameters:
  ///   - isSilent: neither picture nor keys, although there may be a terminal.
  ///   - close: lets go of the player.
  init(_ player: Player, loop: MainLoop, isSilent: Bool, close: @escaping @MainActor () async -> Void) {
    let environment = TerminalEnvironment { name in getenv(name).map { String(cString: $0) } }
    coordinator = player.coordinator
    self.loop = loop
    screen = environment.canRedraw ? StatusScreen(style: environment.style) : nil
    self.isSilent = isSilent
    settle = { await player.isSettled(within: .milliseconds(1_500)) }
    self.close = close
  }

  /// Takes keys and signals from now on.
  func begin() {
    loop.onSignal = { [weak self] in self?.take(signal: $0) }
    loop.onTimer = { [weak self] in self?.timerFired() }
    loop.onInputLost = { [weak self] in
      self?.screen?.restore()
      self?.takeTerminal()
    }
    takeTerminal()
  }

  /// Gives up when the server does not answer in time.
  /// - Returns: `false` when the run is over for that.
  func waitForServer(of player: Player, within limit: Duration) async -> Bool {
    if await player.isConnected(within: limit) { return true }
    report(
      "afterlock: no PipeWire within \(limit.secondsText) s; \"afterlock doctor\" says what is there and what to do"
    )
    finish(status: 3, origin: .engine)
    return false
  }

  // MARK: What is shown

  /// Whether keys come in and a picture is drawn now.
  var hasScreen: Bool { screen?.isActive == true }

  /// Draws where there is something to draw on.
  func redraw() {
    guard let screen, screen.isActive else { return }
    redrawTime = onDraw?(screen)
    setTimer()
  }

  /// Prints a line for standard error.
  func report(_ line: String?) {
    guard let line else { return }
    guard screen != nil else { return StandardStream.error.write(line + "\n") }
    show(line, .error)
  }

  /// Prints a line, above the picture where there is one.
  func show(_ line: String, _ stream: StandardStream = .output) {
    guard let screen, !screen.print(line, to: stream) else { return }
    redrawTime = .now + StatusScreen.shortestPause
    setTimer()
  }

  private func setTimer() {
    loop.wakeTime = [redrawTime, escapeDeadline, terminalLookTime].compactMap { $0 }.min()
  }

  private func timerFired() {
    let now = ContinuousClock.now
    if let deadline = escapeDeadline, deadline <= now {
      escapeDeadline = nil
      for key in decoder.flush() { onKey?(key) }
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
    for key in decoder.feed(bytes) { onKey?(key) }
    escapeDeadline = decoder.isWaiting ? .now + .milliseconds(50) : nil
    setTimer()
  }

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

  var isOver: Bool { status != nil }

  /// Ends the run; the first one to say so decides the status, and a second signal does not wait for the player.
  /// - Parameter origin: who ended it, for the log; `nil` where the sound had ended by itself.
  func finish(status: Int32, origin: CommandOrigin?) {
    guard !isOver else {
      if status > 128 { loop.stop(status: status) }
      return
    }
    self.status = status
    onFinish?()
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
}
