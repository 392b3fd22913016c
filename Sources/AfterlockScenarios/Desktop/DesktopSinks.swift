package import AfterlockCore

/// The sinks of a desktop, one of each kind at most, and which of them is the default one.
package struct DesktopSinks: Hashable, Sendable {
  /// The best first: a desktop prefers what is for one person to its loudspeakers.
  package private(set) var kinds: [SinkKind]
  /// What the viewer has chosen; the best of those that are there while it is not.
  private var chosen: SinkKind?

  /// Those that a scenario begins with: loudspeakers, and what is unplugged or chosen before it has come.
  package init(for timeline: [TimedAction]) {
    var present: Set<SinkKind> = [.other]
    var come: Set<SinkKind> = []
    for timed in timeline {
      switch timed.action {
      case .addSink(let kind): come.insert(kind)
      case .removeSink(let kind?, _), .setDefaultSink(let kind?):
        if !come.contains(kind) { present.insert(kind) }
      default: break
      }
    }
    kinds = SinkKind.allCases.filter(present.contains)
  }

  /// The one that plays; `nil` where there is none.
  package var current: SinkKind? { chosen.flatMap { kinds.contains($0) ? $0 : nil } ?? kinds.first }

  /// - Returns: whether it was not there yet.
  mutating func add(_ kind: SinkKind) -> Bool {
    guard !kinds.contains(kind) else { return false }
    kinds = SinkKind.allCases.filter { $0 == kind || kinds.contains($0) }
    return true
  }

  /// - Returns: whether it was there.
  mutating func remove(_ kind: SinkKind) -> Bool {
    guard kinds.contains(kind) else { return false }
    kinds.removeAll { $0 == kind }
    return true
  }

  /// The viewer chooses the sink of a kind, or for `nil` the best other one.
  /// - Returns: whether there is such a one.
  mutating func choose(_ kind: SinkKind?) -> Bool {
    guard let kind = kind ?? kinds.first(where: { $0 != current }), kinds.contains(kind) else { return false }
    chosen = kind
    return true
  }
}

extension SinkKind {
  /// The name of a scenario's sink of this kind.
  package var sinkName: String { self == .other ? "speakers" : rawValue }
  /// A scenario's sink of this kind.
  package var sink: SinkDescription { SinkDescription(name: sinkName, kind: self) }
}
