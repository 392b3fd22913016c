/// Who asked for something, or made it happen.
public enum CommandOrigin: Hashable, Sendable {
  /// The person at this player's own controls.
  case viewer
  /// A person through another program: a media key, a lock screen, a headset. What is not known is `nil`. The session
  /// manager comes this way too, and is none (L4).
  case remote(busName: String?, processID: Int32?, program: String?)
  /// The platform or a program that acts for it; never a person (L4).
  case system
  /// The player itself: the end of a queue, an item that fails.
  case engine

  /// Programs that pause players themselves when their sink goes, by the name that the kernel has for the process (L4).
  static let sessionManagers: Set<String> = ["wireplumber"]

  /// Whether it is the desktop's session manager that asks, over the bus as a person's programs do.
  public var isSessionManager: Bool {
    guard case .remote(_, _, let program?) = self else { return false }
    return Self.sessionManagers.contains(program)
  }

  /// Whether a person's wish stands behind it; only then may it change the intent.
  public var isPerson: Bool {
    switch self {
    case .viewer: true
    case .remote: !isSessionManager
    case .system, .engine: false
    }
  }

  /// The word that the log uses: `viewer`, `remote`, `system` or `engine`.
  public var name: String {
    switch self {
    case .viewer: "viewer"
    case .remote where isSessionManager: "system"
    case .remote: "remote"
    case .system: "system"
    case .engine: "engine"
    }
  }
}
