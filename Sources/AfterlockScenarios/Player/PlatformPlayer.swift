import AfterlockCore

/// The platform's player: the app steers it as its engine, and the platform steers it behind the app's back.
///
/// What it has to tell the app waits until the platform delivers it, on a thread of its choice.
protocol PlatformPlayer: PlaybackEngine {
  /// The platform starts or holds the player by itself, and says why (P8).
  func pauseBySystem(reason: RateChangeReason)
  /// Whether the platform lets nothing of the sound be heard, although the player runs.
  func setSilenced(_ isSilenced: Bool)
  /// Whether a start fails: somebody else has the sound (P11).
  func setRefusesStart(_ refuses: Bool)
  /// The current item breaks off.
  func failItem()
  /// The current item goes to its end at once.
  func endItem()
  /// What the app has not been told yet, in order; told by handing it to ``PlatformReport``'s way.
  func takeReports() -> [PlatformReport]
  /// The player's rate.
  var rate: Double { get }
  /// When the current item ends if nothing else happens; `nil` when it does not move.
  var nextEnd: Duration? { get }
  /// Lets time go by, no further than ``nextEnd``.
  func advance(to time: Duration)
  /// Whether the player runs, has something to play, and nothing silences it.
  var isSounding: Bool { get }
}

/// Something that the platform's player has to tell.
enum PlatformReport: Hashable, Sendable {
  /// The rate changed: posted as a notification (P8).
  case rate(Double, RateChangeReason, runID: UInt64?)
  /// A fact about an item.
  case fact(EngineFact)
}
