import Synchronization

/// How far the ring is published and how far the consumer has laid claim to it, in one word, so that one of the two sides
/// is always first: a frame that is claimed cannot be taken back, and one that was taken back cannot be claimed.
///
/// Both are kept modulo 2³²; they are never further apart than the ring is long.
struct FrameClaims: ~Copyable, Sendable {
  /// High half: the end of what the consumer reads or has read. Low half: the end of what is published.
  private let word = Atomic<UInt64>(0)

  /// Called on: the consumer, before it reads from `start`.
  /// - Returns: how far it may read, from `start` to `limit`.
  @_noLocks @_noAllocation
  func claim(from start: Int64, upTo limit: Int64) -> Int64 {
    var seen = word.load(ordering: .acquiring)
    // Bounded: a round is repeated only when the producer has published or taken back something in between.
    var round = 0
    while round < 8 {
      let published = start + Self.distance(from: UInt32(truncatingIfNeeded: start), to: Self.low(seen))
      let end = max(start, min(limit, published))
      let claimed = Self.word(claimed: UInt32(truncatingIfNeeded: end), published: Self.low(seen))
      let (isOurs, now) = word.compareExchange(
        expected: seen, desired: claimed, ordering: .acquiringAndReleasing)
      if isOurs { return end }
      seen = now
      round += 1
    }
    return start
  }

  /// Called on: the producer.
  func publish(upTo index: Int64) {
    var seen = word.load(ordering: .relaxed)
    while true {
      let published = Self.word(claimed: Self.high(seen), published: UInt32(truncatingIfNeeded: index))
      let (isOurs, now) = word.weakCompareExchange(
        expected: seen, desired: published, ordering: .acquiringAndReleasing)
      if isOurs { return }
      seen = now
    }
  }

  /// Makes `index` the end of what is published, unless the consumer has laid claim to frames behind it.
  ///
  /// Called on: the producer.
  func takeBack(to index: Int64) -> Bool {
    let wanted = UInt32(truncatingIfNeeded: index)
    var seen = word.load(ordering: .acquiring)
    while true {
      if Self.distance(from: Self.high(seen), to: wanted) < 0 { return false }
      // What is staged and not published yet is taken back without the consumer.
      if Self.distance(from: wanted, to: Self.low(seen)) <= 0 { return true }
      let (isOurs, now) = word.weakCompareExchange(
        expected: seen, desired: Self.word(claimed: Self.high(seen), published: wanted),
        ordering: .acquiringAndReleasing)
      if isOurs { return true }
      seen = now
    }
  }

  @_noLocks @_noAllocation
  private static func low(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word) }

  @_noLocks @_noAllocation
  private static func high(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

  @_noLocks @_noAllocation
  private static func word(claimed: UInt32, published: UInt32) -> UInt64 {
    UInt64(claimed) << 32 | UInt64(published)
  }

  @_noLocks @_noAllocation
  private static func distance(from start: UInt32, to end: UInt32) -> Int64 {
    Int64(Int32(bitPattern: end &- start))
  }
}
