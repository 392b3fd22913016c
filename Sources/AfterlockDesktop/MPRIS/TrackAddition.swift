public import AfterlockCore

/// Something that a client wants in the list.
public struct TrackAddition: Hashable, Sendable {
  /// What becomes of the first track that is added.
  public enum Use: Hashable, Sendable {
    /// It waits for its turn.
    case wait
    /// It is the current one; paused stays paused, and stopped stays stopped.
    case isCurrent
    /// It is the current one, and plays.
    case isPlayed
  }

  /// A file or a folder (`file:`) or an address of the web; a playlist stands for its items.
  public var address: String
  /// Where it goes.
  public var place: QueuePlace
  /// What becomes of it.
  public var use: Use

  /// An addition to a list.
  public init(_ address: String, at place: QueuePlace, _ use: Use) {
    self.address = address
    self.place = place
    self.use = use
  }
}
