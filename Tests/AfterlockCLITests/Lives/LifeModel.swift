import AfterlockCore

@testable import AfterlockDesktop

/// What the viewer wants, what holds it, and so where sound is to be: told by the rules (L1 to L9) in other words than
/// the player's own, which is not asked.
struct LifeModel: Sendable {
  /// What the player is told at its start.
  struct Options: Hashable, Sendable {
    var startsPaused = false
    var pausesOnLock = false
    var onRouteLoss = "auto"

    var words: [String] {
      (startsPaused ? ["--paused"] : [])
        + ["--on-lock", pausesOnLock ? "pause" : "continue", "--on-route-loss", onRouteLoss]
    }
  }

  let options: Options
  private(set) var wishes: Bool
  /// Nothing is loaded; Play begins at the start of the track.
  private(set) var isStopped = false
  private(set) var locking: Set<ScreenLock.Source> = []
  private(set) var isAsleep = false
  private(set) var hasServer = true
  private(set) var hasManager = true
  private(set) var hasBus = true
  private(set) var plugged = Set(LifeSink.allCases)
  /// What goes with the session manager comes with the next.
  private var ofManager: Set<LifeSink> = []
  /// The last default that the viewer chose.
  private(set) var chosen = LifeSink.head
  /// The sink that is played to, or was last.
  private(set) var played: LifeSink? = .head
  /// The lock holds the sound, and the viewer has not said Play since.
  private(set) var isHeldByLock = false
  /// The sink is gone, and the viewer has not said where the sound may go.
  private(set) var awaitsWord = false

  init(_ options: Options) {
    self.options = options
    wishes = !options.startsPaused
  }

  var isLocked: Bool { !locking.isEmpty }

  /// The sink that the session manager takes.
  var defaultSink: LifeSink? {
    guard hasServer, hasManager else { return nil }
    return plugged.contains(chosen) ? chosen : plugged.first
  }

  /// Where sound is to be; `nil` for silence.
  var heardAt: LifeSink? {
    wishes && !isStopped && !isHeldByLock && !awaitsWord && !isAsleep ? defaultSink : nil
  }

  /// Whether the player asks before it plays to another sink than this one.
  func asks(onLossOf sink: LifeSink) -> Bool {
    options.onRouteLoss == "pause" || options.onRouteLoss == "auto" && sink == .head
  }

  mutating func take(_ event: LifeEvent) {
    let wasLocked = isLocked
    switch event {
    case .command(.play): play()
    case .command(.pause): wishes = false
    case .command(.playPause):
      // Whoever sees it held by what Play would end sees "paused".
      if wishes, !isHeldByLock, !awaitsWord { wishes = false } else { play() }
    case .command(.stop): (wishes, isStopped) = (false, true)
    case .command(.next), .command(.previous), .seek: break
    case .lock(let source), .requestLock(let source):
      locking.insert(source)
      if !wasLocked, options.pausesOnLock, wishes { isHeldByLock = true }
    case .unlock(let source): locking.remove(source)
    case .sleep: isAsleep = true
    case .wake: isAsleep = false
    case .unplug(let sink): lose(sink)
    case .plug(let sink): plugged.insert(sink)
    case .choose(let sink): chosen = sink
    case .killServer: hasServer = false
    case .restartServer(let lost):
      hasServer = true
      if let lost { lose(lost) }
    case .killManager:
      (hasManager, ofManager) = (false, plugged)
      for sink in LifeSink.allCases where plugged.contains(sink) { lose(sink) }
    case .restartManager:
      (hasManager, plugged) = (true, ofManager)
    case .killBus:
      hasBus = false
      locking.formIntersection([.lockedHint])
    case .restartBus: hasBus = true
    }
    if wasLocked, !isLocked { isHeldByLock = false }
    if let defaultSink { played = defaultSink }
  }

  private mutating func play() {
    (wishes, isStopped, isHeldByLock, awaitsWord) = (true, false, false, false)
  }

  private mutating func lose(_ sink: LifeSink) {
    plugged.remove(sink)
    if sink == played, wishes, asks(onLossOf: sink) { awaitsWord = true }
  }

  // MARK: What can happen

  /// Everything that can happen now, with how often it is to.
  var possible: [(event: LifeEvent, weight: Int)] {
    var events: [(LifeEvent, Int)] = []
    if hasBus {
      events += [
        (.command(.play), wishes ? 4 : 16), (.command(.pause), 4), (.command(.playPause), 4),
        (.command(.stop), 2),
        (.command(.next), 2), (.command(.previous), 2), (.seek(seconds: 7), 2), (.seek(seconds: -5), 2),
      ]
    }
    for source in ScreenLock.Source.allCases where hasBus || source == .lockedHint {
      if locking.contains(source) {
        events.append((.unlock(source), 5))
      } else {
        events.append((.lock(source), 2))
        if !isLocked { events.append((.requestLock(source), 1)) }
      }
    }
    events.append(isAsleep ? (.wake, 10) : (.sleep, 3))
    guard hasServer else { return events + serverReturns }
    guard hasManager else { return events + (hasBus ? [(.restartManager, 12)] : [(.restartBus, 12)]) }
    events += [(.killServer, 3), (.killManager, 1), hasBus ? (.killBus, 1) : (.restartBus, 8)]
    for sink in LifeSink.allCases {
      events.append(plugged.contains(sink) ? (.unplug(sink), sink == .head ? 5 : 2) : (.plug(sink), 5))
      if plugged.contains(sink), defaultSink != sink { events.append((.choose(sink), 3)) }
    }
    return events
  }

  private var serverReturns: [(LifeEvent, Int)] {
    // The session manager comes with it, and needs the bus.
    guard hasBus else { return [(.restartBus, 12)] }
    return [(.restartServer(without: nil), 12)]
      + (played == .head && plugged.contains(.head) ? [(.restartServer(without: .head), 3)] : [])
  }

  func draw(_ random: inout SeededGenerator) -> LifeEvent {
    let all = possible
    var left = Int.random(in: 0..<all.reduce(0) { $0 + $1.weight }, using: &random)
    for (event, weight) in all {
      left -= weight
      if left < 0 { return event }
    }
    return all[0].event
  }

  /// What makes all well again.
  var cures: [LifeEvent] {
    var cures: [LifeEvent] = []
    if !hasBus { cures.append(.restartBus) }
    if !hasServer { cures.append(.restartServer(without: nil)) }
    if !hasManager { cures.append(.restartManager) }
    var after = self
    for cure in cures { after.take(cure) }
    cures += LifeSink.allCases.filter { !after.plugged.contains($0) }.map { .plug($0) }
    if isAsleep { cures.append(.wake) }
    cures += ScreenLock.Source.allCases.filter(locking.contains).map { .unlock($0) }
    return cures
  }
}
