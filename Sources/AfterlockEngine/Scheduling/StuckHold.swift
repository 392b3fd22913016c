internal import AfterlockRealtime
internal import Dispatch
internal import Synchronization

/// Holds the streams for an engine that is stuck in the read of a file, from a disk that must spin up or a server's folder:
/// whoever pauses wants silence now, not when the two seconds in the ring are over.
///
/// Called on: any thread.
final class StuckHold: Sendable {
  private struct State {
    /// Pauses that were asked for, and how many of them the engine has come to.
    var asked: UInt64 = 0
    var taken: UInt64 = 0
    var isForced = false
    /// The streams that may sound; closed ones do not mind.
    var streams: [any AudioStream] = []
  }

  private let state = Mutex(State())
  /// The engine is quicker than this unless it waits for something.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  /// A pause is on its way to the engine.
  func ask() {
    let ticket = state.withLock { state in
      state.asked += 1
      return state.asked
    }
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + Self.patience) {
      self.state.withLock { state in
        guard state.taken < ticket else { return }
        state.isForced = true
        for stream in state.streams { stream.setActive(false) }
      }
    }
  }

  /// The engine has come to a pause. `true` when its streams have been held meanwhile, without a fade.
  func take() -> Bool {
    state.withLock { state in
      state.taken += 1
      defer { state.isForced = false }
      return state.isForced
    }
  }

  /// No more than these are in use at once, besides what drains.
  func add(_ stream: any AudioStream) {
    state.withLock { $0.streams = $0.streams.suffix(DecodingEngine.mostLanes - 1) + [stream] }
  }

  /// The engine lets go of all.
  func removeAll() { state.withLock { $0.streams = [] } }
}
