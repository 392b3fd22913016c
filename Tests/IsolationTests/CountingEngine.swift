import AfterlockCore
import Foundation
import Synchronization

/// An engine that counts its commands, and traps when one is given off the main actor.
final class CountingEngine: PlaybackEngine {
  private let count = Mutex(0)

  func perform(_ command: EngineCommand) {
    MainActor.preconditionIsolated()
    count.withLock { $0 += 1 }
  }

  var position: PlaybackPosition { PlaybackPosition(run: nil, time: .zero) }

  /// Waits until `number` commands came, or for 20 s.
  func waits(for number: Int) async -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while count.withLock(\.self) < number {
      guard ContinuousClock.now < end else { return false }
      await Task.yield()
    }
    return count.withLock(\.self) == number
  }
}
