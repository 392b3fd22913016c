import AfterlockCore
import Synchronization

/// A surface of a screen that shows the player's video; the screen alone keeps it.
package final class ScreenLayer: PlayerLayer {
  private let attached = Mutex(false)

  /// Not shown yet.
  package init() {}

  /// Whether it has the player.
  package var isAttached: Bool { attached.withLock(\.self) }

  package func attachPlayer() { attached.withLock { $0 = true } }
  package func detachPlayer() { attached.withLock { $0 = false } }
}
