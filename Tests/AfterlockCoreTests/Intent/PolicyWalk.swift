import AfterlockCore

/// Walks all event sequences up to a depth, each state once, and checks after each event what must always hold.
///
/// Beside the policy walks a world that knows nothing of it: it hears only events and effects, as an engine would.
struct PolicyWalk {
  typealias Step = (inout PlaybackPolicy, PlaybackEvent) -> [PlaybackEffect]

  /// What a rule says, in the words of a failure.
  enum Rule: String, Hashable, CaseIterable {
    case intentIsAPersons = "only the viewer or a remote command changes the intent"
    case noStartWithoutWish = "nothing starts while the intent is paused"
    case noSoundWithoutWish = "nothing is heard while the intent is paused"
    case noStartWhileHeld = "nothing starts while something holds playback"
    case wishIsHeard = "what is wanted and held by nothing is heard"
    case pauseIsUndone = "a system pause with a wish to play ends in playing once the cause is gone"
    case layersFollow = "layers are detached in the background and attached when active"
    case sessionBeforeStart = "the session is active when playback starts"
    case lockIsSilent = "a lock that is to pause is silent until the unlock or a person's word"
    case unlockIsNoPlay = "an unlock goes on with what the lock held, and with nothing else"
    case lossWaitsForPerson = "after the loss of a headset nothing but a person's word starts"
    case sameEffects = "the same events give the same effects"
  }

  struct Violation {
    var rule: Rule
    var events: [PlaybackEvent]
    var effects: [PlaybackEffect]
  }

  struct Result {
    var states = 0
    var transitions = 0
    var violations: [Violation] = []
    /// No state at the last depth was new: every sequence, however long, has been covered.
    var isComplete = false
    var rules: Set<Rule> { Set(violations.map(\.rule)) }
  }

  /// What an engine, a screen and a session would be doing.
  struct World: Hashable {
    var isAudible = false
    var hasLayers = true
    var isSessionActive = false
    /// Kept only where a lock is to pause, so that there are no more states than matter.
    var isLocked = false
    var isSilencedByLock = false
    /// The headset has gone, and nobody has said that the neighbours may listen.
    var mustAsk = false

    mutating func feel(_ event: PlaybackEvent, _ configuration: PolicyConfiguration) {
      if configuration.onLock == .pauses { feelLock(event) }
      switch event {
      case .rateChanged(let change) where change.rate > 0: isAudible = true
      case .rateChanged(let change) where Self.realPauses.contains(change.reason): isAudible = false
      case .serverLost:
        isAudible = false
        isSessionActive = false
      case .lifecycle(.interruptionBegan), .lifecycle(.sessionDeactivated): isSessionActive = false
      case .lifecycle(.sessionActivated): isSessionActive = true
      case .sinkLost(let kind):
        // The output holds by itself.
        isAudible = false
        if kind == .headset { mustAsk = true }
      case .pause(sessionManager): mustAsk = true
      case .play(let origin) where origin.isPerson, .togglePlayPause(let origin) where origin.isPerson:
        mustAsk = false
      default: break
      }
    }

    private mutating func feelLock(_ event: PlaybackEvent) {
      switch event {
      case .lifecycle(.screenLocked):
        if !isLocked { isSilencedByLock = true }
        isLocked = true
      case .lifecycle(.screenUnlocked): (isLocked, isSilencedByLock) = (false, false)
      case .play(let origin), .togglePlayPause(let origin): if origin.isPerson { isSilencedByLock = false }
      default: break
      }
    }

    mutating func carryOut(_ effect: PlaybackEffect) {
      switch effect {
      case .start: isAudible = true
      case .pause: isAudible = false
      case .activateSession: isSessionActive = true
      case .detachLayers: hasLayers = false
      case .attachLayers: hasLayers = true
      case .load, .unload, .allowOtherSink: break
      }
    }

    static let realPauses: Set<RateChangeReason> = [
      .appBackgrounded, .audioSessionInterrupted, .setRateFailed, .unheardOf,
    ]
  }

  private struct Node: Hashable {
    var policy: PlaybackPolicy
    var world = World()

    /// A quick digest of what differs most; equality still compares everything.
    func hash(into hasher: inout Hasher) {
      hasher.combine(policy.suppression.rawValue)
      hasher.combine(policy.state)
      hasher.combine(policy.phase)
      let flags = [
        policy.intent.wantsToPlay, policy.intent.origin == .viewer, policy.isScreenLocked,
        policy.isSessionActive, policy.isRunning, policy.hasLayersAttached, world.mustAsk,
      ]
      hasher.combine(flags.reduce(0) { $0 * 2 + ($1 ? 1 : 0) })
    }
  }

  var configuration = PolicyConfiguration()
  var alphabet = PolicyWalk.everything
  var depth = 8
  /// Stops at the first violation; else finds the first of each rule.
  var stopsAtFirst = true
  var step: Step = { policy, event in policy.handle(event) }

  func run() -> Result {
    var result = Result()
    let start = Node(policy: PlaybackPolicy(configuration: configuration))
    var nodes = [start]
    var parents: [(node: Int, event: PlaybackEvent)?] = [nil]
    var seen: Set<Node> = [start]
    var frontier = 0..<1
    for _ in 0..<depth where !frontier.isEmpty {
      for index in frontier {
        for event in alphabet {
          var node = nodes[index]
          result.transitions += 1
          var (effects, broken) = check(&node, event)
          if seen.insert(node).inserted {
            nodes.append(node)
            parents.append((index, event))
            if !recovers(node) { broken.append(.pauseIsUndone) }
          }
          for rule in broken where !result.rules.contains(rule) {
            let trace = Self.trace(to: index, parents) + [event]
            result.violations.append(Violation(rule: rule, events: trace, effects: effects))
          }
          if stopsAtFirst, !broken.isEmpty {
            result.states = nodes.count
            return result
          }
        }
      }
      frontier = frontier.upperBound..<nodes.count
    }
    result.states = nodes.count
    result.isComplete = frontier.isEmpty
    return result
  }

  private static func trace(
    to index: Int, _ parents: [(node: Int, event: PlaybackEvent)?]
  ) -> [PlaybackEvent] {
    var events: [PlaybackEvent] = []
    var index = index
    while let parent = parents[index] {
      events.append(parent.event)
      index = parent.node
    }
    return events.reversed()
  }

  /// One event from one state, and the rules it breaks.
  private func check(_ node: inout Node, _ event: PlaybackEvent) -> ([PlaybackEffect], [Rule]) {
    let before = node
    let effects = advance(&node, event)
    var broken: [Rule] = []
    func require(_ rule: Rule, _ holds: Bool) { if !holds { broken.append(rule) } }

    var again = before
    require(.sameEffects, advance(&again, event) == effects && again == node)

    let policy = node.policy
    let wants = policy.intent.wantsToPlay
    let starts = effects.contains { if case .start = $0 { true } else { false } }
    if before.policy.intent != policy.intent { require(.intentIsAPersons, Self.isPersons(event)) }
    require(.noStartWithoutWish, wants || !starts)
    require(.noSoundWithoutWish, wants || !node.world.isAudible)
    require(.lossWaitsForPerson, !starts || !node.world.mustAsk)
    require(.noStartWhileHeld, policy.suppression.isEmpty || !starts)
    if wants, policy.suppression.isEmpty, policy.hasItem { require(.wishIsHeard, node.world.isAudible) }
    if starts { require(.sessionBeforeStart, node.world.isSessionActive) }
    require(.lockIsSilent, !node.world.isSilencedByLock || !node.world.isAudible)
    if event == .lifecycle(.screenUnlocked), starts {
      require(.unlockIsNoPlay, before.policy.suppression.contains(.screenLocked))
    }
    if policy.phase == .background { require(.layersFollow, !node.world.hasLayers) }
    if policy.phase == .active { require(.layersFollow, node.world.hasLayers == !policy.isScreenLocked) }
    return (effects, broken)
  }

  private func advance(_ node: inout Node, _ event: PlaybackEvent) -> [PlaybackEffect] {
    node.world.feel(event, configuration)
    let effects = step(&node.policy, event)
    effects.forEach { node.world.carryOut($0) }
    return effects
  }

  /// Whether a wish that is held finds its way back from wherever it is.
  ///
  /// Takes every cause away, as the platform would; only an interruption that ended without leave and a headset that has
  /// gone may stay, until the person says it again.
  private func recovers(_ node: Node) -> Bool {
    guard node.policy.intent.wantsToPlay, node.policy.hasItem else { return true }
    var node = node
    let needsPerson = !node.policy.suppression.isDisjoint(with: [.resumeNotAdvised, .sinkLost])
    for event in Self.allIsWell { _ = advance(&node, event) }
    if node.world.isAudible { return true }
    guard needsPerson else { return false }
    _ = advance(&node, .play(.viewer))
    return node.world.isAudible
  }

  private static func isPersons(_ event: PlaybackEvent) -> Bool {
    switch event {
    case .play(let origin), .pause(let origin), .togglePlayPause(let origin), .stop(let origin):
      origin == .viewer || origin == remote
    default: false
    }
  }
}

extension RateChangeReason {
  static let unheardOf = Self(rawValue: "somethingNewIn2030")
}

extension PolicyWalk {
  static let remote = CommandOrigin.remote(busName: ":1.7", processID: 7, program: "playerctl")

  static let sessionManager = CommandOrigin.remote(busName: ":1.3", processID: 3, program: "wireplumber")

  static func rate(_ rate: Double, _ reason: RateChangeReason) -> PlaybackEvent {
    .rateChanged(RateChange(rate: rate, reason: reason))
  }

  static let allIsWell: [PlaybackEvent] = [
    .lifecycle(.interruptionEnded(shouldResume: true)), .lifecycle(.systemDidWake), .lifecycle(.appResumed),
    .lifecycle(.sessionActivated), .serverRestored, .routeRestored, .lifecycle(.screenUnlocked),
    .lifecycle(.didBecomeActive),
  ]

  static let everything: [PlaybackEvent] =
    [
      .play(.viewer), .pause(.viewer), .togglePlayPause(remote), .stop(remote), .play(.system),
      .pause(.system),
      .togglePlayPause(.system), .stop(.engine), .itemSelected, .itemReady, .queueEnded,
      rate(0, .appBackgrounded), rate(0, .audioSessionInterrupted), rate(0, .setRateFailed),
      rate(0, .unheardOf), rate(0, .setRateCalled), rate(0, .serverLost), rate(1, .setRateCalled),
      .serverLost, .serverRestored, .routeLost, .routeRestored, .sinkLost(.headset), .sinkLost(.other),
      .pause(sessionManager),
    ]
    + [
      .willResignActive, .didEnterBackground, .willEnterForeground, .didBecomeActive, .screenLocked,
      .screenUnlocked, .systemWillSleep, .systemDidWake, .appSuspended, .appResumed, .sessionDeactivated,
      .sessionActivated, .interruptionBegan, .interruptionEnded(shouldResume: true),
      .interruptionEnded(shouldResume: false), .interruptionEnded(shouldResume: nil),
    ].map(PlaybackEvent.lifecycle)
}
