import AfterlockCore

/// Which track a session was at, from step to step.
struct SessionVisits {
  /// Why another track is current.
  enum Change: Hashable, Sendable {
    case move(SessionStep.Move)
    case ended
    case failed
    /// Play, after the list's end.
    case restart
  }

  /// The tracks in the order in which they were current; one that came round again is there again.
  private(set) var visits: [LoggedTrack] = []
  /// For each step: why another track is current from then on, and which visit that is; `nil` for none.
  private(set) var changes: [(change: Change, to: Int?)?] = []

  /// Stands for a track that no line has named.
  private static let unknown = LoggedTrack(id: TrackID(rawValue: .max), index: nil)

  init(_ steps: [SessionStep]) {
    visit(Self.firstTrack(steps))
    var isAtEnd = false
    for (index, step) in steps.enumerated() {
      let change = Self.change(step, wasAtEnd: isAtEnd)
      isAtEnd = step.outcome.isAtEnd
      guard let change else {
        changes.append(nil)
        if let track = step.outcome.track { learn(track) }
        continue
      }
      let target = Self.target(after: index, steps)
      if let target { visit(target) }
      changes.append((change, target == nil ? nil : visits.count - 1))
    }
  }

  private mutating func visit(_ track: LoggedTrack) { visits.append(track) }

  /// Adds what a later line knows of the current track: its length is not known before it is open.
  private mutating func learn(_ track: LoggedTrack) {
    guard let last = visits.indices.last, visits[last].id == track.id else { return }
    visits[last] = track
  }

  private static func change(_ step: SessionStep, wasAtEnd: Bool) -> Change? {
    switch step.happening {
    // A restart of the same track moves the position alone.
    case .move(.previous, _, let target?) where step.isRestart(of: target): nil
    case .move(let move, _, _): .move(move)
    case .ended: .ended
    case .failed: .failed
    case .action, .route: wasAtEnd && !step.outcome.isAtEnd ? .restart : nil
    }
  }

  private static func firstTrack(_ steps: [SessionStep]) -> LoggedTrack {
    for step in steps {
      switch step.happening {
      case .failed(let track): return track
      case .move(.previous, _, let target?) where step.isRestart(of: target): return target
      case .move, .ended: return unknown
      case .action, .route: if let track = step.outcome.track { return track }
      }
    }
    return unknown
  }

  /// The track that a step leads to: as it says, or as later lines do.
  private static func target(after index: Int, _ steps: [SessionStep]) -> LoggedTrack? {
    let step = steps[index]
    if step.outcome.isAtEnd { return nil }
    var target: LoggedTrack? =
      switch step.happening {
      case .move(_, _, let track), .ended(let track): track
      case .failed, .action, .route: nil
      }
    // What begins knows its length.
    if let track = step.outcome.track { target = track }
    for later in steps[(index + 1)...] {
      switch later.happening {
      case .action, .route: break
      case .failed(let track): return target ?? track
      case .move, .ended: return target ?? unknown
      }
      if target == nil || later.outcome.track?.id == target?.id { target = later.outcome.track ?? target }
    }
    return target ?? unknown
  }
}

extension SessionStep {
  /// Whether the track that was asked for is the one that was current before, from its start.
  func isRestart(of target: LoggedTrack) -> Bool { trackBefore == target.id }
}
