import AfterlockCore

/// A list that leads from track to track as a session did, with the words that do it.
///
/// The list as it was, as far as it was played, where that leads the same way. Else, where its order was shuffled or changed,
/// it went round, or somebody chose from it, the tracks in the order in which they were played.
struct RecordedQueue {
  /// For each visit, its item.
  let items: [Int]
  /// For each item, the first visit to it.
  let visits: [Int]
  /// For each step that leads to another track by a viewer's word: that word.
  let moves: [SessionStep.Move?]
  /// Steps from here on cannot be told: the list ended and began anew in another order.
  let end: Int
  /// Whether the items are in the order in which they were played, and not in that of the list.
  let isAsPlayed: Bool

  init(_ session: SessionVisits, _ steps: [SessionStep], isReordered: Bool) {
    if !isReordered, let list = RecordedQueue(list: session, steps) {
      self = list
    } else {
      self.init(asPlayed: session, steps)
    }
  }

  private init(items: [Int], visits: [Int], moves: [SessionStep.Move?], end: Int, isAsPlayed: Bool) {
    (self.items, self.visits, self.moves) = (items, visits, moves)
    (self.end, self.isAsPlayed) = (end, isAsPlayed)
  }

  /// As it was played: from each track to the next one.
  init(asPlayed session: SessionVisits, _ steps: [SessionStep]) {
    // In such a list something follows until its last one.
    let last = session.changes.indices.first { index in
      guard let change = session.changes[index], change.to == nil else { return false }
      return session.changes[(index + 1)...].contains { $0 != nil }
    }
    let end = last.map { $0 + 1 } ?? steps.count
    let all = Array(0...(session.changes[..<end].compactMap { $0?.to }.max() ?? 0))
    let moves = session.changes.map { change -> SessionStep.Move? in
      if case .move? = change?.change { .next } else { nil }
    }
    self.init(items: all, visits: all, moves: moves, end: end, isAsPlayed: true)
  }

  /// The list itself; `nil` where it does not lead the way that the session went.
  private init?(list session: SessionVisits, _ steps: [SessionStep]) {
    var places: [TrackID: Int] = [:]
    for visit in session.visits {
      guard let index = visit.index, places[visit.id, default: index] == index else { return nil }
      places[visit.id] = index
    }
    guard Set(places.values).count == places.count else { return nil }
    let order = places.sorted { $0.value < $1.value }.map(\.key)
    let numbers = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    var queue = PlaybackQueue(generator: SeededGenerator(seed: 1))
    let entries = queue.append(order.map { _ in QueueItem(location: .file(MediaPath("/"))) })
    func id(_ visit: Int) -> TrackID? { numbers[session.visits[visit].id].map { entries[$0].id } }

    guard queue.restart()?.id == id(0) else { return nil }
    var moves: [SessionStep.Move?] = []
    for change in session.changes {
      moves.append(nil)
      guard let change else { continue }
      let target = change.to.flatMap(id)
      switch change.change {
      case .move(let move):
        guard let word = Self.word(move, leadingTo: target, &queue) else { return nil }
        moves[moves.count - 1] = word
      case .ended: guard queue.advance()?.id == target else { return nil }
      case .failed:
        if let current = queue.current { queue.markFailed(current.id) }
        guard queue.advance()?.id == target else { return nil }
      case .restart: guard (queue.current ?? queue.restart())?.id == target else { return nil }
      }
    }
    self.init(
      items: session.visits.map { numbers[$0.id] ?? 0 },
      visits: order.map { id in session.visits.firstIndex { $0.id == id } ?? 0 }, moves: moves,
      end: steps.count, isAsPlayed: false)
  }

  /// The word that leads to `target`: the one that was said, or for a choice from the list one that leads there too.
  private static func word(
    _ move: SessionStep.Move, leadingTo target: TrackID?, _ queue: inout PlaybackQueue
  ) -> SessionStep.Move? {
    for word in move == .previous
      ? [.previous] : move == .next ? [.next] : [SessionStep.Move.next, .previous]
    {
      var copy = queue
      let reached: TrackID?
      if word == .next {
        reached = copy.next()?.id
      } else if case .entry(let entry)? = copy.previous(position: .zero) {
        reached = entry.id
      } else {
        continue
      }
      guard reached == target else { continue }
      queue = copy
      return word
    }
    return nil
  }
}
