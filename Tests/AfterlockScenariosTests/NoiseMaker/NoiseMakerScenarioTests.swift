import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockScenarios

/// The noise maker as the app of a scenario (N).
@Suite(.computesForLong) struct NoiseMakerScenarioTests {
  private static let folder = Repository.root + "/Scenarios/noise-maker"
  private static let rules = Rule.allCases.filter { $0.rawValue.hasPrefix("N ") }

  private static func scenarios() throws -> [Scenario] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json5") }.sorted()
      .map { try ScenarioFile.read("\(folder)/\($0)") }
  }

  private func result(
    rules: RuleSet = RuleSet(), _ timeline: [TimedAction], _ expectations: [AfterlockScenarios.Expectation]
  ) async -> ScenarioResult {
    var app = AppParts()
    app.kind = .noiseMaker
    let scenario = Scenario(
      name: "noise", app: app, queue: [ScenarioItem(title: "Rain", duration: .seconds(30))],
      timeline: timeline, expectations: expectations)
    return await ScenarioRunner(rules: rules).run(scenario)
  }

  @Test func `Every file holds, and each rule that is missing is seen by one`() async throws {
    let scenarios = try Self.scenarios()
    #expect(scenarios.count >= 8)
    for scenario in scenarios {
      let result = await ScenarioRunner().run(scenario)
      #expect(result.passed, "\(scenario.name): \(result.failures)")
    }
    #expect(Self.rules.count == 9)
    for rule in Self.rules {
      var seen = false
      for scenario in scenarios where !seen {
        seen = await !ScenarioRunner(rules: RuleSet(without: [rule])).run(scenario).passed
      }
      #expect(seen, "no file fails without \(rule.rawValue)")
    }
  }

  @Test func `What it shows is judged, and the failure says what was shown`() async {
    var expected = StateExpectation()
    expected.status = "Wind has loaded"
    expected.toggle = .pause
    expected.controls = .disabled
    let failures = await result([], [.state(at: .seconds(1), expected)]).failures
    #expect(failures.map(\.expected) == ["status \"Wind has loaded\"", "toggle Pause", "controls disabled"])
    #expect(failures.map(\.found) == ["\"Rain has loaded\"", "Play", "enabled"])
  }

  @Test func `A control that it does not have does nothing`() async {
    var expected = StateExpectation()
    expected.position = .seconds(2)
    expected.rate = 1
    let result = await result(
      [
        .init(at: .zero, .toggle), .init(at: .seconds(1), .seek(to: .seconds(20))),
        .init(at: .seconds(1), .next), .init(at: .seconds(1), .previous),
      ], [.state(at: .seconds(2), expected)])
    #expect(result.passed, "\(result.failures)")
  }

  @Test func `The player as app shows nothing of it`() async {
    let scenario = Scenario(
      name: "player", queue: [ScenarioItem(title: "Rain", duration: .seconds(30))], timeline: [],
      expectations: [.outcome(.paused)])
    let state = await ScenarioRunner().run(scenario).timeline.state(at: .zero)
    #expect(state?.status == nil && state?.toggle == nil && state?.controls == nil)
  }
}
