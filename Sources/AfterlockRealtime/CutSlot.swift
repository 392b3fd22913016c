import Synchronization

/// One agreement between producer and consumer about a range that shall not be heard, made without waiting.
///
/// Both sides write down what they are about to do before they look at the other's note: the consumer how far it will
/// read (`claimed`), the producer which cut it wants. So at least one of them sees the other's, and where both do, the
/// exchange of one word decides.
struct CutSlot: ~Copyable, Sendable {
  struct Pending {
    var number: UInt64
    var from: Int64
    var to: Int64
  }

  /// Number of the cut times two, plus one while it waits to be made.
  private let word = Atomic<UInt64>(0)
  /// End of what the consumer reads in this segment.
  private let claimed = Atomic<Int64>(0)
  // Two places in turn, so that the one under the consumer's eyes is not written while it can still win it.
  private let from0 = Atomic<Int64>(0)
  private let from1 = Atomic<Int64>(0)
  private let to0 = Atomic<Int64>(0)
  private let to1 = Atomic<Int64>(0)

  /// Called on: the producer.
  func propose(from: Int64, to: Int64, extending pending: Pending?) -> (Pending?, isCertain: Bool) {
    if let pending, pending.to == from {
      let longer = Pending(number: pending.number + 1, from: pending.from, to: to)
      store(longer)
      // The shorter cut is certain already, so the consumer makes either the one or the other.
      let (isOurs, _) = word.compareExchange(
        expected: pending.number << 1 | 1, desired: longer.number << 1 | 1,
        ordering: .sequentiallyConsistent)
      if isOurs { return (longer, true) }
    }
    let number = (word.load(ordering: .sequentiallyConsistent) >> 1) + 1
    let cut = Pending(number: number, from: from, to: to)
    store(cut)
    word.store(number << 1 | 1, ordering: .sequentiallyConsistent)
    if claimed.load(ordering: .sequentiallyConsistent) <= from { return (cut, true) }
    // The consumer may have looked before the cut was there. Take it back; if it is gone, the consumer has made it.
    let (isWithdrawn, _) = word.compareExchange(
      expected: number << 1 | 1, desired: number << 1, ordering: .sequentiallyConsistent)
    return isWithdrawn ? (nil, false) : (nil, true)
  }

  /// What the consumer may do with the frames it is about to read.
  enum Decision {
    case readUpTo(Int64)
    case jump(to: Int64)
  }

  /// Called on: the consumer, before it reads [`start`, `end`).
  @_noLocks @_noAllocation
  func claim(from start: Int64, to end: Int64) -> Decision {
    claimed.store(end, ordering: .sequentiallyConsistent)
    // Bounded: a round is repeated only when the producer has proposed something new in between.
    var round = 0
    while round < 8 {
      let seen = word.load(ordering: .sequentiallyConsistent)
      if seen & 1 == 0 { return .readUpTo(end) }
      let isOdd = seen >> 1 & 1 == 1
      let from = isOdd ? from1.load(ordering: .acquiring) : from0.load(ordering: .acquiring)
      let to = isOdd ? to1.load(ordering: .acquiring) : to0.load(ordering: .acquiring)
      if from == start {
        let (isOurs, _) = word.compareExchange(
          expected: seen, desired: seen & ~1, ordering: .sequentiallyConsistent)
        if isOurs { return .jump(to: to) }
      } else if word.load(ordering: .sequentiallyConsistent) == seen {
        return .readUpTo(from > start ? min(from, end) : end)
      }
      round += 1
    }
    return .readUpTo(start)
  }

  private func store(_ cut: Pending) {
    if cut.number & 1 == 1 {
      from1.store(cut.from, ordering: .releasing)
      to1.store(cut.to, ordering: .releasing)
    } else {
      from0.store(cut.from, ordering: .releasing)
      to0.store(cut.to, ordering: .releasing)
    }
  }
}
