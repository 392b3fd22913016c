import AfterlockCore
import Synchronization

/// Where the sources of the screen's lock meet, whichever thread each of them reports on (L1).
///
/// Safe from any thread. The player is told under the lock, so that it hears of locks and unlocks in their order.
final class LockSources: Sendable {
  private struct State {
    var lock = ScreenLock()
    /// Asks sources how things are.
    var askers: [@Sendable ([ScreenLock.Source]) -> Void] = []
  }

  private let state = Mutex(State())
  private let tell: @Sendable (LifecycleEvent, _ source: String) -> Void

  /// - Parameter tell: tells the player; does not wait and does not call back.
  init(tell: @escaping @Sendable (LifecycleEvent, _ source: String) -> Void) { self.tell = tell }

  /// Adds somebody who can ask sources how things are; passes over those that it does not know.
  func add(asker: @escaping @Sendable ([ScreenLock.Source]) -> Void) {
    state.withLock { $0.askers.append(asker) }
  }

  /// Takes what a source says.
  func take(_ report: ScreenLock.Report) {
    state.withLock { state in
      for effect in state.lock.take(report) {
        switch effect {
        case .tell(let isLocked, let source): tell(isLocked ? .screenLocked : .screenUnlocked, source)
        case .ask(let sources): for ask in state.askers { ask(sources) }
        case .awaitConfirmation(let request):
          Task { [weak self] in
            try? await Task.sleep(for: ScreenLock.patience)
            self?.take(.requestExpired(request))
          }
        }
      }
    }
  }
}
