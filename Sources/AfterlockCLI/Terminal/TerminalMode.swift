import Glibc
import Synchronization

/// The terminal of the player: single keys without echo, and everything put back however the program ends.
///
/// `ISIG` stays on, so that Ctrl-C and Ctrl-Z are the signals that they always are.
@MainActor
final class TerminalMode {
  private(set) var isActive = false

  /// Whether keys can be read and a line redrawn: both ends are a terminal, and we are its foreground job.
  static var isAvailable: Bool { isThere && isForeground }

  /// Whether both ends are a terminal, whoever has it now.
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Whether we are the terminal's foreground job.
  static var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Takes the terminal; does nothing where it already has it, or where it is not ours to take.
  func activate() {
    guard !isActive, Self.isAvailable else { return }
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
    TerminalRestorer.arm(mode)
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &mode.c_cc) { codes in
      codes[Int(VMIN)] = 1
      codes[Int(VTIME)] = 0
    }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    StandardStream.output.write(TerminalRestorer.hideCursor)
    isActive = true
  }

  /// Puts back what `activate` found; idempotent.
  func restore() {
    guard isActive else { return }
    isActive = false
    TerminalRestorer.restore()
  }

  /// The size of the terminal now; 80 by 24 where it does not say.
  static var size: TerminalSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return TerminalSize() }
    return TerminalSize(
      columns: size.ws_col > 0 ? Int(size.ws_col) : 80, rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}

/// How many characters fit into a terminal.
struct TerminalSize: Hashable, Sendable {
  var columns = 80
  var rows = 24
}

/// What puts the terminal back, also from a signal handler in the middle of a crash.
enum TerminalRestorer {
  static let hideCursor = "\u{1B}[?25l"
  /// Wrap on, attributes off, cursor shown.
  private static let reset: StaticString = "\u{1B}[?7h\u{1B}[0m\u{1B}[?25h"

  private static let isArmed = Atomic<Bool>(false)
  // Safe because it is allocated once, written on the main actor while `isArmed` is false, and only read after that.
  private nonisolated(unsafe) static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  // Safe because it is filled on the main actor before the handlers that read it are installed.
  private nonisolated(unsafe) static let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
  private static let hasHandlers = Atomic<Bool>(false)

  @MainActor
  static func arm(_ mode: termios) {
    saved.initialize(to: mode)
    isArmed.store(true, ordering: .releasing)
    guard !hasHandlers.exchange(true, ordering: .relaxed) else { return }
    atexit { TerminalRestorer.restore() }
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
      sigaction(signal, nil, earlier + Int(signal))
      var action = sigaction()
      action.__sigaction_handler.sa_handler = restoreAndCrash
      sigaction(signal, &action, nil)
    }
  }

  /// Async-signal-safe: a few system calls on memory that is there. A terminal that is held with Ctrl-S gets its settings
  /// back and not the words: neither may wait for somebody to let it go on.
  static func restore() {
    guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
    // In the background the terminal is somebody else's, and touching it would stop us.
    guard tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
    if DescriptorWriter.waitUntilWritable(STDOUT_FILENO, milliseconds: 200) {
      _ = write(STDOUT_FILENO, reset.utf8Start, reset.utf8CodeUnitCount)
    }
    tcsetattr(STDIN_FILENO, TCSANOW, saved)
  }

  /// Gives a crash back to whoever handled it before (the backtracer, or the system).
  fileprivate static func crash(_ signal: Int32) {
    restore()
    sigaction(signal, earlier + Int(signal), nil)
    raise(signal)
  }
}

private func restoreAndCrash(_ signal: Int32) { TerminalRestorer.crash(signal) }
