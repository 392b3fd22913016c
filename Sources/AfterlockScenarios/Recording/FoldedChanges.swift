import AfterlockCore

/// Where decisions in a log overtook each other: a start while a pause was still under way, or a pause before a start.
///
/// A real pause takes a tenth of a second, so that a player folds the rate changes of such decisions: it reports fewer of
/// them than one whose changes take no time. The decisions are the same.
struct FoldedChanges: Hashable, Sendable {
  /// The lines, by their places in the log, from a decision that was overtaken until the next one that was not.
  private(set) var lines: Set<Int> = []
  /// The same for decisions, counted from 0.
  private(set) var decisions: Set<Int> = []
  /// What rate changes may have been for, there.
  private(set) var reasons: Set<String> = []

  /// A start (1) or a pause (0) that no rate change has confirmed yet.
  private struct Pending {
    var rate: Double
    var line: Int
    var decision: Int
  }

  /// - Parameter log: a log in order.
  init(_ log: [PlaybackLogLine]) {
    var (pending, reported): (Pending?, Double) = (nil, 0)
    var isFolding = false
    var count = 0
    for (index, line) in log.enumerated() {
      if line.isDecision {
        if let rate = line.decidedRate {
          isFolding = pending.map { $0.rate != rate } ?? false
          if isFolding, let pending { mark(log, pending.line..<index, pending.decision..<count) }
          // What overtook another one may itself be still to come, whatever the rate is.
          pending =
            isFolding || rate != reported ? Pending(rate: rate, line: index, decision: count) : nil
        }
        count += 1
      }
      if isFolding { mark(log, index..<index + 1, count - 1..<count) }
      guard line.entry.event == .rateChange else { continue }
      reported = line.entry.rate == 0 ? 0 : 1
      if pending?.rate == reported { pending = nil }
    }
  }

  private mutating func mark(_ log: [PlaybackLogLine], _ lines: Range<Int>, _ decisions: Range<Int>) {
    self.lines.formUnion(lines)
    self.decisions.formUnion(decisions)
    for line in log[lines] {
      reasons.formUnion(line.entry.decided.compactMap(\.reasonInParentheses))
      if line.entry.event == .rateChange, let reason = line.entry.reason { reasons.insert(reason) }
    }
  }
}

extension PlaybackLogLine {
  /// Whether something was decided that a replay decides too: a start that a pause has overtaken is told once more to pause,
  /// and in virtual time nothing is overtaken.
  var isDecision: Bool {
    !entry.decided.isEmpty && !(entry.event == .rateChange && entry.rate == 1)
  }

  /// The rate that was decided; `nil` where none was.
  fileprivate var decidedRate: Double? {
    if entry.decided.contains(where: { $0.hasPrefix("start(") }) { return 1 }
    return entry.decided.contains { $0.hasPrefix("pause(") } ? 0 : nil
  }
}

extension String {
  /// "setRateCalled" of "start(setRateCalled)"; `nil` for what is no start and no pause.
  fileprivate var reasonInParentheses: String? {
    guard hasPrefix("start(") || hasPrefix("pause("), hasSuffix(")") else { return nil }
    return String(dropFirst(6).dropLast())
  }
}
