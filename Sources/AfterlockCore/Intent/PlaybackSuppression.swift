/// Why playback is held although it is wished for; empty when nothing holds it.
public struct PlaybackSuppression: OptionSet, Hashable, Sendable, CustomStringConvertible {
  /// One bit a cause; the values are not stable between versions, the names are.
  public let rawValue: UInt16

  /// The set with these bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A call, an alarm, another program that takes the sound (P11).
  public static let audioSessionInterrupted = Self(rawValue: 1 << 0)
  /// There is no sink to play to (L6).
  public static let routeLost = Self(rawValue: 1 << 1)
  /// The sound server went away (L7).
  public static let serverLost = Self(rawValue: 1 << 2)
  /// The audio session was deactivated under a running player (P3).
  public static let sessionInactive = Self(rawValue: 1 << 3)
  /// The system has suspended the app (P1).
  public static let appSuspended = Self(rawValue: 1 << 4)
  /// The machine sleeps, or is about to (L2).
  public static let systemAsleep = Self(rawValue: 1 << 5)
  /// An interruption ended without leave to resume (P11).
  public static let resumeNotAdvised = Self(rawValue: 1 << 6)
  /// The engine could not start when told to (`setRateFailed`, P8).
  public static let startFailed = Self(rawValue: 1 << 7)
  /// The system paused the player, and by its reason or by configuration that is not undone at once.
  public static let systemPaused = Self(rawValue: 1 << 8)
  /// The screen is locked, and playback is held meanwhile by configuration (L1).
  public static let screenLocked = Self(rawValue: 1 << 10)
  /// The sink that was played to has gone, and whether another may have the sound is the viewer's to say (L5).
  public static let sinkLost = Self(rawValue: 1 << 9)
  /// The session manager has taken the stream off its sink for another program, and puts it back itself (L8). The policy
  /// holds nothing for it.
  public static let corked = Self(rawValue: 1 << 11)
  /// No session manager runs that would link the stream to its sink. The policy holds nothing for it.
  public static let noSessionManager = Self(rawValue: 1 << 12)

  /// Every cause, with its name.
  package static let known: [(cause: PlaybackSuppression, name: String)] = [
    (.audioSessionInterrupted, "audioSessionInterrupted"), (.routeLost, "routeLost"),
    (.serverLost, "serverLost"), (.sessionInactive, "sessionInactive"), (.appSuspended, "appSuspended"),
    (.systemAsleep, "systemAsleep"), (.resumeNotAdvised, "resumeNotAdvised"), (.startFailed, "startFailed"),
    (.systemPaused, "systemPaused"), (.screenLocked, "screenLocked"), (.sinkLost, "sinkLost"),
    (.corked, "corked"), (.noSessionManager, "noSessionManager"),
  ]

  /// Causes that a person's Play overrules: to play is worth a try, and only a try can tell. Play on a lock screen is said
  /// in the face of the lock.
  ///
  /// The others are facts that no wish changes: there is no server, no sink, no running machine.
  public static let liftedByPerson: Self = [
    .audioSessionInterrupted, .sessionInactive, .resumeNotAdvised, .startFailed, .systemPaused, .screenLocked,
    .sinkLost,
  ]

  /// The names of the causes, in a fixed order.
  public var causes: [String] { Self.known.filter { contains($0.cause) }.map(\.name) }

  /// The causes on one line, for messages.
  public var description: String { causes.joined(separator: ", ") }
}
