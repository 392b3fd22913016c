import AfterlockCore
import Testing

@Suite struct QueueEditingTests {
  private func queue(_ count: Int, at current: Int? = nil, seed: UInt64 = 1) -> PlaybackQueue {
    var queue = PlaybackQueue(generator: SeededGenerator(seed: seed))
    queue.append(items(count))
    if let current { _ = queue.jump(to: queue.entries[current].id) }
    return queue
  }

  private func new(_ names: String...) -> [QueueItem] {
    names.map { QueueItem(location: .file(MediaPath("/new/\($0)"))) }
  }

  private func rest(of queue: PlaybackQueue) -> [String] {
    var queue = queue
    var names: [String] = []
    while let entry = queue.advance(), names.count < 50 { names.append(entry.name) }
    return names
  }

  @Test func `Items go to the start, behind an entry, behind the current one and to the end`() {
    var queue = queue(3, at: 1)
    queue.insert(new("start"), at: .start)
    queue.insert(new("end"), at: .end)
    queue.insert(new("x", "y"), at: .afterCurrent)
    queue.insert(new("behind 1"), at: .after(queue.entries[1].id))
    queue.insert(new("unknown"), at: .after(TrackID(rawValue: 99)))
    #expect(
      queue.entries.map(\.name) == ["start", "1", "behind 1", "2", "x", "y", "3", "end", "unknown"])
    #expect(queue.current?.name == "2" && queue.currentIndex == 3)
    #expect(rest(of: queue) == ["x", "y", "3", "end", "unknown"])
    #expect(queue.previous(position: .zero) == .entry(queue.entries[2]))
  }

  @Test func `The same file twice is two entries, and the ids of the others stay`() {
    var queue = queue(3, at: 0)
    let before = queue.entries.map(\.id)
    let added = queue.insert(items(3), at: .start)
    #expect(Set(queue.entries.map(\.id)).count == 6)
    #expect(queue.entries.map(\.id) == added.map(\.id) + before)
    queue.remove(before[1])
    let again = queue.insert(items(1), at: .after(before[0]))
    #expect(queue.entries.map(\.id) == added.map(\.id) + [before[0], again[0].id, before[2]])
    #expect(!before.contains(again[0].id), "an id that is gone is not given again")
  }

  @Test func `A list begins at its first, and one that has ended goes on with what is new`() {
    var fresh = queue(2)
    fresh.insert(new("a"), at: .start)
    #expect(rest(of: fresh) == ["a", "1", "2"])
    var ended = queue(2, at: 1)
    _ = ended.advance()
    var appended = ended
    appended.insert(new("a"), at: .end)
    #expect(rest(of: appended) == ["a"])
    ended.insert(new("a"), at: .after(ended.entries[0].id))
    #expect(rest(of: ended) == ["a", "2"])
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `In a shuffled queue what is added comes somewhere in the round, and the others keep their turns`(
    seed: UInt64
  ) {
    var queue = queue(9, at: 4, seed: seed)
    queue.setShuffled(true)
    let before = rest(of: queue)
    queue.insert(new("x", "y", "z"), at: .start)
    let after = rest(of: queue)
    #expect(after.count == 11 && Set(after).isSuperset(of: ["x", "y", "z"]))
    #expect(after.filter { before.contains($0) } == before)
  }

  @Test func `What is added to a shuffled queue can come at any turn`() {
    let turns = (0..<200).map { seed in
      var queue = queue(4, at: 0, seed: UInt64(seed))
      queue.setShuffled(true)
      queue.insert(new("x"), at: .end)
      return rest(of: queue).firstIndex(of: "x")
    }
    #expect(Set(turns) == [0, 1, 2, 3])
  }

  @Test func `Taking out another entry leaves the current one where it is`() {
    var queue = queue(5, at: 2)
    #expect(queue.remove(queue.entries[0].id) == .other)
    #expect(queue.remove(queue.entries[2].id) == .other)
    #expect(queue.current?.name == "3" && queue.currentIndex == 1)
    #expect(queue.entries.map(\.name) == ["2", "3", "5"] && rest(of: queue) == ["5"])
    #expect(queue.previous(position: .zero) == .entry(queue.entries[0]))
  }

  @Test func `Taking out the current entry goes on to the next, and after the last the queue ends`() {
    var queue = queue(3, at: 1)
    let third = queue.entries[2]
    #expect(queue.remove(queue.entries[1].id) == .current(next: third))
    #expect(queue.current == third && !queue.hasNext)
    #expect(queue.remove(third.id) == .current(next: nil))
    #expect(queue.current == nil && queue.entries.count == 1)
    #expect(queue.remove(third.id) == nil)
  }

  @Test func `A looped track that is taken out is left, and a looped list goes round without it`() {
    var track = queue(2, at: 0)
    track.setLoopMode(.track)
    let second = track.entries[1]
    #expect(track.remove(track.entries[0].id) == .current(next: second))
    var list = queue(3, at: 2)
    list.setLoopMode(.playlist)
    let first = list.entries[0]
    #expect(list.remove(list.entries[2].id) == .current(next: first))
    #expect(list.peekNext()?.name == "2")
    list.remove(list.entries[1].id)
    #expect(list.peekNext() == first, "it is all there is")
  }

  @Test func `Only a list that is another has another version`() {
    var queue = queue(3, at: 0)
    let version = queue.version
    queue.setShuffled(true)
    queue.setLoopMode(.playlist)
    _ = queue.next()
    queue.markFailed(queue.entries[1].id)
    queue.append([])
    queue.insert([], at: .start)
    queue.remove(TrackID(rawValue: 99))
    #expect(queue.version == version)
    queue.append(items(1))
    queue.insert(items(1), at: .start)
    queue.remove(queue.entries[0].id)
    #expect(queue.version == version + 3)
  }

  @Test func `A failed entry stays failed where others come before it`() {
    var queue = queue(3, at: 0)
    queue.markFailed(queue.entries[1].id)
    queue.insert(new("x"), at: .start)
    queue.remove(queue.entries[1].id)
    #expect(queue.entries.map(\.name) == ["x", "2", "3"])
    #expect(queue.entries.map { queue.isFailed($0.id) } == [false, true, false])
    #expect(queue.current?.name == "3")
  }
}
