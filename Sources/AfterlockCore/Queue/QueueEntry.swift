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

/// Where new items go in the list.
public enum QueuePlace: Hashable, Sendable {
  /// Before all others.
  case start
  /// Behind this entry; at the end where it is not in the list, or not any more.
  case after(TrackID)
  /// Behind the current entry; at the end where none is current.
  case afterCurrent
  /// Behind all others.
  case end
}

/// Every entry, in the order of the list, as it was at one time.
public struct QueueListing: Sendable {
  /// Another one for another list; as `PlayerSnapshot` has it.
  public var version: UInt64
  /// The entries in the order of the list.
  public var entries: [QueueEntry]
  /// A list under its version.
  public init(version: UInt64 = 0, entries: [QueueEntry] = []) {
    self.version = version
    self.entries = entries
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
