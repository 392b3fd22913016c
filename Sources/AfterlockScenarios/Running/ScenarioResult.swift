import AfterlockCore

/// What came of one run.
public struct ScenarioResult: Hashable, Sendable {
  /// What was run.
  public var scenario: Scenario
  /// What happened.
  public var timeline: ScenarioTimeline
  /// What held at the end.
  public var outcome: Outcome
  /// What ended the app, or kept it from being built; `nil` for nothing of the kind.
  public var fault: ScenarioFault?
  /// The expectations that did not hold, in the order of the file.
  public var failures: [ExpectationFailure]

  /// Judges a run as exactly as the format says.
  public init(scenario: Scenario, timeline: ScenarioTimeline, outcome: Outcome, fault: ScenarioFault? = nil) {
    self.init(scenario: scenario, timeline: timeline, outcome: outcome, fault: fault, tolerance: .exact)
  }

  /// Judges a run.
  package init(
    scenario: Scenario, timeline: ScenarioTimeline, outcome: Outcome, fault: ScenarioFault? = nil,
    tolerance: JudgeTolerance
  ) {
    self.scenario = scenario
    self.timeline = timeline
    self.outcome = outcome
    self.fault = fault
    let judge = Judge(scenario: scenario, timeline: timeline, outcome: outcome, tolerance: tolerance)
    failures = judge.failures
  }

  /// Whether all was as expected.
  public var passed: Bool { failures.isEmpty }
}

/// An expectation that did not hold.
public struct ExpectationFailure: Hashable, Sendable {
  /// Which one, from 0, in the order of the file.
  public var index: Int
  /// The time in question; `nil` for the whole run.
  public var time: Duration?
  /// What was expected, in words.
  public var expected: String
  /// What was found, in words.
  public var found: String
}
