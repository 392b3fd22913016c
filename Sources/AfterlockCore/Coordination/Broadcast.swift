import Synchronization

/// Sends values to any number of streams; they end when it goes away.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    var nextID = 0
    /// What a new stream begins with.
    var backlog: [Element] = []
  }

  private let state = Mutex(State())
  private let keepsAll: Bool

  /// - Parameter keepsAll: a new stream begins with every value so far, else with the latest only.
  init(keepsAll: Bool) { self.keepsAll = keepsAll }

  deinit {
    for continuation in state.withLock({ $0.continuations }).values { continuation.finish() }
  }

  func send(_ element: Element) {
    state.withLock { state in
      if !keepsAll { state.backlog = [] }
      state.backlog.append(element)
      // Yielding under the lock keeps the order the same for all; a yield never calls back.
      for continuation in state.continuations.values { continuation.yield(element) }
    }
  }

  func stream() -> AsyncStream<Element> {
    let policy: AsyncStream<Element>.Continuation.BufferingPolicy =
      keepsAll ? .unbounded : .bufferingNewest(1)
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    let id = state.withLock { state in
      state.nextID += 1
      state.continuations[state.nextID] = continuation
      for element in state.backlog { continuation.yield(element) }
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in self?.forget(id) }
    return stream
  }

  private func forget(_ id: Int) {
    _ = state.withLock { $0.continuations.removeValue(forKey: id) }
  }
}
