/// What the engine does, whatever is wished for.
public enum PlaybackState: String, Hashable, Sendable, CaseIterable {
  /// Nothing is loaded.
  case stopped
  /// An item is being opened.
  case loading
  /// An item is open and held, by wish or by a suppression.
  case paused
  /// An item is open and its sound goes to the output.
  case playing
  /// The queue has been played to its end.
  case ended
}
