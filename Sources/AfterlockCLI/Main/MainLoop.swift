// Dispatch is imported for its library: the two hooks below are in no header.
import Dispatch
import Glibc

/// libdispatch's own hooks for a foreign main loop (the ones that CFRunLoop uses): an eventfd that is readable when
/// the main queue has work, and the call that does that work.
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func dispatchMainQueueHandle() -> Int32
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func dispatchMainQueueCallback(_ message: UnsafeMutableRawPointer?)

/// The loop of the initial thread: the main queue (and with it the main actor), the keyboard, signals and one timer
/// in one `poll`.
///
/// Foundation's run loop does the same and costs its start-up; `dispatchMain` leaves the initial thread, and with it
/// every check for "the main thread". This one costs nothing before the first sound.
@MainActor
final class MainLoop {
  /// Called with what was typed; `nil` when nothing is to be read.
  var onInput: (([UInt8]) -> Void)?
  /// The terminal is somebody else's now, and `onInput` has been given up.
  var onInputLost: (() -> Void)?
  /// Standard input has ended.
  var onInputEnd: (() -> Void)?
  var onSignal: ((Int32) -> Void)?
  /// Called once when `wakeTime` has passed, which is `nil` by then.
  var onTimer: (() -> Void)?
  /// On the monotonic clock; `nil` for no timer.
  var wakeTime: ContinuousClock.Instant?

  private let signals: Int32
  private var status: Int32?

  init() { signals = ProcessSignals.install() }

  /// Ends `run` once what is under way is done.
  func stop(status: Int32) { if self.status == nil { self.status = status } }

  /// Called on: the initial thread. Returns what `stop` was given.
  func run() -> Int32 {
    let queue = dispatchMainQueueHandle()
    while true {
      if let status { return status }
      let readable = Int16(POLLIN)
      var entries = [
        pollfd(fd: queue, events: readable, revents: 0),
        pollfd(fd: signals, events: readable, revents: 0),
        pollfd(fd: onInput == nil ? -1 : STDIN_FILENO, events: readable, revents: 0),
      ]
      let count = poll(&entries, nfds_t(entries.count), timeout())
      if count < 0, errno != EINTR { return 1 }
      if count > 0 {
        if entries[1].revents != 0 { takeSignals() }
        if entries[0].revents != 0 { drainMainQueue(queue) }
        if entries[2].revents != 0 { takeInput() }
      }
      if let time = wakeTime, time <= .now {
        wakeTime = nil
        onTimer?()
      }
    }
  }

  private func timeout() -> Int32 {
    guard let wakeTime else { return -1 }
    let left = wakeTime - .now
    guard left > .zero else { return 0 }
    // Rounded up: a poll that ends a little early would go round for nothing.
    return Int32(min(left.components.seconds, 3600)) * 1000
      + Int32((left.components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  private func drainMainQueue(_ handle: Int32) {
    var count: UInt64 = 0
    _ = read(handle, &count, 8)
    dispatchMainQueueCallback(nil)
  }

  private func takeSignals() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(signals, &bytes, bytes.count)
    ProcessSignals.noteTaken()
    guard count > 0 else { return }
    for byte in bytes[..<count] { onSignal?(Int32(byte)) }
  }

  private func takeInput() {
    // A shell may have taken the terminal back without a word; who reads from it in the background is stopped.
    guard TerminalMode.isForeground || isatty(STDIN_FILENO) == 0 else {
      onInput = nil
      onInputLost?()
      return
    }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 { onInput?(Array(bytes[..<count])) }
    if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN {
      onInput = nil
      onInputEnd?()
    }
  }
}
