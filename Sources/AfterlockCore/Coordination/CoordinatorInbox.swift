import Synchronization

/// What reaches the coordinator from other threads.
enum CoordinatorInput: Sendable {
  case command(PlayerCommand, CommandOrigin)
  case fact(EngineFact)
  case rateChange(RateChange)
  case artwork(ArtworkImage?, of: TrackID)
  case lifecycle(LifecycleEvent, source: String?)
}

/// The one way in for everything that comes from another thread; keeps the order in which it came.
///
/// The engine holds this and not the coordinator, so the two do not keep each other alive.
final class CoordinatorInbox: Sendable {
  private struct Link {
    weak var coordinator: PlaybackCoordinator?
    /// Something came before there was a coordinator.
    var isWaiting = false
  }

  private let mailbox = OrderedMailbox<CoordinatorInput>()
  private let link = Mutex(Link())

  /// Called on: any thread.
  func post(_ input: CoordinatorInput) {
    if mailbox.post(input) { drain() }
  }

  func connect(to coordinator: PlaybackCoordinator) {
    let isWaiting = link.withLock { link in
      link.coordinator = coordinator
      return link.isWaiting
    }
    if isWaiting { drain() }
  }

  func takeAll() -> [CoordinatorInput] { mailbox.takeAll() }
  func takeAllOrFinish() -> [CoordinatorInput]? { mailbox.takeAllOrFinish() }

  private func drain() {
    let coordinator = link.withLock { link in
      link.isWaiting = link.coordinator == nil
      return link.coordinator
    }
    guard let coordinator else { return }
    Task(priority: .userInitiated) { await coordinator.drainInbox() }
  }
}
