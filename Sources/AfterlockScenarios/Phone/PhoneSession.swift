import AfterlockCore
import Synchronization

/// The phone's side of the audio session.
final class PhoneSession: Sendable {
  private struct State {
    var category = AudioSession.Category.soloAmbient
    var mode = AudioSession.Mode.default
    var isActive = false
    var isTaken = false
  }
  private let state = Mutex(State())

  /// What the app has chosen; solo ambient before (P2).
  var category: AudioSession.Category { state.withLock(\.category) }
  /// What goes with the category (P2).
  var mode: AudioSession.Mode { state.withLock(\.mode) }
  /// Whether the app's session is active.
  var isActive: Bool { state.withLock(\.isActive) }

  /// The app chooses what kind of sound it is (P2).
  func set(_ category: AudioSession.Category, _ mode: AudioSession.Mode) {
    state.withLock { ($0.category, $0.mode) = (category, mode) }
  }

  /// The app activates it, right before it plays (P3). Refused while a call has the sound (P11).
  func activate() { state.withLock { if !$0.isTaken { $0.isActive = true } } }

  /// Deactivated, by the app or by the system (P13).
  func deactivate() { state.withLock { $0.isActive = false } }

  /// Somebody else has the sound, or gives it back (P11).
  var isTaken: Bool {
    get { state.withLock(\.isTaken) }
    set { state.withLock { $0.isTaken = newValue } }
  }
}
