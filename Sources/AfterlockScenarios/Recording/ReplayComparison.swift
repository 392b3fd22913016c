public import AfterlockCore

/// Compares what the player decided in two sessions: one that was recorded, and the same again.
///
/// Decisions and rate changes are compared each in their order. A rate change only confirms a decision, some time later in a
/// real session and at once in virtual time, so that one may stand before or behind the next decision. Where the recorded
/// decisions overtook each other, the decisions alone are compared.
public struct ReplayComparison: Hashable, Sendable {
  /// The first place where they are not the same.
  public struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// What was recorded; `nil` where the recording has ended.
    public var recorded: PlaybackLogLine?
    /// What came instead; `nil` where the replay has ended.
    public var replayed: PlaybackLogLine?

    /// Both, in words.
    public var description: String {
      "recorded: \(Self.words(recorded)); replayed: \(Self.words(replayed))"
    }

    private static func words(_ line: PlaybackLogLine?) -> String {
      guard let line else { return "nothing more" }
      let entry = line.entry
      var text =
        "at \(line.time.secondsText) s, \(entry.reason ?? entry.event.rawValue) by \(entry.origin.name)"
      if entry.event == .rateChange {
        text += ", rate \(entry.rate == 0 ? 0 : 1)"
      } else {
        text += ", decided \(entry.decided.joined(separator: " "))"
      }
      return text
    }
  }

  /// The first decision that is another one, or else the first rate change; `nil` when all are the same.
  public let firstDifference: Difference?
  /// How many decisions and rate changes were compared.
  public let count: Int

  /// Compares the log of a session with that of its replay.
  public init(recorded: [PlaybackLogLine], replayed: [PlaybackLogLine]) {
    let sides = [recorded, replayed].map(Self.decisions)
    let folded = FoldedChanges(recorded).decisions
    let changes = [recorded, replayed].map { Self.changes($0, besides: folded) }
    firstDifference = Self.difference(sides[0], sides[1]) ?? Self.difference(changes[0], changes[1])
    count = sides[0].count + changes[0].count
  }

  private typealias Keyed = (line: PlaybackLogLine, key: [String])

  private static func decisions(_ lines: [PlaybackLogLine]) -> [Keyed] {
    var isFirst = true
    return lines.compactMap { line in
      guard line.isDecision else { return nil }
      var decided = line.entry.decided
      // A scenario's player has its list open before it is told to play.
      if isFirst { decided.removeAll { $0 == "load" } }
      isFirst = false
      // Why is another matter: of a sink that goes, the session manager may be heard first, or the output.
      return (line, [line.entry.origin.name] + decided)
    }
  }

  /// - Parameter folded: decisions behind which rate changes are left out.
  private static func changes(_ lines: [PlaybackLogLine], besides folded: Set<Int>) -> [Keyed] {
    var decision = -1
    return lines.compactMap { line in
      if line.isDecision { decision += 1 }
      guard line.entry.event == .rateChange, !folded.contains(decision) else { return nil }
      return (line, key(line.entry))
    }
  }

  private static func key(_ change: PlaybackLogEntry) -> [String] {
    ["\(change.rate)", change.reason ?? "", change.origin.name]
  }

  private static func difference(_ recorded: [Keyed], _ replayed: [Keyed]) -> Difference? {
    for index in 0..<max(recorded.count, replayed.count) {
      let left = index < recorded.count ? recorded[index] : nil
      let right = index < replayed.count ? replayed[index] : nil
      if left?.key != right?.key { return Difference(recorded: left?.line, replayed: right?.line) }
    }
    return nil
  }
}
