import AfterlockCore

/// A session in the time of its scenario: actions, lengths of tracks, and what is expected when.
///
/// Follows the player's place as a run in virtual time has it, where a start takes no time. What the log says of the place is
/// expected only where both are the same.
struct RecordedClock {
  private(set) var timeline: [TimedAction] = []
  private(set) var expectations: [Expectation] = []
  private(set) var outcome: Outcome?
  let isAsPlayed: Bool

  private let steps: [SessionStep]
  private let visits: SessionVisits
  private let list: RecordedQueue
  /// The log's time of the scenario's beginning.
  private let origin: Duration
  private var sinks: RecordedSinks
  /// When somebody last touched the desktop.
  private var lastTouch = Duration.zero
  private var isAsleep = false
  /// The volume as it is.
  private var volume = 100.0
  /// The time of each step.
  private var times: [Duration] = []
  /// The item that is current, `nil` at the list's end.
  private var item: Int?
  /// Where a run in virtual time is.
  private var place = Duration.zero
  private var isMoving = false
  private var now = Duration.zero
  /// Lengths at which items ended by themselves, and those that they need at least.
  private var exact: [Int: Duration] = [:]
  /// Items whose ends are actions: they would need more than one length to end by themselves.
  private var ending: Set<Int>
  /// Items that have turned out to be such.
  private var uneven: Set<Int> = []
  private var least: [Int: Duration] = [:]

  /// How far a place of the log may be from the virtual one: less than the format's tolerance.
  private static let tolerance = Duration.milliseconds(60)
  /// When to look after a step, unless the next one comes sooner.
  private static let look = Duration.milliseconds(250)

  /// - Parameters:
  ///   - origin: the log's time of the scenario's beginning.
  ///   - end: the log's time of the session's end.
  init(
    _ steps: [SessionStep], _ visits: SessionVisits, _ list: RecordedQueue, _ reader: SessionReader,
    origin: Duration, end: Duration
  ) {
    self.init(steps, visits, list, reader, origin, end, ending: [])
    guard !uneven.isEmpty else { return }
    self.init(steps, visits, list, reader, origin, end, ending: uneven)
  }

  private init(
    _ steps: [SessionStep], _ visits: SessionVisits, _ list: RecordedQueue, _ reader: SessionReader,
    _ origin: Duration, _ end: Duration, ending: Set<Int>
  ) {
    self.ending = ending
    sinks = RecordedSinks(steps, first: reader.firstSink)
    let startPosition = reader.startPosition
    (self.steps, self.visits, self.list, self.origin) = (steps, visits, list, origin)
    isAsPlayed = list.isAsPlayed
    item = list.items.first
    if startPosition > .zero {
      timeline.append(TimedAction(at: .zero, .seek(to: startPosition.inMilliseconds)))
      place = startPosition.inMilliseconds
    }
    for action in sinks.setup { add(action) }
    times = steps.map { ($0.time - origin).inMilliseconds }
    for index in steps.indices { take(index) }
    finish(end: (max(end, origin) - origin).inMilliseconds)
  }

  // MARK: What happens

  private mutating func take(_ index: Int) {
    let step = steps[index]
    if case .ended = step.happening, index > 0, times[index] <= times[index - 1] {
      // Ends come before what is done at the same time.
      times[index] = times[index - 1] + .milliseconds(1)
    }
    if index > 0 { times[index] = max(times[index], times[index - 1]) }
    touch(until: times[index])
    pass(to: times[index])
    switch step.happening {
    case .action(let action): take(action)
    case .move(let move, let isRemote, let target): take(index, move, isRemote: isRemote, target)
    case .ended: endTrack()
    case .failed: add(.failItem)
    case .route(let change):
      for action in sinks.actions(for: change, step.outcome.route) { add(action) }
    }
    if let change = visits.changes[index] {
      item = change.to.map { list.items[$0] }
      place = .zero
    }
    let isHeld = !Set(step.outcome.suppression).isDisjoint(with: Self.linkLosses)
    isMoving = step.outcome.isRunning && !isHeld && item != nil
    expect(index)
  }

  /// A stream without its link stands still (L8).
  private static let linkLosses = Set(PlaybackSuppression([.corked, .noSessionManager]).causes)

  private mutating func take(_ action: ScenarioAction) {
    switch action {
    case .seek(let target):
      add(.seek(to: target.inMilliseconds))
      moved(to: target.inMilliseconds)
    case .remoteSeek(let target):
      add(.remoteSeek(to: target.inMilliseconds))
      moved(to: target.inMilliseconds)
    case .stop:
      add(action)
      place = .zero
    default: add(action)
    }
  }

  private mutating func moved(to target: Duration) {
    place = target
    if let item { least[item] = max(least[item] ?? .zero, target + .milliseconds(1)) }
  }

  private mutating func take(
    _ index: Int, _ move: SessionStep.Move, isRemote: Bool, _ target: LoggedTrack?
  ) {
    if visits.changes[index] == nil {
      // A track that is begun again: not by "previous" where a run in virtual time has not come so far.
      let isPrevious = place > PlaybackQueue.restartThreshold || !isAsPlayed
      let start: ScenarioAction = isRemote ? .remoteSeek(to: .zero) : .seek(to: .zero)
      add(isPrevious ? (isRemote ? .remotePrevious : .previous) : start)
      place = .zero
    } else if list.moves[index] == .previous {
      add(isRemote ? .remotePrevious : .previous)
    } else {
      add(isRemote ? .remoteNext : .next)
    }
  }

  private mutating func add(_ action: ScenarioAction) {
    timeline.append(TimedAction(at: now, action))
    if action.isInput { lastTouch = now }
    switch action {
    case .volume(let percent): volume = percent
    case .sleep: isAsleep = true
    case .wake: isAsleep = false
    default: break
    }
  }

  /// A desktop that nobody touches locks its screen and sleeps (L3), and this one did not: its volume is set to what it is.
  private mutating func touch(until time: Duration) {
    while !isAsleep, time - lastTouch >= Self.patience {
      pass(to: lastTouch + Self.patience)
      add(.volume(to: volume))
    }
  }

  /// Less than a desktop waits before it locks its screen.
  private static let patience = Duration.seconds(4 * 60)

  /// Time goes by.
  private mutating func pass(to time: Duration) {
    if isMoving { place += time - now }
    now = time
    guard let item else { return }
    least[item] = max(least[item] ?? .zero, place)
  }

  /// The track's length is such that it ends here, where one length is enough for all its ends.
  private mutating func endTrack() {
    guard let item, isMoving, place > .zero, !ending.contains(item) else { return add(.endItem) }
    if exact[item, default: place] != place { uneven.insert(item) }
    exact[item] = place
  }

  // MARK: What is expected

  private mutating func expect(_ index: Int) {
    let step = steps[index]
    let following = step.lastTime - step.time
    let next = index + 1 < times.count ? (steps[index + 1].time - origin).inMilliseconds : nil
    var time = now + max(Self.look, following.inMilliseconds + .milliseconds(50))
    if let next {
      guard next - now > .milliseconds(2) else { return }
      time = min(time, next - min(.milliseconds(100), (next - now) / 2).inMilliseconds)
    }
    expectations.append(.state(at: time, expectation(step.outcome, at: time)))
  }

  private func expectation(_ outcome: SettledState, at time: Duration) -> StateExpectation {
    var state = StateExpectation()
    state.wantsToPlay = outcome.wantsToPlay
    state.suppression = Set(outcome.suppression)
    state.item = item
    state.volume = outcome.volume.map { ($0 * 100).rounded() / 100 }
    if let report = outcome.report, outcome.isRunning == (report.rate == 1) {
      (state.rate, state.reason, state.origin) = (report.rate, report.reason, report.origin)
    }
    let virtual = place + (isMoving ? time - now : .zero)
    if let known = outcome.place, item != nil {
      let real = known.position + (isMoving ? time - (known.time - origin) : .zero)
      if max(real - virtual, virtual - real) <= Self.tolerance { state.position = virtual.inMilliseconds }
    }
    return state
  }

  private mutating func finish(end: Duration) {
    guard let last = steps.last else { return }
    // A run ends one second after the latest time that is named.
    let lastLook = expectations.last.map { $0.times.max() ?? .zero } ?? now
    let look = max(end - .seconds(1), lastLook)
    if look - lastLook > .milliseconds(500) {
      expectations.append(.state(at: look, expectation(last.outcome, at: look)))
    }
    touch(until: look)
    pass(to: look + .milliseconds(1_001))
    for (item, length) in exact where length < least[item] ?? .zero { uneven.insert(item) }
    guard last.outcome.volume != 0 else { return }
    if item == nil {
      // A program that leaves at its list's end may be gone before the end of the sound is told.
      outcome = last.outcome.isStopped ? .paused : .ended
    } else if let rate = last.outcome.report?.rate {
      outcome = rate == 0 ? .paused : isMoving ? .plays : .silenced
    }
  }

  // MARK: The queue

  /// A file's title that says something, and not at any length.
  private static func title(_ track: LoggedTrack, _ item: Int) -> String {
    let words = (track.title ?? "").split { $0.isWhitespace || $0 == "\0" }.joined(separator: " ").prefix(80)
    return words.isEmpty ? "Track \(item + 1)" : String(words)
  }

  /// What the scenario's queue has.
  var queue: [ScenarioItem] {
    list.visits.enumerated().map { item, visit in
      let track = visits.visits[visit]
      // Beyond what was played of it, where nothing is known.
      let needed = (least[item] ?? .zero) + .milliseconds(1)
      let own = track.duration?.inMilliseconds ?? needed + .seconds(60)
      return ScenarioItem(title: Self.title(track, item), duration: exact[item] ?? max(own, needed))
    }
  }
}

extension Duration {
  /// Rounded to whole milliseconds.
  var inMilliseconds: Duration {
    let (seconds, attoseconds) = components
    let rest = (Double(attoseconds) / 1e15).rounded()
    return .seconds(seconds) + .milliseconds(Int64(rest))
  }
}
