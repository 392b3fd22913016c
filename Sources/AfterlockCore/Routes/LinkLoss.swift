/// Why a stream is not linked to its sink although that is there.
public enum LinkLoss: Hashable, Sendable {
  /// The session manager has taken it off, for another program: a role policy's cork (L8).
  case corked
  /// No session manager runs, and nobody else makes links.
  case noSessionManager

  /// The cause of silence that it is.
  public var suppression: PlaybackSuppression {
    switch self {
    case .corked: .corked
    case .noSessionManager: .noSessionManager
    }
  }

  /// What the log says when it is over.
  static let endMessage = "the session manager has put the stream back on its sink"

  /// What the log says of it.
  var message: String {
    switch self {
    case .corked: "the session manager has taken the stream off its sink, for another program"
    case .noSessionManager: "no session manager runs, and so nothing links the stream to its sink"
    }
  }
}
