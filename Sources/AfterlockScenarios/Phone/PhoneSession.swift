import Synchronization

/// The phone's side of the audio session.
final class PhoneSession: Sendable {
  private struct State {
    var isActive = false
    var isTaken = false
  }
  private let state = Mutex(State())

  /// Whether the app's session is active.
  var isActive: Bool { state.withLock(\.isActive) }

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
