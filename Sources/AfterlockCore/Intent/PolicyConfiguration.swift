/// The parts of the fix that the policy carries (F); each can be switched off to see what it is for.
///
/// The default is the whole fix.
public struct PolicyConfiguration: Hashable, Sendable {
  /// What the player is to do in the background (P5).
  public enum BackgroundPolicy: String, Hashable, Sendable, CaseIterable {
    /// As the system sees fit.
    case automatic
    /// Held until the app is active again.
    case pauses
    /// Goes on where it may.
    case continuesIfPossible
  }

  /// When the player is taken off its layers (P6).
  public enum DetachMoment: String, Hashable, Sendable, CaseIterable {
    /// Never: the system pauses a player whose video is on screen (P4).
    case never
    /// Early enough for an app switch and too late for the side button.
    case didEnterBackground
    /// Early enough for both.
    case willResignActive
  }

  /// What decides whether to go on after a pause that nobody wished for (P7).
  public enum DecisionBasis: String, Hashable, Sendable, CaseIterable {
    /// What the engine does at that moment, which may say "paused" already.
    case state
    /// What the person wants.
    case intent
  }

  /// What the player is to do while the desktop's screen is locked (L1).
  public enum LockPolicy: String, Hashable, Sendable, CaseIterable {
    /// Plays on: the lock is no pause.
    case continues = "continue"
    /// Held until the unlock, or until a person says Play in spite of the lock.
    case pauses = "pause"
  }

  /// What the player is to do in the background (P5).
  public var backgroundPolicy: BackgroundPolicy = .continuesIfPossible
  /// When the player is taken off its layers (P6).
  public var detachesLayersAt: DetachMoment = .willResignActive
  /// Whether the layers get the player back when the app is active again (P4).
  public var reattachesLayers = true
  /// What decides whether to go on (P7).
  public var decidesBy: DecisionBasis = .intent
  /// Whether a pause by the system is undone when its reason allows it (P8).
  public var undoesSystemPause = true
  /// Whether the audio session is activated right before play (P3).
  public var activatesSession = true
  /// What the player is to do while the desktop's screen is locked (L1).
  public var onLock: LockPolicy = .continues
  /// What is to happen when the sink that was played to goes away (L5).
  public var onRouteLoss: RouteLossPolicy = .auto

  /// The whole fix.
  public init() {}
}
