import Synchronization

/// Takes values from any thread and hands them to one reader in the order in which they came.
///
/// One task drains it at a time: the order of several unstructured tasks is not promised, so there is never a task for each
/// value.
final class OrderedMailbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isBeingDrained = false
  }

  private let state = Mutex(State())

  /// Adds an element, after giving `merge` the last one that waits to change it instead.
  /// - Parameter merge: returns `true` when it has taken the element in. Called with the lock held.
  /// - Returns: `true` when the caller has to see to it that the mailbox is drained.
  func post(_ element: Element, merge: (inout Element) -> Bool = { _ in false }) -> Bool {
    state.withLock { state in
      if let last = state.elements.indices.last, merge(&state.elements[last]) { return false }
      state.elements.append(element)
      defer { state.isBeingDrained = true }
      return !state.isBeingDrained
    }
  }

  /// Everything that waits; the reader may call it at any time to catch up.
  func takeAll() -> [Element] {
    state.withLock { state in
      defer { state.elements = [] }
      return state.elements
    }
  }

  /// Everything that waits, or `nil` when nothing does: then the drain is over and the next post asks for another.
  func takeAllOrFinish() -> [Element]? {
    state.withLock { state in
      guard !state.elements.isEmpty else {
        state.isBeingDrained = false
        return nil
      }
      defer { state.elements = [] }
      return state.elements
    }
  }
}
