import AfterlockCore

/// What engine and output tell of a desktop's server and sinks, as a value: the same facts in the same order as the engine
/// over PipeWire tells them, and what it holds meanwhile (L5, L6, L7).
struct DesktopOutput: Hashable, Sendable {
  /// What happens to the player, in order.
  enum Step: Hashable, Sendable {
    /// Nothing can sound: the player is held where it is.
    case hold(RateChangeReason)
    /// The app is told.
    case tell(EngineFact)
  }

  /// How long the sink that was played to is waited for when the server is back without it: Bluetooth takes seconds.
  static let patience = Duration.seconds(5)

  private let rules: RuleSet
  private let policy: RouteLossPolicy
  private(set) var sinks: DesktopSinks
  private(set) var hasServer = true
  private var hasRoute = true
  /// Nothing is started before somebody has said that another sink may have the sound.
  private(set) var isHeld = false
  /// What was played to when the server went.
  private var played: SinkKind?
  /// The sink that is waited for since the server is back; no other counts.
  private(set) var awaited: SinkKind?

  init(sinks: DesktopSinks, policy: RouteLossPolicy, rules: RuleSet) {
    self.sinks = sinks
    self.policy = policy
    self.rules = rules
  }

  /// The sink that has the sound.
  var current: SinkKind? { hasServer && awaited == nil ? sinks.current : nil }
  /// Whether a start leads to sound.
  var mayRun: Bool { hasServer && hasRoute && !isHeld }

  /// The first connection.
  func connect() -> [Step] { current.map { [.tell(.sinkChanged($0.sinkName))] } ?? [] }

  // MARK: Sinks

  mutating func add(_ kind: SinkKind) -> [Step] {
    change { output in
      guard output.sinks.add(kind), output.awaited == kind else { return }
      output.awaited = nil
    }
  }

  mutating func choose(_ kind: SinkKind?) -> [Step] { change { _ = $0.sinks.choose(kind) } }

  /// One that was not played to is no loss. A loss that holds is told of last: whether the server goes with the sink is
  /// waited for (L5).
  mutating func remove(_ kind: SinkKind) -> [Step] {
    let wasPlayed = current == kind
    let changes = change { _ = $0.sinks.remove(kind) }
    guard wasPlayed, rules.has(.sinkLost) else { return changes }
    isHeld = true
    let loss: [Step] = [.hold(.routeLost), .tell(.sinkLost(kind.sink))]
    return current == nil || policy.pauses(onLossOf: kind) ? changes + loss : loss + changes
  }

  /// Makes a change, and says what became of the sink that plays.
  private mutating func change(_ body: (inout DesktopOutput) -> Void) -> [Step] {
    let before = current
    body(&self)
    guard hasServer, before != current else { return [] }
    guard let current else { return loseRoute(before) }
    return hasRoute ? [.tell(.sinkChanged(current.sinkName))] : findRoute(current)
  }

  /// Without the rule nobody tells of it, and the sound is lost (L6).
  private mutating func loseRoute(_ kind: SinkKind?) -> [Step] {
    guard hasRoute, rules.has(.noSink) else { return [] }
    hasRoute = false
    return [.hold(.routeLost), .tell(.routeLost(sink: kind?.sinkName))]
  }

  private mutating func findRoute(_ kind: SinkKind) -> [Step] {
    hasRoute = true
    return [.tell(.routeRestored(sink: kind.sinkName))]
  }

  // MARK: The server

  mutating func loseServer() -> [Step] {
    guard hasServer else { return [] }
    played = awaited ?? current
    (hasServer, awaited, isHeld) = (false, nil, false)
    return [.hold(.serverLost), .tell(.serverLost)]
  }

  /// The sink that was played to may need a moment to come back. Where its loss would hold it is waited for, and nothing
  /// is played to another one meanwhile (L5, L7).
  mutating func restoreServer() -> [Step] {
    guard !hasServer else { return [] }
    hasServer = true
    if let played, policy.pauses(onLossOf: played), rules.has(.awaitedSink) {
      awaited = played
      let steps = [.tell(.serverRestored)] + loseRoute(nil)
      guard sinks.kinds.contains(played) else { return steps }
      return steps + change { $0.awaited = nil }
    }
    guard let current else { return [.tell(.serverRestored)] + loseRoute(nil) }
    return [.tell(.serverRestored)]
      + (hasRoute ? [.tell(.sinkChanged(current.sinkName))] : findRoute(current))
  }

  /// ``patience`` is over: the awaited sink is lost, and others count again.
  mutating func stopAwaiting() -> [Step] {
    guard let awaited else { return [] }
    isHeld = true
    return [.hold(.routeLost), .tell(.sinkLost(awaited.sink))] + change { $0.awaited = nil }
  }

  /// The app lets any sink have the sound, and waits for no other.
  mutating func allowOtherSink() -> [Step] {
    isHeld = false
    return change { $0.awaited = nil }
  }
}
