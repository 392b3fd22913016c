public import AfterlockCore

/// The parts of the app that decide whether sound goes on; each can be switched off on its own (F).
///
/// The default is the complete fix.
public struct AppParts: Hashable, Sendable {
  /// Which app it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The player.
    case player
    /// The smallest app of the kind (N).
    case noiseMaker
  }
  /// When the app activates and deactivates its audio session (P3).
  public enum SessionHabit: String, Hashable, Sendable, CaseIterable {
    /// Right before it plays.
    case beforePlay
    /// Never.
    case never
    /// Right before it plays; and it lets go of it when it resigns active, which silences it in the background.
    case deactivatesOnResign
  }
  /// When layers get the player back (P4).
  public enum ReattachMoment: String, Hashable, Sendable, CaseIterable {
    /// Never.
    case never
    /// When the app is in front again.
    case didBecomeActive
  }
  /// How the reason of a rate change gets to the coordinator (P8, P10).
  public enum ReasonCarrier: String, Hashable, Sendable, CaseIterable {
    /// In the notification itself, which the device build's compiler refuses.
    case notification
    /// As a plain string.
    case string
  }
  /// Where the artwork closure is formed (P9).
  public enum ArtworkOrigin: String, Hashable, Sendable, CaseIterable {
    /// In main-actor code: it dies when it is called on another thread.
    case mainActor
    /// In nonisolated code.
    case nonisolated
  }
  /// What becomes of playback when its route goes (L5, P12).
  public enum RouteLoss: String, Hashable, Sendable, CaseIterable {
    /// Held until the viewer says Play where it was the listener's own: a headset, Bluetooth, USB. All that a phone loses is.
    case pause
    /// Goes on wherever there is sound.
    case follow
  }

  /// Which app it is.
  public var kind = Kind.player
  /// `UIBackgroundModes` (P1).
  public var backgroundModes: Set<String> = ["audio"]
  /// The audio session's category (P2).
  public var category = AudioSession.Category.playback
  /// The audio session's mode (P2).
  public var mode = AudioSession.Mode.moviePlayback
  /// When the audio session is active (P3).
  public var activatesSession = SessionHabit.beforePlay
  /// What the player is to do in the background (P5).
  public var backgroundPolicy = PolicyConfiguration.BackgroundPolicy.continuesIfPossible
  /// When the player is taken off its layers (P6).
  public var detachesLayersAt = PolicyConfiguration.DetachMoment.willResignActive
  /// When layers get the player back (P4).
  public var reattachesLayersAt = ReattachMoment.didBecomeActive
  /// Whether the video tracks of an item are disabled when the app leaves the front (P4, files only).
  public var disablesVideoTracks = false
  /// What decides whether to go on (P7).
  public var decidesBy = PolicyConfiguration.DecisionBasis.intent
  /// Whether a pause by the system is undone (P8).
  public var undoesSystemPause = true
  /// How the reason of a rate change crosses isolation (P8, P10).
  public var reasonCrossesAs = ReasonCarrier.string
  /// Where the artwork closure is formed (P9).
  public var artworkBuiltIn = ArtworkOrigin.nonisolated
  /// What a lock of the desktop's screen does (L1).
  public var onLock = PolicyConfiguration.LockPolicy.continues
  /// What the loss of the route does (L5, P12).
  public var onRouteLoss = RouteLoss.pause

  /// The complete fix.
  public init() {}

  /// What of it the product's own policy carries.
  public var policyConfiguration: PolicyConfiguration {
    var configuration = PolicyConfiguration()
    configuration.backgroundPolicy = backgroundPolicy
    configuration.detachesLayersAt = detachesLayersAt
    configuration.reattachesLayers = reattachesLayersAt == .didBecomeActive
    configuration.decidesBy = decidesBy
    configuration.undoesSystemPause = undoesSystemPause
    configuration.activatesSession = activatesSession != .never
    configuration.onLock = onLock
    configuration.onRouteLoss = onRouteLoss == .pause ? .auto : .follow
    return configuration
  }
}
