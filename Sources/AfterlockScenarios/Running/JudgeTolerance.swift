/// How exactly a run is judged: in virtual time nothing takes time, and in real time everything does.
package struct JudgeTolerance: Hashable, Sendable {
  /// How far a position may be from what is expected.
  package var position: Duration
  /// How long after the begin and before the end of a stretch sound and silence may be otherwise.
  package var edge: Duration
  /// How much longer than `longestGap` a silence, or a sound where silence is expected, may last within the stretch.
  package var gap: Duration

  /// As exact as the format says.
  package static let exact = JudgeTolerance(position: .milliseconds(100), edge: .zero, gap: .zero)

  /// A tolerance of these parts.
  package init(position: Duration, edge: Duration, gap: Duration) {
    self.position = position
    self.edge = edge
    self.gap = gap
  }
}
