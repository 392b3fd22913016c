/// Changes of the list while it plays.
extension PlaybackCoordinator {
  /// What becomes of items that are put into the list.
  public enum InsertedItems: Hashable, Sendable {
    /// They wait for their turn. A queue that has ended goes on with them, held when no sound is wanted.
    case wait
    /// The first one becomes the current entry, as by a jump of this origin.
    case areCurrent(CommandOrigin)
    /// The first one becomes the current entry, and is wanted by this origin.
    case arePlayed(CommandOrigin)
  }

  /// Puts items between others; what plays goes on unless they are to take its place.
  /// - Returns: the new entries.
  @discardableResult
  public func insert(
    _ items: [QueueItem], at place: QueuePlace, _ use: InsertedItems = .wait
  ) -> [QueueEntry] {
    process([])
    // Before the queue changes, so that it is not copied.
    queueAhead = nil
    let entries = queue.insert(items, at: place)
    guard let first = entries.first else { return [] }
    switch use {
    case .wait: goOnIfEnded()
    case .areCurrent(let origin): take(.jump(to: first.id), origin: origin)
    case .arePlayed(let origin):
      take(.jump(to: first.id), origin: origin)
      decide(.play(origin), origin: origin)
    }
    publish()
    return entries
  }

  /// Somebody looks for items to ``insert(_:at:_:)``: the end of the queue is not known before ``endAddition()``.
  public func beginAddition() {
    process([])
    pendingAdditions += 1
    publish()
  }

  /// Whoever looked for items has put in what there was.
  public func endAddition() {
    process([])
    pendingAdditions -= 1
    nameUpcoming()
    publish()
  }

  /// The list is longer: a queue that has ended goes on.
  func goOnIfEnded() {
    guard policy.state == .ended, let entry = queue.advance() else { return nameUpcoming() }
    load(entry, at: startPosition)
    decide(.itemSelected, origin: .engine)
  }

  func remove(_ id: TrackID, origin: CommandOrigin) {
    queueAhead = nil
    switch queue.remove(id) {
    case nil: break
    case .other: nameUpcoming()
    case .current(let next):
      recordMove("remove", to: next, origin: origin)
      if policy.state != .stopped { goOn(to: next, origin: origin) }
    }
  }
}
