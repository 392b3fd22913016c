/// What follows the current run, as far ahead as the engine has come: it joins whole tracks while one is still heard, more
/// of them the shorter they are.
extension PlaybackCoordinator {
  /// Tells the engine what follows the last run that it has joined, when that is not what it knows. Where the queue has
  /// another order by now, that is what follows the last run that is still in its turn.
  func nameUpcoming() {
    guard let currentRun else { return }
    if dropJoinedOutOfTurn() { naming = .unsaid } else if expectsMore, isEndUnsaid { return }
    let upcoming = (queueAhead ?? queue).peekNext()
    if case .said(let run) = naming, run?.entry.id == upcoming?.id { return }
    let run = upcoming.map(makeRun)
    naming = .said(run)
    if let run { offers.append(UpcomingOffer(run: run)) }
    engine.perform(.setUpcoming(run, after: joined.last ?? currentRun))
  }

  /// The queue's end is all that there is to say, and it has not been said.
  private var isEndUnsaid: Bool { naming == .unsaid && (queueAhead ?? queue).peekNext() == nil }

  /// The engine writes the frames of `run`.
  func joined(_ run: PlaybackRun) {
    if naming == .said(run) {
      var queue = queueAhead ?? queue
      queueAhead = nil
      queue.follow(run.entry.id)
      joined.append(run)
      queueAhead = queue
    } else if let place = joined.firstIndex(of: run) {
      joined.removeSubrange((place + 1)...)
      queueAhead = nil
    } else {
      // Another choice has been made, and the engine hears of it: it takes the run back, or begins it and says so.
      return
    }
    naming = .unsaid
    nameUpcoming()
  }

  /// The engine has gone on to `run`, which it was offered.
  func advance(to run: PlaybackRun) {
    guard let place = joined.firstIndex(of: run) else {
      forgetJoined()
      queue.follow(run.entry.id)
      return
    }
    // What follows the last of the others is the same as before.
    let ahead = queueAhead
    for passed in joined[...place] { queue.follow(passed.entry.id) }
    joined.removeFirst(place + 1)
    if !joined.isEmpty { queueAhead = ahead }
  }

  /// Nothing is joined, named or offered.
  func forgetUpcoming() {
    forgetJoined()
    offers = []
  }

  private func forgetJoined() {
    joined = []
    queueAhead = nil
    naming = .unsaid
  }

  /// Finds out how the queue will be when the last joined run plays.
  /// - Returns: `true` when some are not what the queue has next any more; they are not counted as joined from now on.
  private func dropJoinedOutOfTurn() -> Bool {
    guard queueAhead == nil, !joined.isEmpty else { return false }
    var queue = queue
    let turn = joined.firstIndex { run in
      guard queue.peekNext()?.id == run.entry.id else { return true }
      queue.follow(run.entry.id)
      return false
    }
    if let turn { joined.removeSubrange(turn...) }
    if !joined.isEmpty { queueAhead = queue }
    return turn != nil
  }
}
