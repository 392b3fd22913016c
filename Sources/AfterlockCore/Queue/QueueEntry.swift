/// Names one occurrence in the queue: unique per occurrence and stable under reordering, as MPRIS asks of a track id.
public struct TrackID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public var description: String { String(rawValue) }
  public static func < (a: TrackID, b: TrackID) -> Bool { a.rawValue < b.rawValue }
}

/// One occurrence of an item in the queue.
public struct QueueEntry: Hashable, Sendable, Identifiable {
  public let id: TrackID
  public let location: MediaLocation
  /// A title from a playlist, used until the file's own tags are known.
  public var title: String?

  public init(id: TrackID, location: MediaLocation, title: String? = nil) {
    self.id = id
    self.location = location
    self.title = title
  }
}

/// One time that an entry is played.
///
/// A looped track is the same entry in a new run. Facts carry the run, so a fact about something that was left
/// in the meantime is known to be stale.
public struct PlaybackRun: Hashable, Sendable {
  public let id: UInt64
  public let entry: QueueEntry
  public init(id: UInt64, entry: QueueEntry) {
    self.id = id
    self.entry = entry
  }
}
