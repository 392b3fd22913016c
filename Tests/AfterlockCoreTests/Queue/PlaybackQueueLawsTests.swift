import AfterlockCore
import Testing

/// What holds for a queue whatever is done to it: random commands from a seed, judged after each one.
@Suite struct PlaybackQueueLawsTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `Random commands never break the laws of a queue`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = PlaybackQueue(generator: SeededGenerator(seed: seed &+ 1))
    queue.append(items(Int.random(in: 0...6, using: &random)))
    var story: [String] = []
    for _ in 0..<80 {
      let before = queue
      let announced = queue.peekNext()
      let word = step(&queue, &random)
      story.append(word)
      #expect(holds(before, queue, announced, word), "seed \(seed): \(story.joined(separator: ", "))")
    }
  }

  private func step(_ queue: inout PlaybackQueue, _ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<13, using: &random) {
    case 0...2:
      _ = queue.advance()
      return "advance"
    case 3:
      _ = queue.next()
      return "next"
    case 4:
      _ = queue.previous(position: .seconds(Int.random(in: 0...5, using: &random)))
      return "previous"
    case 5:
      let mode = LoopMode.allCases.randomElement(using: &random) ?? .none
      queue.setLoopMode(mode)
      return "loop \(mode)"
    case 6:
      queue.setShuffled(Bool.random(using: &random))
      return "shuffle"
    case 7:
      guard let entry = queue.entries.randomElement(using: &random) else { return "nothing" }
      _ = queue.jump(to: entry.id)
      return "jump"
    case 8:
      guard let entry = Bool.random(using: &random) ? queue.current : queue.peekNext() else {
        return "nothing"
      }
      queue.markFailed(entry.id)
      return "fail"
    case 9, 10:
      let places = [.start, .afterCurrent, .end] + queue.entries.map { QueuePlace.after($0.id) }
      let place = places.randomElement(using: &random) ?? .end
      queue.insert(items(Int.random(in: 1...3, using: &random)), at: place)
      return "insert \(place)"
    case 11:
      let id = queue.entries.randomElement(using: &random)?.id
      let isCurrent = id == queue.current?.id
      id.map { _ = queue.remove($0) }
      return isCurrent ? "remove current" : "remove"
    default:
      if Bool.random(using: &random) {
        queue.append(items(Int.random(in: 1...3, using: &random)))
        return "append"
      }
      _ = queue.restart()
      return "restart"
    }
  }

  private func holds(
    _ before: PlaybackQueue, _ after: PlaybackQueue, _ announced: QueueEntry?, _ word: String
  ) -> Bool {
    // Ids are never given twice, and entries keep their order, however others come and go.
    let (earlier, later) = (before.entries.map(\.id), after.entries.map(\.id))
    guard Set(later).count == later.count, later.allSatisfy(after.contains) else { return false }
    let kept = Set(earlier).intersection(later)
    guard earlier.filter(kept.contains) == later.filter(kept.contains) else { return false }
    if let oldest = earlier.max(), later.contains(where: { !kept.contains($0) && $0 < oldest }) {
      return false
    }
    if (earlier == later) != (before.version == after.version) { return false }
    if let current = after.currentIndex, after.entries[current] != after.current { return false }
    // In list order what follows is what comes next in the list.
    if !after.isShuffled, after.loopMode == .none, let current = after.currentIndex {
      let next = after.entries[(current + 1)...].first { !after.isFailed($0.id) }
      if after.peekNext() != next { return false }
    }
    // What is announced can be played.
    if let next = after.peekNext(), after.isFailed(next.id) { return false }
    // What follows was known before.
    if word == "advance", after.current != announced { return false }
    // A queue that can go on says so, and one that cannot does not.
    if (after.peekNext() != nil) != after.hasNext { return false }
    // A looped queue with anything good in it goes on.
    if after.loopMode == .playlist, after.current != nil {
      if after.entries.contains(where: { !after.isFailed($0.id) }) != (after.peekNext() != nil) {
        return false
      }
    }
    // Only what moves may move, and nothing moves to a bad entry.
    let moves = ["advance", "next", "previous", "jump", "restart", "remove current"]
    if !moves.contains(word), before.current != after.current { return false }
    if let current = after.current, moves.contains(word), after.isFailed(current.id) {
      return before.current == current && word == "previous"
    }
    return true
  }

  @Test func `The laws notice a queue that breaks them`() {
    var queue = PlaybackQueue(generator: SeededGenerator(seed: 1))
    queue.append(items(3))
    _ = queue.restart()
    var moved = queue
    _ = moved.next()
    #expect(!holds(queue, moved, nil, "loop none"))
    #expect(!holds(queue, moved, queue.current, "advance"))
    var shorter = queue
    shorter.remove(queue.entries[1].id)
    #expect(holds(queue, shorter, nil, "remove"))
    #expect(!holds(shorter, queue, nil, "insert"), "an old id came back")
    shorter.remove(queue.entries[0].id)
    #expect(!holds(queue, shorter, nil, "remove"), "the current one went and nobody said so")
  }
}
