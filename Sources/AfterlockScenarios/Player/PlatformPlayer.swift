package import AfterlockCore

/// The platform's player: the app steers it as its engine, and the platform steers it behind the app's back.
///
/// What it has to tell the app waits until the platform delivers it, on a thread of its choice. In virtual time it is a
/// ``VirtualPlayer``; over a real engine it is one that waits for that.
package protocol PlatformPlayer: PlaybackEngine {
  /// The platform holds the player by itself, and says why (P8). Nothing to tell where it is held already.
  func pauseBySystem(reason: RateChangeReason)
  /// Whether the platform lets nothing of the sound be heard, although the player runs.
  func setSilenced(_ isSilenced: Bool)
  /// Whether a start fails: somebody else has the sound (P11).
  func setRefusesStart(_ refuses: Bool)
  /// The media service is gone, and the player with it: it is held, does nothing, and says nothing (P13).
  func die()
  /// The app has made a new one, held, with the same item at the same place, and with what was asked of the dead one (P13).
  func renew()
  /// The current item breaks off.
  func failItem()
  /// The current item goes to its end at once.
  func endItem()
  /// What the app has not been told yet, in order. Waits until all that was asked of the player so far is done.
  func takeReports() async -> [PlatformReport]
  /// Lets time go by until `time`, or until the player has something to tell.
  /// - Returns: the time that it is then, no later than `time`.
  func advance(to time: Duration) async -> Duration
  /// The player's rate.
  var rate: Double { get }
  /// Whether the player runs, has something to play, and nothing silences it.
  var isSounding: Bool { get }
}

/// Something that the platform's player has to tell.
package enum PlatformReport: Hashable, Sendable {
  /// The rate changed: posted as a notification (P8).
  case rate(Double, RateChangeReason, runID: UInt64?)
  /// A fact about an item.
  case fact(EngineFact)
}
