/// What the platform tells an app about itself: the phone's scene and session (P), the desktop's lock and sleep (L).
public enum LifecycleEvent: Hashable, Sendable {
  /// The app is about to lose the foreground; for the side button this comes before the system's pause (P6).
  case willResignActive
  /// The app is in the background; a lock may skip `willResignActive` (P7).
  case didEnterBackground
  /// The app is on its way back.
  case willEnterForeground
  /// The app is in front again.
  case didBecomeActive
  /// The desktop's screen is locked; may come from several sources for one lock (L1).
  case screenLocked
  /// The desktop's screen is unlocked.
  case screenUnlocked
  /// The machine is about to sleep (L2).
  case systemWillSleep
  /// The machine is awake again.
  case systemDidWake
  /// The system has suspended the app (P1); told when it runs again at the latest.
  case appSuspended
  /// The app runs again.
  case appResumed
  /// The audio session was deactivated by somebody else than this player (P13).
  case sessionDeactivated
  /// The audio session is active again.
  case sessionActivated
  /// A call or an alarm took the sound (P11).
  case interruptionBegan
  /// The interruption is over; `nil` when it came without its options (P11).
  case interruptionEnded(shouldResume: Bool?)

  /// The event's name as the log has it.
  public var name: String {
    switch self {
    case .willResignActive: "willResignActive"
    case .didEnterBackground: "didEnterBackground"
    case .willEnterForeground: "willEnterForeground"
    case .didBecomeActive: "didBecomeActive"
    case .screenLocked: "screenLocked"
    case .screenUnlocked: "screenUnlocked"
    case .systemWillSleep: "systemWillSleep"
    case .systemDidWake: "systemDidWake"
    case .appSuspended: "appSuspended"
    case .appResumed: "appResumed"
    case .sessionDeactivated: "sessionDeactivated"
    case .sessionActivated: "sessionActivated"
    case .interruptionBegan: "interruptionBegan"
    case .interruptionEnded(let shouldResume):
      switch shouldResume {
      case true?: "interruptionEnded(shouldResume)"
      case false?: "interruptionEnded(shouldNotResume)"
      case nil: "interruptionEnded"
      }
    }
  }
}
