import Synchronization

/// What went wrong so far, in order. Copies share what they have in common, and adding to one does not copy it.
///
/// Every snapshot carries the list and a new one is made after each failure: as an array, a queue of a hundred thousand
/// bad files would copy five thousand million of them.
public struct FailureList: Sendable, RandomAccessCollection, Hashable {
  /// Only ever grows, so whoever holds the first `count` of it keeps them.
  private final class Storage: Sendable {
    let items: Mutex<[ItemFailure]>
    init(_ items: [ItemFailure]) { self.items = Mutex(items) }
  }

  private var storage: Storage
  /// Number of failures.
  public private(set) var count: Int
  /// Entries that were passed over or broke off.
  public private(set) var failedCount: Int

  /// A list of `failures`.
  public init(_ failures: some Sequence<ItemFailure> = []) {
    let items = Array(failures)
    storage = Storage(items)
    count = items.count
    failedCount = items.count { $0.extent != .damaged }
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of failures.
  public var endIndex: Int { count }
  /// The failure at `position`.
  public subscript(position: Int) -> ItemFailure {
    precondition(indices.contains(position), "a failure is asked for that the list does not have")
    return storage.items.withLock { $0[position] }
  }

  /// Adds a failure at the end.
  public mutating func append(_ failure: ItemFailure) {
    let known = count
    // Another copy may have gone on from here on its own.
    let branch = storage.items.withLock { items -> [ItemFailure]? in
      guard items.count == known else { return items[..<known] + [failure] }
      items.append(failure)
      return nil
    }
    if let branch { storage = Storage(branch) }
    count += 1
    if failure.extent != .damaged { failedCount += 1 }
  }

  /// Whether both hold the same failures in the same order.
  public static func == (a: FailureList, b: FailureList) -> Bool {
    a.count == b.count && (a.storage === b.storage || a.elementsEqual(b))
  }

  /// Tells lists apart by their length alone.
  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
