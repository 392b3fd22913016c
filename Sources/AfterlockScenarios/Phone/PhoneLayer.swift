import AfterlockCore
import Synchronization

/// A surface of the phone's screen that shows the player's video; the screen alone keeps it.
final class PhoneLayer: PlayerLayer {
  private let attached = Mutex(false)

  /// Whether it has the player.
  var isAttached: Bool { attached.withLock(\.self) }

  func attachPlayer() { attached.withLock { $0 = true } }
  func detachPlayer() { attached.withLock { $0 = false } }
}
