import Glibc
import Synchronization

/// Signals as bytes in a pipe, so that the main loop takes them like any other input.
///
/// Handlers, not a signal mask: a mask would be inherited by every program that the private desktop starts, while
/// `exec` takes handlers back by itself.
enum ProcessSignals {
  /// The writing end; -1 before `install`.
  private static let writeEnd = Atomic<Int32>(-1)
  /// When the first signal came that nobody has taken yet, in milliseconds; 0 for none.
  private static let waitingSince = Atomic<Int64>(0)

  /// Takes over the signals that end, stop or resize a player and gives the pipe to read them from.
  ///
  /// A signal that was ignored when the program began stays so (`nohup`, a shell's background job).
  static func install() -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    // Storing also makes the static's first touch happen here and not inside a handler.
    writeEnd.store(ends[1], ordering: .releasing)
    waitingSince.store(0, ordering: .releasing)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH] { take(signal) }
    // A reader that went away (`| head`) must not end the music: writes fail with EPIPE instead.
    take(SIGPIPE)
    return ends[0]
  }

  static func take(_ signal: Int32) {
    var old = sigaction()
    guard sigaction(signal, nil, &old) == 0 else { return }
    let isIgnored = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
    if isIgnored, signal != SIGPIPE { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = noteSignal
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  /// The main loop has come to its turn.
  static func noteTaken() { waitingSince.store(0, ordering: .releasing) }

  /// Puts the system's own handling back and lets the signal have its way.
  static func raiseDefault(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = nil
    sigaction(signal, &action, nil)
    raise(signal)
  }

  /// Called from the handler: only what is async-signal-safe.
  fileprivate static func note(_ signal: Int32) {
    guard signal != SIGPIPE else { return }
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(writeEnd.load(ordering: .acquiring), &byte, 1)
    // No array here: a handler must not allocate.
    let isEnd = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT
    if isEnd, isStuck {
      TerminalRestorer.restore()
      raiseDefault(signal)
    }
    errno = saved
  }

  /// The main loop has not taken a signal for half a second: it hangs in a write to a pipe that nobody empties.
  private static var isStuck: Bool {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000 + 1
    let (isFirst, since) = waitingSince.compareExchange(
      expected: 0, desired: now, ordering: .acquiringAndReleasing)
    return !isFirst && now - since > 500
  }
}

/// Runs on any thread, in the middle of anything.
private func noteSignal(_ signal: Int32) { ProcessSignals.note(signal) }
