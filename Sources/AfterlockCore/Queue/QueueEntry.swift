/// Names one occurrence in the queue: unique per occurrence and stable under reordering, as MPRIS asks of a track id.
public struct TrackID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number; it says nothing about the place in the queue.
  public let rawValue: UInt64
  /// The id with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The number in decimal.
  public var description: String { String(rawValue) }
  /// By age: an entry added later is greater.
  public static func < (a: TrackID, b: TrackID) -> Bool { a.rawValue < b.rawValue }
}

/// One occurrence of an item in the queue.
public struct QueueEntry: Hashable, Sendable, Identifiable {
  /// Names this occurrence.
  public let id: TrackID
  /// Where the sound comes from.
  public let location: MediaLocation
  /// A title from a playlist, used until the file's own tags are known.
  public var title: String?

  /// An entry under `id`; the queue gives out the ids.
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
  /// Grows with every run of one coordinator.
  public let id: UInt64
  /// What is played.
  public let entry: QueueEntry
  /// A run of `entry`.
  public init(id: UInt64, entry: QueueEntry) {
    self.id = id
    self.entry = entry
  }
}
