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

  /// Who tells of a lock of the desktop's screen; no one of them is on every desktop (L1).
  public enum LockSource: String, Hashable, Sendable, CaseIterable {
    /// logind's signals `Lock` and `Unlock`: requests, and no state.
    case request
    /// logind's property `LockedHint`.
    case lockedHint
    /// `org.gnome.ScreenSaver`.
    case gnome
    /// `org.freedesktop.ScreenSaver`.
    case freedesktop
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
  /// The phone's or the desktop's screen is unlocked; the sources are the desktop's, each of which may go by itself (L1).
  case unlock(by: Set<LockSource>)
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
  case lock(by: Set<LockSource>)
  case sleep
  /// The machine wakes; logind's word for it may be lost (L2).
  case wake(isTold: Bool)
  /// The sink of that kind goes, or the default one; the session manager may pause players before it does, as WirePlumber
  /// does since 0.5.11 (L4).
  case removeSink(kind: SinkKind?, sessionManagerPauses: Bool)
  case addSink(kind: SinkKind)
  /// The viewer chooses the sink of that kind, or another one than it is now (L5).
  case setDefaultSink(kind: SinkKind?)
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

/// Actions as they are without their further arguments.
extension ScenarioAction {
  /// Every source tells of the lock.
  public static var lock: Self { .lock(by: Set(LockSource.allCases)) }
  /// Every source tells of the unlock.
  public static var unlock: Self { .unlock(by: Set(LockSource.allCases)) }
  /// The machine wakes, and logind says so.
  public static var wake: Self { .wake(isTold: true) }
  /// The default sink goes, and the session manager pauses the players before.
  public static var removeSink: Self { .removeSink(kind: nil, sessionManagerPauses: true) }
  /// Loudspeakers come.
  public static var addSink: Self { .addSink(kind: .other) }
  /// The viewer chooses another sink than the one that it is now.
  public static var setDefaultSink: Self { .setDefaultSink(kind: nil) }
}
