import Glibc
import Synchronization

/// Breaks off an open or a read that waits for the network, from any thread.
///
/// Make one before opening, so that the open itself can be broken off too. It stays interrupted: a reader that was
/// interrupted is only good for `close()`, so an interruption that comes between two reads is not lost.
public final class ReadInterrupter: MediaInterrupter {
  private let flag = Atomic(false)

  /// An interrupter that nothing has interrupted yet.
  public init() {}

  /// Makes the open or read that runs, and every later one, stop soon. Any thread; never waits.
  public func interrupt() { flag.store(true, ordering: .releasing) }

  /// `true` once `interrupt()` was called. Any thread.
  public var isInterrupted: Bool { flag.load(ordering: .acquiring) }
}

/// Tells a blocking call in C when to give up: on an interruption, or when it has taken too long.
///
/// Confined to the reader's executor; the C callbacks that ask it run inside the reader's own calls.
final class OperationLimit {
  let interrupter: ReadInterrupter
  private var deadline: UInt64 = .max

  init(interrupter: ReadInterrupter) { self.interrupter = interrupter }

  /// Begins an operation that may take `seconds`.
  func begin(seconds: Int) { deadline = Self.now() + UInt64(seconds) * 1_000_000_000 }

  var isTimedOut: Bool { Self.now() > deadline }
  var shouldStop: Bool { interrupter.isInterrupted || isTimedOut }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
