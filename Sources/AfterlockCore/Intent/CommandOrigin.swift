/// Who asked for something, or made it happen.
public enum CommandOrigin: Hashable, Sendable {
  /// The person at this player's own controls.
  case viewer
  /// A person through another program: a media key, a lock screen, a headset. What is not known is `nil`.
  case remote(busName: String?, processID: Int32?, program: String?)
  /// The platform or a program that acts for it; never a person (L4).
  case system
  /// The player itself: the end of a queue, an item that fails.
  case engine

  /// Whether a person's wish stands behind it; only then may it change the intent.
  public var isPerson: Bool {
    switch self {
    case .viewer, .remote: true
    case .system, .engine: false
    }
  }

  /// The word that the log uses: `viewer`, `remote`, `system` or `engine`.
  public var name: String {
    switch self {
    case .viewer: "viewer"
    case .remote: "remote"
    case .system: "system"
    case .engine: "engine"
    }
  }
}
