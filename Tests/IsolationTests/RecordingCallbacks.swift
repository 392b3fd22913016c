import AfterlockCore
import Foundation
import Synchronization

/// What a `MediaCallbackActor` handed on.
final class RecordingCallbacks: Sendable {
  private struct State {
    var commands: [PlayerCommand] = []
    var artwork: [(TrackID, ArtworkImage?)] = []
    var wasOnMainThread = false
  }

  private let state = Mutex(State())
  /// Signalled once for each command and each picture.
  private let arrived = DispatchSemaphore(value: 0)

  var commands: [PlayerCommand] { state.withLock(\.commands) }
  var artwork: [(TrackID, ArtworkImage?)] { state.withLock(\.artwork) }
  var wasOnMainThread: Bool { state.withLock(\.wasOnMainThread) }

  func take(_ command: PlayerCommand) {
    note { $0.commands.append(command) }
  }

  func take(_ track: TrackID, _ image: ArtworkImage?) {
    note { $0.artwork.append((track, image)) }
  }

  private func note(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      if Thread.isMainThread { state.wasOnMainThread = true }
    }
    arrived.signal()
  }

  /// Waits on a thread of its own until `condition` holds, or for 20 s.
  func waits(until condition: @escaping @Sendable (RecordingCallbacks) -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let end = DispatchTime.now() + .seconds(20)
        while !condition(self) {
          guard self.arrived.wait(timeout: end) == .success else {
            continuation.resume(returning: condition(self))
            return
          }
        }
        continuation.resume(returning: true)
      }
    }
  }
}

/// What a C library would get as its context.
final class ForeignContext: Sendable {
  let actor: MediaCallbackActor
  let callsEach: Int

  init(_ actor: MediaCallbackActor, callsEach: Int) {
    self.actor = actor
    self.callsEach = callsEach
  }

  /// The level that call `number` of `thread` sets: tells both apart.
  func command(thread: Int, number: Int) -> PlayerCommand {
    .setVolume(Volume(slider: Double(thread * callsEach + number) / 100_000))
  }

  /// Which thread and call a command came from.
  func source(of command: PlayerCommand) -> (thread: Int, number: Int)? {
    guard case .setVolume(let volume) = command else { return nil }
    let index = Int((volume.slider * 100_000).rounded())
    return (index / callsEach, index % callsEach)
  }
}
