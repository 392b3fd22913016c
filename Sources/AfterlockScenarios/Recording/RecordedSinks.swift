import AfterlockCore

/// The sinks of a session as those of a simulated desktop, which has one of each kind at most, and is the first to begin with.
///
/// A log names a sink, and tells what kind it was when it goes. Others are given a kind that no other sink has; it decides
/// nothing.
struct RecordedSinks {
  /// Kinds by the names of sinks.
  private let kinds: [String: SinkKind]
  /// The sink that has the sound; `nil` where none has.
  private var current: SinkKind?
  /// Those that are there.
  private var present: Set<SinkKind>
  /// What comes before everything else, for the session's own sink to have the sound.
  let setup: [ScenarioAction]
  /// Whether the viewer has chosen the current one.
  private var isChosen = false

  init(_ steps: [SessionStep], first: String?) {
    var name = first ?? ""
    var names = [name]
    var kinds: [String: SinkKind] = [:]
    for step in steps {
      guard case .route = step.happening else { continue }
      if let lost = step.outcome.route.lost, kinds[name] == nil { kinds[name] = lost }
      // A sink for one person is waited for when the server is back; of others nobody says that there is none.
      let facts = step.outcome.route
      if case .route(.serverRestored) = step.happening, facts.wasWithout, facts.next == name,
        kinds[name] == nil
      {
        kinds[name] = .usb
      }
      if let next = facts.next { name = next }
      names.append(name)
    }
    for name in names where kinds[name] == nil {
      let free = [SinkKind.other, .usb, .bluetooth, .headphones, .headset].first {
        !kinds.values.contains($0)
      }
      kinds[name] = free ?? .usb
    }
    self.kinds = kinds
    let kind = kinds[first ?? ""] ?? .other
    (current, present) = (kind, [.other, kind])
    // What is chosen is there from the start.
    let isUsed = names.count > 1 && kind != .other
    setup = isUsed ? [.setDefaultSink(kind: kind)] : []
    isChosen = isUsed
  }

  /// What brings a simulated desktop to where the session went.
  mutating func actions(for change: SessionStep.RouteChange, _ facts: RouteFacts) -> [ScenarioAction] {
    let next = facts.next.flatMap { kinds[$0] }
    switch change {
    case .serverLost: return [.killServer]
    case .serverRestored: return restoreServer(facts, next)
    case .sinkCame:
      let kind = next ?? .other
      present.insert(kind)
      (current, isChosen) = (kind, false)
      return [.addSink(kind: kind)]
    case .sinkChosen:
      guard let next else { return [] }
      let actions = bring(next) + [.setDefaultSink(kind: next)]
      (current, isChosen) = (next, true)
      return actions
    case .sinkLost:
      let lost = current ?? .other
      let actions = leave(only: facts.hasNone ? nil : next ?? .other, beside: lost)
      present.remove(lost)
      (current, isChosen) = (facts.hasNone ? nil : next ?? .other, false)
      return actions + [.removeSink(kind: lost, sessionManagerPauses: facts.isPausedBefore)]
    }
  }

  /// The server comes back without a sink that goes while it is away.
  private mutating func restoreServer(_ facts: RouteFacts, _ next: SinkKind?) -> [ScenarioAction] {
    guard facts.lost != nil || facts.hasNone, let lost = current else {
      guard let next, next != current else { return [.startServer] }
      defer { (current, isChosen) = (next, true) }
      let isNew = present.insert(next).inserted
      return (isNew ? [.addSink(kind: next)] : []) + [.setDefaultSink(kind: next), .startServer]
    }
    let actions = leave(only: facts.hasNone ? nil : next ?? .other, beside: lost)
    present.remove(lost)
    (current, isChosen) = (facts.hasNone ? nil : next ?? .other, false)
    return actions + [.removeSink(kind: lost, sessionManagerPauses: false), .startServer]
  }

  /// Sees to it that `kind`, or none, is what remains beside the current sink, and that that keeps the sound.
  private mutating func leave(only kind: SinkKind?, beside current: SinkKind) -> [ScenarioAction] {
    let others = SinkKind.allCases.filter { present.contains($0) && $0 != current && $0 != kind }
    present.subtract(others)
    let removals = others.map { ScenarioAction.removeSink(kind: $0, sessionManagerPauses: false) }
    return removals + (kind.map { bring($0) } ?? [])
  }

  /// A sink comes, and the current one keeps the sound.
  private mutating func bring(_ kind: SinkKind) -> [ScenarioAction] {
    guard present.insert(kind).inserted else { return [] }
    defer { isChosen = true }
    return (isChosen ? [] : current.map { [.setDefaultSink(kind: $0)] } ?? []) + [.addSink(kind: kind)]
  }
}
