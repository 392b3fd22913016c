import AfterlockCore
import Testing

@Suite struct PlaybackQueueTests {
  private func queue(_ count: Int, seed: UInt64 = 1) -> PlaybackQueue {
    var queue = PlaybackQueue(generator: SeededGenerator(seed: seed))
    queue.append(items(count))
    return queue
  }

  /// Plays to the end, or for `limit` entries.
  private func playAll(_ queue: inout PlaybackQueue, limit: Int = 1_000) -> [String] {
    var names: [String] = []
    while let current = queue.current, names.count < limit {
      names.append(current.name)
      let announced = queue.peekNext()
      #expect(queue.advance() == announced)
    }
    return names
  }

  @Test func `The list is played once, in order`() {
    var queue = queue(4)
    #expect(queue.restart()?.name == "1")
    #expect(playAll(&queue) == ["1", "2", "3", "4"])
    #expect(queue.current == nil && !queue.hasNext && queue.peekNext() == nil)
  }

  @Test func `Each entry has an id of its own, also when the same file comes twice`() {
    var queue = queue(2)
    let again = queue.append(items(2))
    #expect(Set(queue.entries.map(\.id)).count == 4)
    #expect(again.map(\.location) == queue.entries.prefix(2).map(\.location))
  }

  @Test func `An empty queue has nothing`() {
    var queue = queue(0)
    #expect(queue.restart() == nil && queue.advance() == nil && queue.next() == nil)
    #expect(queue.previous(position: .zero) == nil && !queue.hasNext && !queue.hasPrevious)
  }

  @Test func `A looped playlist begins again, and what follows the last is known before its end`() {
    var queue = queue(3)
    queue.setLoopMode(.playlist)
    _ = queue.restart()
    #expect(playAll(&queue, limit: 8) == ["1", "2", "3", "1", "2", "3", "1", "2"])
  }

  @Test func `A loop that is switched off lets the queue end`() {
    var queue = queue(2)
    queue.setLoopMode(.playlist)
    _ = queue.restart()
    _ = queue.advance()
    #expect(queue.peekNext()?.name == "1")
    queue.setLoopMode(.none)
    #expect(queue.peekNext() == nil && queue.advance() == nil)
  }

  @Test func `A looped track repeats by itself and is left by Next`() {
    var queue = queue(2)
    queue.setLoopMode(.track)
    _ = queue.restart()
    #expect(queue.peekNext()?.name == "1" && queue.advance()?.name == "1")
    #expect(queue.next()?.name == "2")
    #expect(queue.next()?.name == "2", "with nothing after it, a looped track begins again")
  }

  @Test func `Next at the end ends, and a restart begins at the first`() {
    var queue = queue(2)
    _ = queue.restart()
    _ = queue.next()
    #expect(queue.next() == nil && queue.current == nil)
    #expect(queue.restart()?.name == "1")
  }

  @Test func `Previous restarts after 3 s, else goes to the entry before`() throws {
    var queue = queue(3)
    _ = queue.restart()
    _ = queue.next()
    let second = try #require(queue.current)
    #expect(queue.previous(position: .milliseconds(3_001)) == .restart(second))
    #expect(queue.previous(position: .seconds(3)) == .entry(queue.entries[0]))
    #expect(queue.peekNext() == second)
    #expect(queue.previous(position: .zero) == .restart(queue.entries[0]), "nothing is before the first")
  }

  @Test func `Previous at the first of a looped playlist is the last`() {
    var queue = queue(3)
    queue.setLoopMode(.playlist)
    _ = queue.restart()
    #expect(queue.previous(position: .zero) == .entry(queue.entries[2]))
    #expect(queue.peekNext()?.name == "1")
  }

  @Test func `Previous after the end goes back to what was played last`() {
    var queue = queue(2)
    _ = queue.restart()
    _ = playAll(&queue)
    #expect(queue.previous(position: .zero) == .entry(queue.entries[1]))
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `Shuffle plays each once in a round, and no entry twice in a row`(seed: UInt64) {
    var queue = queue(7, seed: seed)
    queue.setLoopMode(.playlist)
    queue.setShuffled(true)
    _ = queue.restart()
    let names = playAll(&queue, limit: 70)
    for round in 0..<10 { #expect(Set(names[round * 7..<round * 7 + 7]).count == 7) }
    #expect(zip(names, names.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func `The same seed gives the same order and another seed another one`() {
    let orders = [1, 1, 2].map { seed in
      var queue = queue(20, seed: UInt64(seed))
      queue.setShuffled(true)
      _ = queue.restart()
      return playAll(&queue)
    }
    #expect(orders[0] == orders[1] && orders[0] != orders[2])
    #expect(Set(orders[0]).count == 20)
  }

  @Test func `Every entry can come first in a shuffled queue`() {
    let firsts = (0..<200).map { seed in
      var queue = queue(5, seed: UInt64(seed))
      queue.setShuffled(true)
      return queue.restart()?.name
    }
    #expect(Set(firsts).count == 5)
  }

  @Test func `Shuffle in the middle plays all others once, and off goes on in the list`() {
    var queue = queue(6)
    _ = queue.restart()
    _ = queue.next()
    queue.setShuffled(true)
    var rest = playAll(&queue)
    #expect(rest.removeFirst() == "2" && Set(rest) == ["1", "3", "4", "5", "6"])
    _ = queue.restart()
    _ = queue.jump(to: queue.entries[3].id)
    queue.setShuffled(false)
    #expect(playAll(&queue) == ["4", "5", "6"])
  }

  @Test func `Previous in a shuffled queue goes back through what was really played, and Next forth again`()
    throws
  {
    var queue = queue(8, seed: 3)
    queue.setShuffled(true)
    var played = [queue.restart()]
    for _ in 1...3 { played.append(queue.next()) }
    let first = try #require(queue.current == nil ? nil : played[0])
    played.append(queue.jump(to: first.id))
    let following = queue.peekNext()
    for entry in played.dropLast().reversed() {
      let step = queue.previous(position: .zero)
      #expect(step == entry.map { .entry($0) })
    }
    let step = queue.previous(position: .zero)
    #expect(step == .restart(first))
    for entry in played.dropFirst() { #expect(queue.next() == entry) }
    #expect(queue.peekNext() == following)
  }

  @Test func `Items added later come after the list, or somewhere in the rest of a shuffled round`() {
    var plain = queue(2)
    plain.setLoopMode(.playlist)
    _ = plain.restart()
    _ = plain.next()
    plain.append([QueueItem(location: .url("http://new/"))])
    #expect(plain.next()?.name == "http://new/")

    var places: Set<Int> = []
    for seed in 0..<50 {
      var shuffled = queue(5, seed: UInt64(seed))
      shuffled.setShuffled(true)
      _ = shuffled.restart()
      shuffled.append([QueueItem(location: .url("http://new/"))])
      let names = playAll(&shuffled)
      #expect(names.count == 6 && Set(names).count == 6)
      names.firstIndex(of: "http://new/").map { _ = places.insert($0) }
    }
    #expect(places == [1, 2, 3, 4, 5])
  }

  @Test func `A failed entry is passed over in every direction`() {
    var queue = queue(4)
    queue.setLoopMode(.playlist)
    _ = queue.restart()
    queue.markFailed(queue.entries[1].id)
    queue.markFailed(queue.entries[3].id)
    #expect(playAll(&queue, limit: 5) == ["1", "3", "1", "3", "1"])
    #expect(queue.current?.name == "3")
    #expect(queue.previous(position: .zero) == .entry(queue.entries[0]))
    #expect(queue.isFailed(queue.entries[1].id) && !queue.isFailed(queue.entries[0].id))
  }

  @Test func `A looped track that fails is left`() {
    var queue = queue(2)
    queue.setLoopMode(.track)
    _ = queue.restart()
    queue.markFailed(queue.entries[0].id)
    #expect(queue.advance()?.name == "2")
    queue.markFailed(queue.entries[1].id)
    #expect(queue.advance() == nil)
  }

  @Test func `A person gives a failed entry another chance by choosing it or by playing anew`() {
    var queue = queue(2)
    _ = queue.restart()
    queue.markFailed(queue.entries[0].id)
    #expect(queue.jump(to: queue.entries[0].id)?.name == "1")
    queue.markFailed(queue.entries[0].id)
    #expect(queue.restart()?.name == "1")
  }

  @Test func `A long queue of bad entries ends quickly`() {
    var queue = queue(20_000)
    queue.setLoopMode(.playlist)
    queue.setShuffled(true)
    _ = queue.restart()
    var tried = 0
    while let current = queue.current {
      tried += 1
      queue.markFailed(current.id)
      _ = queue.advance()
    }
    #expect(tried == 20_000)
  }

  @Test func `A shuffled queue that loops for days remembers some of the way back, and not all`() {
    var queue = queue(3)
    queue.setShuffled(true)
    queue.setLoopMode(.playlist)
    _ = queue.restart()
    var played: [TrackID?] = [queue.current?.id]
    for _ in 0..<25_000 { played.append(queue.advance()?.id) }
    var steps = 0
    while case .entry(let entry)? = queue.previous(position: .zero), steps < 30_000 {
      steps += 1
      if entry.id != played[played.count - 1 - steps] { Issue.record("step \(steps) led elsewhere") }
    }
    #expect((5_000...10_000).contains(steps), "\(steps)")
  }
}
