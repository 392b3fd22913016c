/// A rule of a platform or of the noise maker, as this target implements it.
///
/// Each is implemented in one place, which asks ``RuleSet/has(_:)``: so a rule can be switched off to show what it is for,
/// and a test can show that some scenario sees it missing.
public enum Rule: String, Hashable, Sendable, CaseIterable {
  /// Without the capability an app in the background is suspended.
  case capability = "P1"
  /// Ambient and solo ambient are silenced by the lock and by the Ring/Silent switch.
  case category = "P2"
  /// An app in the background whose session is inactive is suspended.
  case sessionActivation = "P3"
  /// A player that shows video is paused when the app enters the background.
  case videoPause = "P4"
  /// The background policy decides whether an app switch pauses.
  case backgroundPolicy = "P5"
  /// The side button: the system's pause comes before the app is in the background.
  case sideButtonOrder = "P6"
  /// The lock may skip `inactive`.
  case skippedInactive = "P7"
  /// The system says why the rate changed.
  case rateReason = "P8"
  /// Artwork closures and command handlers are called off the main thread.
  case foreignThreads = "P9"
  /// The simulator does not reproduce the lock, nor the device build's checks.
  case simulatorDifference = "P10"
  /// Interruptions pause, and tell of their end.
  case interruption = "P11"
  /// The loss of a route pauses; a new one starts nothing.
  case route = "P12"
  /// An interruption and the end of a service deactivate the session.
  case deactivation = "P13"

  // The noise maker.
  /// The toggle reads Play or Pause by the player's state.
  case noiseToggle = "N toggle"
  /// There is a volume slider.
  case noiseVolume = "N volume"
  /// One line says how far the file has come.
  case noiseStatus = "N status"
  /// The file is played again and again.
  case noiseLoop = "N loop"
  /// The session's category is playback.
  case noiseCategory = "N category"
  /// The session is active while it plays.
  case noiseSession = "N session"
  /// The file is opened before Play.
  case noisePrepared = "N prepared"
  /// Lock screen and headset can play, pause and toggle.
  case noiseRemote = "N remote"
  /// A file that cannot be loaded disables the controls, and the status says so.
  case noiseUnloadable = "N unloadable"
}

/// The rules in force.
public struct RuleSet: Hashable, Sendable {
  private var missing: Set<Rule>

  /// All of them, or all but some.
  public init(without missing: Set<Rule> = []) { self.missing = missing }

  /// Whether `rule` is in force.
  public func has(_ rule: Rule) -> Bool { !missing.contains(rule) }
}
