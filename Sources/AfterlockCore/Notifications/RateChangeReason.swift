/// Why the rate of playback changed, as a plain string that may cross isolation (P8).
///
/// A string that is not known here survives and is logged.
public struct RateChangeReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The string as it crosses isolation and as the log has it.
  public let rawValue: String
  /// The reason with this string, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The string itself.
  public var description: String { rawValue }

  /// The player was told to play or to pause (P8).
  public static let setRateCalled = Self(rawValue: "setRateCalled")
  /// The player was told to play and could not (P8).
  public static let setRateFailed = Self(rawValue: "setRateFailed")
  /// A call, an alarm, another program took the sound (P8, P11).
  public static let audioSessionInterrupted = Self(rawValue: "audioSessionInterrupted")
  /// The app went to the background with its video on screen (P4).
  public static let appBackgrounded = Self(rawValue: "appBackgrounded")
  /// The sink went away (L4–L6).
  public static let routeLost = Self(rawValue: "routeLost")
  /// There is a sink again (L6).
  public static let routeRestored = Self(rawValue: "routeRestored")
  /// The machine is about to sleep (L2).
  public static let systemSleep = Self(rawValue: "systemSleep")
  /// The machine is awake again (L2).
  public static let systemWake = Self(rawValue: "systemWake")
  /// The sound server went away (L7).
  public static let serverLost = Self(rawValue: "serverLost")
  /// The sound server is back (L7).
  public static let serverRestored = Self(rawValue: "serverRestored")
  /// The queue has nothing more to play.
  public static let endOfQueue = Self(rawValue: "endOfQueue")
  /// The item broke off.
  public static let itemFailed = Self(rawValue: "itemFailed")

  /// The reasons that this version gives or is given.
  package static let known: [RateChangeReason] = [
    .setRateCalled, .setRateFailed, .audioSessionInterrupted, .appBackgrounded, .routeLost, .routeRestored,
    .systemSleep, .systemWake, .serverLost, .serverRestored, .endOfQueue, .itemFailed,
  ]
}
