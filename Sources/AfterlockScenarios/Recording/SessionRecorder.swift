public import AfterlockCore
import Synchronization

/// Keeps the lines of a log that a ``RecordedSession`` is made of: as many as go into one, and no more, however long the
/// session is.
///
/// Called on: any thread.
public final class SessionRecorder: Sendable {
  private let kept = Mutex<[PlaybackLogLine]>([])

  /// Nothing recorded yet.
  public init() {}

  /// Takes the next line of the log.
  public func take(_ line: PlaybackLogLine) {
    kept.withLock { lines in
      // One more says that there were more.
      if lines.count <= RecordedSession.mostLines { lines.append(line) }
    }
  }

  /// The session so far; `nil` when nothing has happened.
  public var session: RecordedSession? { RecordedSession(kept.withLock(\.self)) }
}
