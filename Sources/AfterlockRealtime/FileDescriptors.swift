public import AfterlockCore
import Glibc

/// The file descriptors that this process may still open.
///
/// Asked before what needs several of them: PipeWire does not say that it ran out of them, but waits for ever for what it
/// could not take in, and Dispatch ends the process.
public enum FileDescriptors {
  /// What is wrong when fewer than `needed` can be opened now; `nil` when there are enough. Opens none. From any thread;
  /// another thread may take some meanwhile.
  public static func shortage(of needed: Int) -> PlaybackFailure? {
    // From the top: the system gives the lowest free number, so that few have to be looked at.
    var (free, descriptor) = (0, limit)
    while free < needed, descriptor > 0 {
      descriptor -= 1
      if fcntl(descriptor, F_GETFD) == -1 { free += 1 }
    }
    return free < needed ? failure(needed: needed) : nil
  }

  /// What to say where `needed` could not be opened: the same words each time, since a list may fail over and over.
  public static func failure(needed: Int) -> PlaybackFailure {
    PlaybackFailure(
      .tooFewDescriptors,
      "Too few file descriptors are left (the limit is \(limit), about \(needed) free ones are needed); "
        + "raise the limit with \"ulimit -n \(max(1024, 2 * Int(limit)))\".")
  }

  /// The process's soft limit: every number lies below it.
  private static var limit: CInt {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return .max }
    return CInt(clamping: limits.rlim_cur)
  }
}
