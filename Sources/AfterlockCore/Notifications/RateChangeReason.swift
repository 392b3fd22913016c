/// Why the rate of playback changed, as a plain string that may cross isolation (P8).
///
/// A string that is not known here survives and is logged.
public struct RateChangeReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let setRateCalled = Self(rawValue: "setRateCalled")
  public static let setRateFailed = Self(rawValue: "setRateFailed")
  public static let audioSessionInterrupted = Self(rawValue: "audioSessionInterrupted")
  public static let appBackgrounded = Self(rawValue: "appBackgrounded")
  public static let routeLost = Self(rawValue: "routeLost")
  public static let routeRestored = Self(rawValue: "routeRestored")
  public static let systemSleep = Self(rawValue: "systemSleep")
  public static let systemWake = Self(rawValue: "systemWake")
  public static let serverLost = Self(rawValue: "serverLost")
  public static let serverRestored = Self(rawValue: "serverRestored")
  public static let endOfQueue = Self(rawValue: "endOfQueue")
  public static let itemFailed = Self(rawValue: "itemFailed")
}
