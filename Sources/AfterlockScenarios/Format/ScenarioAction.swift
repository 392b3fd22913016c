public import AfterlockCore

/// What can happen in a scenario.
public enum ScenarioAction: Hashable, Sendable {
  /// What an interruption comes from (P11).
  public enum InterruptionKind: String, Hashable, Sendable, CaseIterable {
    case call, alarm
    /// Another app's sound: an ambient session mixes with it, and is not interrupted (P2).
    case otherAudio
  }
  /// When the pause that an interruption forces is seen (P11).
  public enum ForcedPauseMoment: String, Hashable, Sendable, CaseIterable {
    /// Before the notice that it began.
    case before
    /// After that notice.
    case after
    /// Only after the notice that it ended.
    case afterEnd
  }

  // The viewer.
  case play
  case pause
  case toggle
  case stop
  case next
  case previous
  case seek(to: Duration)
  /// In percent of the slider.
  case volume(to: Double)
  /// A view that shows the video comes on screen.
  case addLayer
  /// The layer that came last goes away, and nobody else keeps it.
  case dropLayer

  // Lock screen and headset.
  case remotePlay
  case remotePause
  case remoteToggle
  case remoteNext
  case remotePrevious
  case remoteSeek(to: Duration)

  // The phone.
  /// The lock; with `skipsInactive` the app hears of the background straight away (P6, P7).
  case sideButton(skipsInactive: Bool)
  /// The phone's or the desktop's screen is unlocked.
  case unlock
  case switchApp
  case returnToApp
  case openControlCenter
  case closeControlCenter
  case ringSwitchSilent
  case ringSwitchRing
  case beginInterruption(InterruptionKind, pauseSeen: ForcedPauseMoment)
  /// `nil` when the notice comes without its options (P11).
  case endInterruption(shouldResume: Bool?)
  case unplugRoute
  case plugRoute
  case terminate

  // The desktop.
  case lock
  case sleep
  case wake
  case removeSink
  case addSink
  case setDefaultSink
  case killServer
  case startServer
  case cork
  case uncork
  case duck
  case unduck
  case killBus
  case startBus

  // The item.
  case failItem
  case endItem
}
