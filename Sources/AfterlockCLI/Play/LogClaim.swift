import Glibc

/// Whether the player that an account is of still runs.
enum PlayerLife: String, Hashable, Sendable, CaseIterable {
  case runs, gone, unknown
}

/// The player's claim on its log, by which a reader knows whether somebody still writes to it: the kernel lets go of a
/// process's locks however it ends, also when it is killed. (And when the process closes any descriptor of the file:
/// nothing else in a player opens its log.)
///
/// Called on: any thread; never waits.
enum LogClaim {
  /// Claims the log that `descriptor` writes to. What cannot be locked, such as a pipe, is left without.
  static func take(_ descriptor: Int32) {
    // A byte of its own: players that write to one file are not in each other's way.
    var lock = lock(start: off_t(getpid()), length: 1)
    _ = fcntl(descriptor, F_SETLK, &lock)
  }

  /// Whether a player writes to the log. Asked before the log is read: one that leaves writes that down first.
  static func life(_ descriptor: Int32) -> PlayerLife {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .unknown }
    var lock = lock(start: 0, length: 0)
    guard fcntl(descriptor, F_GETLK, &lock) == 0 else { return .unknown }
    return lock.l_type == Int16(F_UNLCK) ? .gone : .runs
  }

  /// - Parameter length: 0 reaches to the end, wherever that is.
  private static func lock(start: off_t, length: off_t) -> flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (start, length)
    return lock
  }
}
