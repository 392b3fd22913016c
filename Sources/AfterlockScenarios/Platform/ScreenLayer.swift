import AfterlockCore
import Synchronization

/// A surface of a screen that shows the player's video; the screen alone keeps it.
final class ScreenLayer: PlayerLayer {
  private let attached = Mutex(false)

  /// Whether it has the player.
  var isAttached: Bool { attached.withLock(\.self) }

  func attachPlayer() { attached.withLock { $0 = true } }
  func detachPlayer() { attached.withLock { $0 = false } }
}
