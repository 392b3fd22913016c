public import AfterlockCore

/// How things are at one time of a run.
public struct SceneState: Hashable, Sendable {
  /// Where the app is.
  public enum App: String, Hashable, Sendable, CaseIterable {
    case active, inactive, background, suspended
    /// It does not run any more.
    case ended
  }
  /// What became of the layers.
  public enum Layers: String, Hashable, Sendable, CaseIterable {
    case attached, detached
    /// There are none.
    case none
  }

  /// Whether the noise maker's controls can be used (N).
  public enum Controls: String, Hashable, Sendable, CaseIterable {
    case enabled, disabled
  }

  /// Where the app is.
  public var app = App.active
  /// What became of the layers.
  public var layers = Layers.none
  /// What the viewer wants.
  public var wantsToPlay = false
  /// The rate of the platform's player.
  public var rate = 0.0
  /// Where playback is in the item.
  public var position = Duration.zero
  /// Which item of the queue is current, from 0.
  public var item: Int?
  /// What the app believes that its player does.
  public var playback = PlaybackState.stopped
  /// Why playback is held, by name.
  public var suppression: [String] = []
  /// Whether somebody who listens hears the app.
  public var isAudible = false
  /// Reason of the last rate change.
  public var reason: RateChangeReason?
  /// Who made the last rate change.
  public var origin: String?
  /// The viewer's volume, in percent of the slider.
  public var volume = 100.0
  /// The noise maker's line of status (N); `nil` in another app, as for the two that follow.
  public var status: String?
  /// What the noise maker's toggle reads (N).
  public var toggle: NoiseMaker.Toggle?
  /// Whether the noise maker's controls can be used (N).
  public var controls: Controls?

  /// Nothing has happened.
  public init() {}
}
