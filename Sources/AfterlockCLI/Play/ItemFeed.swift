import AfterlockCore

/// Batches of what the list comes to: the first item alone, so that it sounds at once, then more and more at a time.
///
/// With `isShuffled` the first batch holds everything that is found within `patience`: a random order needs something
/// to choose from. Before it waits for a server, it gives what it has.
struct ItemFeed {
  /// Items for the queue and faults for standard error.
  struct Batch: Hashable, Sendable {
    var items: [QueueItem] = []
    var faults: [ItemFault] = []
  }

  private let source: ItemSource
  private let isShuffled: Bool
  private let patience: Duration
  private var limit = 1
  private static let largest = 16_384

  init(_ source: ItemSource, isShuffled: Bool, patience: Duration = .milliseconds(250)) {
    self.source = source
    self.isShuffled = isShuffled
    self.patience = patience
  }

  /// The next batch; `nil` at the end. A batch without items has faults.
  mutating func next() -> Batch? {
    var batch = Batch()
    let isFirst = limit == 1
    let deadline = ContinuousClock.now + patience
    while let item = source.next() {
      switch item {
      case .media(let location, let title):
        batch.items.append(QueueItem(location: location, title: title))
      case .fault(let fault): batch.faults.append(fault)
      case .waiting:
        guard batch.items.isEmpty, batch.faults.isEmpty else { return take(batch) }
        continue
      }
      if isFirst, isShuffled {
        if ContinuousClock.now >= deadline { break }
      } else if batch.items.count + batch.faults.count >= limit {
        break
      }
    }
    guard !batch.items.isEmpty || !batch.faults.isEmpty else { return nil }
    return take(batch)
  }

  private mutating func take(_ batch: Batch) -> Batch {
    // A fault before the first item does not make it wait either.
    if !batch.items.isEmpty { limit = min(limit * 64, Self.largest) }
    return batch
  }
}
