public import AfterlockCore
import Foundation

/// A session of the player, told as a scenario: what happened to it, and what it decided, as expectations.
///
/// A pure value, made from the lines of its log. Times are in whole milliseconds from the first thing that happened: the
/// player's start-up is none of it, and neither is what it does when it leaves. A track's length is such that it ends when it
/// did, some tenths of a second at most from its own: real sound begins a little after it is told to.
public struct RecordedSession: Hashable, Sendable {
  /// The scenario.
  public let scenario: Scenario
  /// The lines of the log that it tells, in order; for ``ReplayComparison``.
  public let lines: [PlaybackLogLine]
  /// What it leaves out, in words that complete "it leaves out …".
  public let omissions: [String]

  /// So many lines of a log are told, the first ones: more are no scenario that anybody reads, and would be a file larger than
  /// one may be. That is some ten hours of whole songs, or a few minutes of a list of clicks.
  public static let mostLines = 2_000

  /// Tells the session of a log; `nil` where nothing happened.
  /// - Parameters:
  ///   - lines: the log, in order.
  ///   - name: the scenario's name; by the log's date unless it is given.
  public init?(_ lines: [PlaybackLogLine], name: String? = nil) {
    let reader = SessionReader(Array(lines.prefix(Self.mostLines)))
    guard let first = reader.steps.first else { return nil }
    let visits = SessionVisits(reader.steps)
    let list = RecordedQueue(visits, reader.steps, isReordered: reader.isReordered)
    var omissions = reader.omissions
    if lines.count > Self.mostLines {
      omissions.append("what came after the first \(Self.mostLines) lines of the log")
    }
    let cut = list.end < reader.steps.count ? reader.steps[list.end].time : nil
    if cut != nil { omissions.append("what came after the list's end, which began anew in another order") }

    let steps = Array(reader.steps[..<list.end])
    let end = cut ?? reader.end ?? reader.lines.last?.time ?? first.time
    let clock = RecordedClock(steps, visits, list, reader, origin: first.time, end: end)
    self.lines = reader.lines.filter { cut == nil || $0.time < cut ?? .zero }
    self.omissions = omissions

    var scenario = Scenario(
      name: name ?? Self.name(lines), about: Self.about(clock, omissions), platform: .desktop,
      queue: clock.queue, timeline: clock.timeline, expectations: [])
    scenario.app.onLock = reader.settings?.onLock ?? .continues
    scenario.app.onRouteLoss = Self.routeLoss(reader)
    scenario.expectations = clock.expectations + Self.reasonCounts(self.lines)
    if let outcome = clock.outcome { scenario.expectations.append(.outcome(outcome)) }
    self.scenario = scenario
  }

  private static func name(_ lines: [PlaybackLogLine]) -> String {
    guard let date = lines.lazy.compactMap(\.dateText).first else { return "a recorded session" }
    return "a session of \(date.prefix(10)), \(date.dropFirst(11).prefix(8)) UTC"
  }

  private static func about(_ clock: RecordedClock, _ omissions: [String]) -> String {
    var text = "Recorded from a real session."
    if clock.isAsPlayed { text += " The queue has the tracks in the order in which they were played." }
    if !omissions.isEmpty { text += " It leaves out " + omissions.joined(separator: ", and ") + "." }
    return text
  }

  /// What the viewer had chosen; where that was left to the kind of sink, what came of it.
  private static func routeLoss(_ reader: SessionReader) -> AppParts.RouteLoss {
    switch reader.settings?.onRouteLoss {
    case .follow?: .follow
    case .pause?, .auto?, nil: .pause
    }
  }

  private static func reasonCounts(_ lines: [PlaybackLogLine]) -> [Expectation] {
    let changes = lines.filter { $0.entry.event == .rateChange }
    // How many of them a player reports that takes no time for a pause is not known.
    let folded = FoldedChanges(lines).reasons
    let reasons = changes.compactMap(\.entry.reason).filter { !folded.contains($0) }.map(
      RateChangeReason.init(rawValue:))
    return Dictionary(grouping: reasons, by: \.self).mapValues(\.count).sorted {
      $0.key.rawValue < $1.key.rawValue
    }
    .map { .reason($0.key, times: $0.value) }
  }
}
