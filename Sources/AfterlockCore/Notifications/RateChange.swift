/// One change of the rate of playback, as a value that may cross isolation.
public struct RateChange: Hashable, Sendable {
  /// 0 is paused, 1 is as recorded.
  public var rate: Double
  /// Why it changed.
  public var reason: RateChangeReason
  /// The run that was current, when the poster knows it.
  public var runID: UInt64?

  /// A change to `rate` for `reason`.
  public init(rate: Double, reason: RateChangeReason, runID: UInt64? = nil) {
    self.rate = rate
    self.reason = reason
    self.runID = runID
  }
}

extension RateChangeReason {
  /// The audio session was deactivated (P3).
  public static let sessionInactive = Self(rawValue: "sessionInactive")
  /// An interruption began: the player's own pause, beside the one that the platform forces with
  /// ``audioSessionInterrupted`` (P11).
  public static let interruptionBegan = Self(rawValue: "interruptionBegan")
  /// The screen was locked (L1).
  public static let screenLocked = Self(rawValue: "screenLocked")
  /// The screen was unlocked (L1).
  public static let screenUnlocked = Self(rawValue: "screenUnlocked")
  /// The app was suspended (P1).
  public static let appSuspended = Self(rawValue: "appSuspended")

  /// Reasons of the player's own commands: their notification only confirms what was decided here, and may come so late
  /// that the opposite has been decided since. What they stand for comes as an event of its own.
  package static let confirmations: Set<RateChangeReason> = [
    .setRateCalled, .routeLost, .routeRestored, .systemSleep, .systemWake, .serverLost, .serverRestored,
    .endOfQueue, .itemFailed, .sessionInactive, .appSuspended, .interruptionBegan, .screenLocked,
    .screenUnlocked,
  ]
}
