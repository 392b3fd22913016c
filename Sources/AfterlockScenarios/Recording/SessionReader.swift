import AfterlockCore

/// Reads the lines of a log as the steps of a session: what came from outside, and what followed from it.
///
/// A line is a step of its own, or belongs to the step before it: a sink that goes has the session manager pause the
/// players, and a server that comes back finds its sinks again, all in lines of their own.
struct SessionReader {
  /// So long a sink's loss, or a server's return, has lines that follow from it.
  static let aftermath = Duration.seconds(3)
  /// So long a sink is waited for once the server is back, with time to spare.
  static let wait = Duration.seconds(7)

  private(set) var steps: [SessionStep] = []
  /// What the viewer had chosen for the run, where the log says.
  private(set) var settings: (onLock: PolicyConfiguration.LockPolicy, onRouteLoss: RouteLossPolicy)?
  /// Whether the list was played in another order than its own at any time.
  private(set) var isReordered = false
  /// What no scenario can tell, each once, in words that complete "it leaves out …".
  private(set) var omissions: [String] = []
  /// When the player left; `nil` where no line says so.
  private(set) var end: Duration?
  /// The lines of the session, without those by which the program left.
  private(set) var lines: [PlaybackLogLine] = []
  /// Where the first track began, when that was not its start.
  private(set) var startPosition = Duration.zero

  private var state = SettledState()
  private var isLocked = false
  private var isAsleep = false
  /// A track has been loaded, and no line has said yet that it begins.
  private var isLoading = true
  private var hasStarted = false
  /// The sink that was played to first, by its name; `nil` where no line says so.
  private(set) var firstSink: String?
  /// The sink that was named last.
  private var sink: String?
  /// The kind of the sink that went last.
  private var lostKind: SinkKind?
  /// The last change of the route, and when it was.
  private var routeStep: Int?
  private var lastRouteStep: (time: Duration, change: SessionStep.RouteChange)?

  init(_ all: [PlaybackLogLine]) {
    let staying = Self.withoutLeaving(all)
    let lines = Suspensions.without(staying)
    if lines.count < staying.count { omit("that the player was stopped and went on (Ctrl-Z)") }
    end = all.last { $0.entry.reason == SoundAccount.programEnded }?.time
    let folded = FoldedChanges(lines).lines
    for (index, line) in lines.enumerated() {
      take(line, isFolded: folded.contains(index), rest: lines[(index + 1)...])
    }
    self.lines = lines
  }

  /// What the program does when it leaves is none of the session: it holds the sound, says so, and the rate follows.
  private static func withoutLeaving(_ lines: [PlaybackLogLine]) -> [PlaybackLogLine] {
    guard var end = lines.lastIndex(where: { $0.entry.reason == SoundAccount.programEnded }) else {
      return lines
    }
    let origin = lines[end].entry.origin
    if end > 0, lines[end - 1].entry.reason == "pause", lines[end - 1].entry.origin == origin,
      lines[end].time - lines[end - 1].time < .milliseconds(10)
    {
      end -= 1
    }
    return Array(lines[..<end])
  }

  // MARK: Lines

  private mutating func take(
    _ line: PlaybackLogLine, isFolded: Bool, rest: ArraySlice<PlaybackLogLine>
  ) {
    let before = state
    note(line, isFolded: isFolded)
    if let happening = happening(line, before, rest) {
      steps.append(
        SessionStep(
          time: line.time, happening: happening, outcome: state, lastTime: line.time,
          trackBefore: before.track?.id))
    } else if let last = steps.indices.last {
      if line.entry.event != .rateChange || state.report != nil { steps[last].lastTime = line.time }
      steps[last].outcome = state
    }
    // What follows may come behind other steps.
    if let last = steps.indices.last, case .route = steps[last].happening { routeStep = last }
    if let routeStep { steps[routeStep].outcome.route = state.route }
  }

  /// What every line says of how things are.
  private mutating func note(_ line: PlaybackLogLine, isFolded: Bool) {
    let entry = line.entry
    state.wantsToPlay = entry.wantsToPlay
    state.suppression = entry.suppression
    let hasStart = entry.decided.contains { $0.hasPrefix("start(") }
    let hasPause = entry.decided.contains { $0.hasPrefix("pause(") }
    if entry.event == .rateChange {
      state.report = .init(
        rate: entry.rate, reason: isFolded ? nil : RateChangeReason(rawValue: entry.reason ?? ""),
        origin: isFolded ? nil : entry.origin.name)
      if entry.rate == 0, !hasStart, !isConfirmation(entry) { state.isRunning = false }
      // What begins in place of a list that had ended has no line for its start; one that a pause has overtaken is none.
      if entry.rate == 1, !hasPause { state.isRunning = true }
      return
    }
    if hasStart || hasPause { state.report = nil }
    state.isRunning = entry.rate == 1
    state.place = .init(time: line.time, position: entry.position)
    if entry.decided.contains("load") {
      (isLoading, state.isAtEnd, state.isStopped) = (true, false, false)
    }
    if case .volume(let volume, let isMuted)? = entry.detail {
      state.volume = isMuted ? 0 : volume.percent
    }
  }

  private func isConfirmation(_ entry: PlaybackLogEntry) -> Bool {
    RateChangeReason.confirmations.contains(RateChangeReason(rawValue: entry.reason ?? ""))
  }

  private mutating func happening(
    _ line: PlaybackLogLine, _ before: SettledState, _ rest: ArraySlice<PlaybackLogLine>
  ) -> SessionStep.Happening? {
    let entry = line.entry
    switch entry.event {
    case .intentChange: return wish(entry)
    case .lifecycle: return lifecycle(entry)
    case .track: return track(line)
    case .error: return failure(entry)
    case .route: return route(line, before, rest)
    case .seek:
      guard case .seek(let target)? = entry.detail else { return nil }
      state.place = .init(time: line.time, position: target)
      // Where the first track is opened then is not where it began.
      hasStarted = true
      return .action(entry.isRemote ? .remoteSeek(to: target) : .seek(to: target))
    case .volume: return state.volume.map { .action(.volume(to: $0)) }
    case .list:
      isReordered = true
      return nil
    case .rateChange, .layer: return nil
    }
  }

  private mutating func wish(_ entry: PlaybackLogEntry) -> SessionStep.Happening? {
    let isRemote = entry.isRemote
    switch entry.reason {
    case "play": return .action(isRemote ? .remotePlay : .play)
    case "pause": return .action(isRemote ? .remotePause : .pause)
    case "togglePlayPause": return .action(isRemote ? .remoteToggle : .toggle)
    case "stop":
      state.isStopped = true
      if isRemote { omit("that a stop came from another program") }
      return .action(.stop)
    default: return nil
    }
  }

  private mutating func lifecycle(_ entry: PlaybackLogEntry) -> SessionStep.Happening? {
    switch entry.reason {
    case SoundAccount.programBegan:
      if case .settings(let lock, let loss)? = entry.detail { settings = (lock, loss) }
    case "screenLocked" where !isLocked:
      isLocked = true
      return .action(.lock)
    case "screenUnlocked" where isLocked:
      isLocked = false
      return .action(.unlock)
    case "systemWillSleep" where !isAsleep:
      isAsleep = true
      return .action(.sleep)
    case "systemDidWake" where isAsleep:
      isAsleep = false
      return .action(.wake)
    case "screenLocked", "screenUnlocked", "systemWillSleep", "systemDidWake", nil: break
    case let reason?: omit("what the log calls \(reason)")
    }
    return nil
  }

  private mutating func omit(_ what: String) { if !omissions.contains(what) { omissions.append(what) } }

  // MARK: The list

  private mutating func track(_ line: PlaybackLogLine) -> SessionStep.Happening? {
    let entry = line.entry
    let track: LoggedTrack? = if case .track(let track)? = entry.detail { track } else { nil }
    if let reason = entry.reason, let move = SessionStep.Move(rawValue: reason) {
      let isSame = track?.id == state.track?.id
      state.place = .init(time: line.time, position: .zero)
      // A restart of the track is a seek, and nothing is loaded.
      if !(isSame && move == .previous) { isLoading = track != nil }
      // What is wanted anew is known better already.
      if !isSame { state.track = track }
      if track != nil { state.isAtEnd = false }
      return .move(move, isRemote: entry.isRemote, to: track)
    }
    if entry.reason == SoundAccount.queueEnded {
      let wasAtEnd = state.isAtEnd
      (state.isAtEnd, state.track, isLoading) = (true, nil, false)
      guard entry.origin.name == "engine", !wasAtEnd, !isConsequence(line) else { return nil }
      return .ended(to: nil)
    }
    guard let track else { return nil }
    return started(track, line)
  }

  /// The list's end follows from a move, or from a track that failed.
  private func isConsequence(_ line: PlaybackLogLine) -> Bool {
    guard let last = steps.last else { return false }
    switch last.happening {
    case .move(_, _, nil): return true
    case .failed: return state.track == nil && last.lastTime == last.time
    default: return false
    }
  }

  /// A track without a title has its file's name.
  private func named(_ track: LoggedTrack, _ entry: PlaybackLogEntry) -> LoggedTrack {
    var track = track
    track.title = track.title ?? entry.track?.split(separator: "/").last.map { String($0) }
    return track
  }

  private mutating func started(_ track: LoggedTrack, _ line: PlaybackLogLine) -> SessionStep.Happening? {
    let track = named(track, line.entry)
    if !hasStarted, line.entry.position > .milliseconds(300) { startPosition = line.entry.position }
    hasStarted = true
    defer { (isLoading, state.track) = (false, track) }
    return isLoading ? nil : .ended(to: track)
  }

  private mutating func failure(_ entry: PlaybackLogEntry) -> SessionStep.Happening? {
    guard case .track(let track)? = entry.detail,
      entry.message?.hasPrefix(ItemFailure.Extent.damaged.rawValue) != true
    else { return nil }
    // Another one is only named to follow, and is passed over.
    guard state.track == nil || state.track?.id == track.id else { return nil }
    (state.track, isLoading) = (nil, true)
    return .failed(named(track, entry))
  }

  // MARK: Sinks and servers

  private mutating func route(
    _ line: PlaybackLogLine, _ before: SettledState, _ rest: ArraySlice<PlaybackLogLine>
  ) -> SessionStep.Happening? {
    let entry = line.entry
    switch entry.reason {
    case "serverLost": return begin(.serverLost, line)
    case "serverRestored": return begin(.serverRestored, line)
    case "sinkLost":
      let isNext = state.route.lost != nil || !follows(line, [.sinkLost, .serverRestored])
      let change = isNext ? begin(.sinkLost, line) : nil
      state.route.lost = lostKind ?? .other
      return change
    case "routeLost":
      let isNext = state.route.lost != nil && losesSink(line, rest)
      let isFirst = isNext || !follows(line, [.sinkLost, .serverRestored])
      let change = isFirst ? begin(.sinkLost, line) : nil
      if entry.origin.isSessionManager {
        if isFirst { state.route.isPausedBefore = true }
      } else {
        (state.route.hasNone, state.route.wasWithout) = (true, true)
      }
      return change
    case "routeRestored":
      let change = follows(line, [.serverRestored, .sinkCame]) ? nil : begin(.sinkCame, line)
      (state.route.next, state.route.hasNone) = (sink, false)
      return change
    default: return link(line, before, rest)
    }
  }

  private mutating func begin(_ change: SessionStep.RouteChange, _ line: PlaybackLogLine)
    -> SessionStep.Happening
  {
    state.route = RouteFacts()
    lastRouteStep = (line.time, change)
    return .route(change)
  }

  /// Whether a line follows from one of these changes.
  private func follows(_ line: PlaybackLogLine, _ changes: Set<SessionStep.RouteChange>) -> Bool {
    guard let lastRouteStep, changes.contains(lastRouteStep.change) else { return false }
    guard lastRouteStep.change == .serverRestored else {
      return line.time - lastRouteStep.time < Self.aftermath
    }
    // After the server's return the sink that was played to is waited for, and then all is as before.
    return state.route.next == nil && line.time - lastRouteStep.time < Self.wait
  }

  /// Whether a sink is said to be lost right behind a line.
  /// - Parameter name: a sink that it is not.
  private func losesSink(
    _ line: PlaybackLogLine, _ rest: ArraySlice<PlaybackLogLine>, besides name: String? = nil
  ) -> Bool {
    let soon = rest.prefix { $0.time - line.time < .seconds(2) }.filter { $0.entry.event == .route }
    guard let loss = soon.firstIndex(where: { $0.entry.reason == "sinkLost" }) else { return false }
    return !soon[..<loss].contains { line in
      guard let message = line.entry.message else { return false }
      return message.hasPrefix("sink: ") || name.map { message.contains("'\($0)' went away") } ?? false
    }
  }

  /// Lines without a reason: which sink it is, and whether the stream has its link (L8).
  private mutating func link(
    _ line: PlaybackLogLine, _ before: SettledState, _ rest: ArraySlice<PlaybackLogLine>
  ) -> SessionStep.Happening? {
    let entry = line.entry
    if case .sink(let kind)? = entry.detail { lostKind = kind }
    let corked = PlaybackSuppression.corked.description
    let isCorked = entry.suppression.contains(corked)
    if isCorked != before.suppression.contains(corked) { return .action(isCorked ? .cork : .uncork) }
    if entry.suppression.contains(PlaybackSuppression.noSessionManager.description) {
      omit("that no session manager ran for a while")
    }
    guard let message = entry.message, message.hasPrefix("sink: ") else { return nil }
    let name = String(message.dropFirst("sink: ".count))
    let isFirst = firstSink == nil
    if isFirst { firstSink = name }
    sink = name
    let isRestored = rest.first?.entry.event == .route && rest.first?.entry.reason == "routeRestored"
    guard !isRestored, !isFirst else { return nil }
    // A loss that holds the sound is told of behind the sink that takes its place.
    let isLoss = losesSink(line, rest, besides: name)
    let isNext = !follows(line, [.sinkLost, .serverRestored]) || state.route.next != nil
    let change = isNext ? begin(isLoss ? .sinkLost : .sinkChosen, line) : nil
    state.route.next = name
    return change
  }
}

extension PlaybackLogEntry {
  /// Whether it came over the bus from a person's program.
  var isRemote: Bool { origin.name == "remote" }
}
