import AfterlockCore
import Synchronization

/// What the app has said of the picture of what it plays.
final class PhoneVideo: Sendable {
  private struct State {
    var backgroundPolicy = PolicyConfiguration.BackgroundPolicy.automatic
    var hasTracks = true
  }
  private let state = Mutex(State())

  /// What is to become of playback in the background (P5).
  var backgroundPolicy: PolicyConfiguration.BackgroundPolicy {
    get { state.withLock(\.backgroundPolicy) }
    set { state.withLock { $0.backgroundPolicy = newValue } }
  }

  /// Whether the video tracks of the current item are enabled (P4).
  var hasTracks: Bool {
    get { state.withLock(\.hasTracks) }
    set { state.withLock { $0.hasTracks = newValue } }
  }
}
