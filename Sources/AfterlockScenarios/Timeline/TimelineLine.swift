/// One line of a run that is told to a person.
public enum TimelineLine: Hashable, Sendable {
  /// Something happened.
  case entry(TimelineEntry)
  /// So things were, after all that happened at that time.
  case state(TimelineSample)
  /// Something else had been expected here.
  case failure(ExpectationFailure)

  /// Time since the start of the scenario; `nil` for a failure of the whole run.
  var time: Duration? {
    switch self {
    case .entry(let entry): entry.time
    case .state(let sample): sample.time
    case .failure(let failure): failure.time
    }
  }

  /// What comes first of what is told at one time.
  fileprivate var rank: Int {
    switch self {
    case .entry: 0
    case .state: 1
    case .failure: 2
    }
  }
}

extension ScenarioResult {
  /// The whole run in reading order: what happened at a time, how things were then, and what had been expected instead.
  public var lines: [TimelineLine] {
    let lines =
      timeline.entries.map(TimelineLine.entry) + timeline.samples.map(TimelineLine.state)
      + failures.map(TimelineLine.failure)
    return lines.enumerated().sorted { one, other in
      let times = (one.element.time ?? timeline.end, other.element.time ?? timeline.end)
      if times.0 != times.1 { return times.0 < times.1 }
      let ranks = (one.element.rank, other.element.rank)
      return ranks.0 == ranks.1 ? one.offset < other.offset : ranks.0 < ranks.1
    }.map(\.element)
  }
}

extension ExpectationFailure {
  /// What was expected and what was found, in one sentence.
  public var words: String { "expected \(expected), found \(found)" }
}
