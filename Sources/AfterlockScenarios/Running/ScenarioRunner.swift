import AfterlockCore

/// Runs scenarios in virtual time.
public struct ScenarioRunner: Sendable {
  /// The rules in force.
  public var rules: RuleSet

  /// A runner under these rules.
  public init(rules: RuleSet = RuleSet()) { self.rules = rules }

  /// Runs a scenario to its end and judges it.
  public func run(_ scenario: Scenario) async -> ScenarioResult {
    let recorder = TimelineRecorder()
    var staged = scenario
    staged.app = NoiseMakerApp.parts(scenario.app, rules: rules)
    return await Self.run(scenario, in: world(for: staged, recorder), recorder)
  }

  /// Runs a scenario in a world, which writes down what happens there with `recorder`.
  package static func run(
    _ scenario: Scenario, in world: any ScenarioWorld, _ recorder: TimelineRecorder
  ) async -> ScenarioResult {
    if let fault = await world.build() {
      recorder.record(.fault, fault.line)
      return ScenarioResult(
        scenario: scenario, timeline: recorder.finish(), outcome: fault.outcome, fault: fault)
    }
    await world.begin()
    for time in times(of: scenario) {
      await world.advance(to: time)
      for action in scenario.timeline where action.time == time {
        recorder.record(.action, action.action.words)
        await world.perform(action.action)
      }
      recorder.sample(await world.scene())
    }
    let outcome = world.outcome(of: await world.scene())
    return ScenarioResult(
      scenario: scenario, timeline: recorder.finish(), outcome: outcome, fault: world.fault)
  }

  /// What the scenario's actions happen to.
  private func world(for scenario: Scenario, _ recorder: TimelineRecorder) -> any ScenarioWorld {
    switch scenario.platform {
    case .desktop: SimulatedDesktop(scenario, rules: rules, recorder: recorder)
    case .phone, .simulator:
      SimulatedPhone(
        scenario, rules: rules, recorder: recorder, player: VirtualPlayer(items: scenario.queue))
    }
  }

  /// Every time at which something happens or is looked at, in order, with the end.
  package static func times(of scenario: Scenario) -> [Duration] {
    let times = scenario.timeline.map(\.time) + scenario.expectations.flatMap(\.times)
    return Set(times + [.zero, scenario.end]).sorted()
  }
}
