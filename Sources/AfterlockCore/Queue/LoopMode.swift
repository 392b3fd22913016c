/// What happens at the end of a track and of the queue; the words of MPRIS in lower case.
public enum LoopMode: String, Hashable, Sendable, CaseIterable {
  /// The queue is played once.
  case none
  /// The current track is played again and again.
  case track
  /// The queue begins again after its end, shuffled anew when it is shuffled.
  case playlist

  /// The next in the circle none, track, playlist.
  var following: LoopMode {
    switch self {
    case .none: .track
    case .track: .playlist
    case .playlist: .none
    }
  }
}

/// Something to put into the queue.
public struct QueueItem: Hashable, Sendable {
  /// Where the sound comes from.
  public var location: MediaLocation
  /// A title from a playlist, used until the file's own tags are known.
  public var title: String?

  /// An item at `location`.
  public init(location: MediaLocation, title: String? = nil) {
    self.location = location
    self.title = title
  }
}
