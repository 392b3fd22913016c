/// What is played, in which order: a value, so that it can be tested without a player.
///
/// A round plays each entry once. `plan` is what is left of it; the order of the list, or a shuffled one. An entry that
/// failed is never planned again, so a queue of bad entries ends, whatever the loop mode. A person who jumps to such an
/// entry, or plays a queue anew that has ended, gives it another chance.
public struct PlaybackQueue: Hashable, Sendable {
  /// Where `previous` leads.
  public enum PreviousStep: Hashable, Sendable {
    /// Play the current entry from its start.
    case restart(QueueEntry)
    /// Play this entry, which is the current one now.
    case entry(QueueEntry)
  }

  /// What came of an entry that was taken out.
  public enum Removal: Hashable, Sendable {
    /// It was not the current one, which stays.
    case other
    /// It was the current one; this is current now, or nothing where nothing follows.
    case current(next: QueueEntry?)
  }

  /// A track that has played longer than this is restarted by `previous`.
  public static let restartThreshold = Duration.seconds(3)
  /// How far back `previous` can go in a shuffled queue that loops for days.
  static let historyLimit = 10_000

  /// Every entry, in the order of the list.
  public private(set) var entries: [QueueEntry] = []
  /// Another one whenever `entries` is another list.
  public private(set) var version: UInt64 = 0
  /// What happens at the end of a track and of the queue.
  public private(set) var loopMode = LoopMode.none
  /// Whether the order is a shuffled one.
  public private(set) var isShuffled = false
  /// The position of the current entry in the list; `nil` before the start and after the end.
  public private(set) var currentIndex: Int?

  private var generator: SeededGenerator
  private var indices: [TrackID: Int] = [:]
  private var nextID: UInt64 = 1
  /// What is left of the round, last first, as positions in the list.
  private var plan: [Int] = []
  /// The plan holds the round after this one: filled ahead so that the next entry is known before the last one ends.
  private var planIsNextRound = false
  /// What was really played before the current entry, latest last.
  private var history: [Int] = []
  private var failed: Set<Int> = []

  /// An empty queue; `generator` decides every shuffled order to come.
  public init(generator: SeededGenerator) { self.generator = generator }

  /// The entry that plays, or would.
  public var current: QueueEntry? { currentIndex.map { entries[$0] } }

  /// Whether `next` leads to another entry, or to the same one again.
  public var hasNext: Bool { skipTarget != nil }

  /// Whether `previous` leads anywhere: within an entry it always does.
  public var hasPrevious: Bool { currentIndex != nil || !history.isEmpty }

  /// What follows the current entry when it ends by itself; `nil` for the end of the queue.
  public func peekNext() -> QueueEntry? {
    if loopMode == .track, let currentIndex, !failed.contains(currentIndex) { return entries[currentIndex] }
    return plan.last.map { entries[$0] }
  }

  /// Whether the entry failed and is passed over.
  public func isFailed(_ id: TrackID) -> Bool { indices[id].map(failed.contains) ?? false }

  /// Adds items after the last entry. In a shuffled queue they get places in what is left of the round.
  /// - Returns: the new entries, each with an id of its own.
  @discardableResult
  public mutating func append(_ items: some Sequence<QueueItem>) -> [QueueEntry] {
    let first = entries.count
    for item in items {
      let entry = makeEntry(item)
      indices[entry.id] = entries.count
      entries.append(entry)
    }
    if entries.count > first { version += 1 }
    dropNextRound()
    plan = Array((first..<entries.count).reversed()) + plan
    if isShuffled { plan.shuffle(using: &generator) }
    refill()
    return Array(entries[first...])
  }

  /// Puts items between others. What plays goes on, and what has been played stays played: in list order only what comes
  /// behind the current entry is still to come. In a shuffled queue they get places anywhere in what is left of the round,
  /// whose order stays.
  /// - Returns: the new entries, each with an id of its own.
  @discardableResult
  public mutating func insert(_ items: some Sequence<QueueItem>, at place: QueuePlace) -> [QueueEntry] {
    let added = items.map { makeEntry($0) }
    guard !added.isEmpty else { return [] }
    let first = position(of: place)
    entries.insert(contentsOf: added, at: first)
    movePositions(from: first, by: added.count)
    version += 1
    dropNextRound()
    let positions = first..<(first + added.count)
    if isShuffled {
      scatter(positions)
    } else if currentIndex != nil {
      planList()
    } else {
      // From the first that is to come or is new; a list that has ended goes on there.
      plan = Array((min(plan.last ?? first, first)..<entries.count).reversed())
    }
    refill()
    return added
  }

  /// Takes an entry out. Where it is the current one, what follows it becomes that, as when a person goes on; a looped
  /// track cannot begin again.
  /// - Returns: `nil` when there is no such entry.
  @discardableResult
  public mutating func remove(_ id: TrackID) -> Removal? {
    guard let position = indices[id] else { return nil }
    let isCurrent = position == currentIndex
    if isCurrent { currentIndex = nil }
    entries.remove(at: position)
    indices[id] = nil
    plan.removeAll { $0 == position }
    history.removeAll { $0 == position }
    failed.remove(position)
    movePositions(from: position + 1, by: -1)
    version += 1
    if isCurrent { return .current(next: moveToPlanned()) }
    refill()
    return .other
  }

  /// Where an entry stands in the list, from 0; `nil` when it does not.
  public func index(of id: TrackID) -> Int? { indices[id] }

  /// Whether there is such an entry.
  public func contains(_ id: TrackID) -> Bool { indices[id] != nil }

  /// Sets the loop mode.
  public mutating func setLoopMode(_ mode: LoopMode) {
    loopMode = mode
    if mode != .playlist { dropNextRound() }
    refill()
  }

  /// Switches the shuffled order on or off. On: a round of all other entries begins. Off: the list goes on after the
  /// current entry.
  public mutating func setShuffled(_ isOn: Bool) {
    guard isOn != isShuffled else { return }
    isShuffled = isOn
    planIsNextRound = false
    if isOn { plan = shuffledRound(without: currentIndex) } else { planList() }
    refill()
  }

  /// Begins a new round; entries that failed get another chance.
  /// - Returns: its first entry, or `nil` when the queue is empty.
  public mutating func restart() -> QueueEntry? {
    failed = []
    leaveCurrent()
    planIsNextRound = false
    plan = isShuffled ? shuffledRound(without: nil) : Array(entries.indices.reversed())
    return moveToPlanned()
  }

  /// The current entry has ended by itself: goes to what ``peekNext()`` said.
  public mutating func advance() -> QueueEntry? {
    if loopMode == .track, let currentIndex, !failed.contains(currentIndex) { return entries[currentIndex] }
    leaveCurrent()
    return moveToPlanned()
  }

  /// A person goes on. With nothing to follow, the queue ends; a looped track begins again instead (MPRIS Next).
  public mutating func next() -> QueueEntry? {
    guard let target = skipTarget else {
      leaveCurrent()
      return nil
    }
    guard target != currentIndex else { return entries[target] }
    leaveCurrent()
    return moveToPlanned()
  }

  /// A person goes back: to the start of the current entry after its first 3 s; else in a shuffled queue to what was
  /// really played before, otherwise to the entry before in the list. With nothing before, the current one restarts.
  public mutating func previous(position: Duration) -> PreviousStep? {
    if let current, position > Self.restartThreshold { return .restart(current) }
    guard let target = isShuffled || currentIndex == nil ? takeHistory() : predecessor else {
      return current.map { .restart($0) }
    }
    dropNextRound()
    if let currentIndex, !failed.contains(currentIndex) { plan.append(currentIndex) }
    currentIndex = target
    if !isShuffled { planList() }
    refill()
    return .entry(entries[target])
  }

  /// A person chooses an entry.
  public mutating func jump(to id: TrackID) -> QueueEntry? {
    guard let target = indices[id] else { return nil }
    failed.remove(target)
    move(to: target)
    return entries[target]
  }

  /// The engine has gone on to an entry by itself; like ``jump(to:)``, but it counts as played in its turn.
  package mutating func follow(_ id: TrackID) {
    guard let target = indices[id], target != currentIndex else { return }
    if plan.last == target {
      leaveCurrent()
      _ = moveToPlanned()
    } else {
      move(to: target)
    }
  }

  /// The entry did not play, or broke off: it is passed over from now on.
  public mutating func markFailed(_ id: TrackID) {
    guard let index = indices[id] else { return }
    failed.insert(index)
    dropFailedFromPlan()
    refill()
  }

  // MARK: - The list

  private mutating func makeEntry(_ item: QueueItem) -> QueueEntry {
    defer { nextID += 1 }
    return QueueEntry(id: TrackID(rawValue: nextID), location: item.location, title: item.title)
  }

  private func position(of place: QueuePlace) -> Int {
    let before: Int? =
      switch place {
      case .start: -1
      case .after(let id): indices[id]
      case .afterCurrent: currentIndex
      case .end: nil
      }
    return before.map { $0 + 1 } ?? entries.count
  }

  /// `entries` has changed, so that what stood at `first` and behind it stands `offset` further on.
  private mutating func movePositions(from first: Int, by offset: Int) {
    func moved(_ position: Int) -> Int { position >= first ? position + offset : position }
    for index in plan.indices { plan[index] = moved(plan[index]) }
    for index in history.indices { history[index] = moved(history[index]) }
    failed = Set(failed.map(moved))
    currentIndex = currentIndex.map(moved)
    for position in min(first, first + offset)..<entries.count { indices[entries[position].id] = position }
  }

  // MARK: - The plan

  private mutating func dropNextRound() {
    guard planIsNextRound else { return }
    plan = []
    planIsNextRound = false
  }

  /// Gives `positions` places in the plan, every order of which with the others is as likely.
  private mutating func scatter(_ positions: Range<Int>) {
    var rest = plan[...]
    var new = positions.shuffled(using: &generator)
    plan = []
    while let place = (1...max(1, rest.count + new.count)).randomElement(using: &generator) {
      guard let next = place <= new.count ? new.popLast() : rest.popFirst() else { break }
      plan.append(next)
    }
  }

  private var skipTarget: Int? {
    guard currentIndex != nil || !plan.isEmpty else { return nil }
    if let planned = plan.last { return planned }
    guard loopMode == .track, let currentIndex, !failed.contains(currentIndex) else { return nil }
    return currentIndex
  }

  private var predecessor: Int? {
    guard let currentIndex else { return nil }
    let before = entries[..<currentIndex].indices.last { !failed.contains($0) }
    guard before == nil, loopMode == .playlist else { return before }
    return entries.indices.last { !failed.contains($0) && $0 != currentIndex }
  }

  private mutating func takeHistory() -> Int? {
    while let last = history.popLast() {
      if last != currentIndex, !failed.contains(last) { return last }
    }
    return nil
  }

  private mutating func leaveCurrent() {
    guard let currentIndex else { return }
    if !failed.contains(currentIndex) {
      history.append(currentIndex)
      if history.count > Self.historyLimit { history.removeFirst(Self.historyLimit / 2) }
    }
    self.currentIndex = nil
  }

  private mutating func moveToPlanned() -> QueueEntry? {
    currentIndex = plan.popLast()
    planIsNextRound = false
    refill()
    return current
  }

  private mutating func move(to target: Int) {
    leaveCurrent()
    currentIndex = target
    dropNextRound()
    if isShuffled { plan.removeAll { $0 == target } } else { planList() }
    refill()
  }

  /// What follows the current entry in the list.
  private mutating func planList() {
    plan = Array(entries.indices[(currentIndex.map { $0 + 1 } ?? 0)...].reversed())
  }

  private mutating func shuffledRound(without excluded: Int?) -> [Int] {
    entries.indices.filter { $0 != excluded && !failed.contains($0) }.shuffled(using: &generator)
  }

  private mutating func dropFailedFromPlan() {
    while let last = plan.last, failed.contains(last) { plan.removeLast() }
  }

  /// Keeps the plan's end usable, and plans the next round of a looped queue as soon as this one has nothing left.
  private mutating func refill() {
    dropFailedFromPlan()
    guard plan.isEmpty, loopMode == .playlist, currentIndex != nil else { return }
    planIsNextRound = true
    if isShuffled {
      plan = shuffledRound(without: nil)
      // Not the same track twice in a row, where there is another.
      if plan.count > 1, plan.last == currentIndex { plan.swapAt(0, plan.count - 1) }
    } else {
      plan = entries.indices.reversed().filter { !failed.contains($0) }
    }
  }
}
