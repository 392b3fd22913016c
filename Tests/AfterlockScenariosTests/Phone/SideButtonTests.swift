import AfterlockCore
import Testing

@testable import AfterlockScenarios

/// The bug that the project is about, and its remedy (P4–P8).
@Suite struct SideButtonTests {
  private func result(
    _ action: ScenarioAction = .sideButton(skipsInactive: false), rules: RuleSet = RuleSet(),
    _ change: (inout AppParts) -> Void = { _ in }
  ) async -> ScenarioResult {
    var app = AppParts()
    change(&app)
    var expected = StateExpectation()
    expected.position = .seconds(6)
    let scenario = Scenario(
      name: "the side button while a video plays", app: app,
      queue: [ScenarioItem(title: "Clip", kind: .video, duration: .seconds(60))],
      timeline: [.init(at: .zero, .play), .init(at: .seconds(5), action)],
      expectations: [
        .state(at: .seconds(6), expected),
        .audible(from: .seconds(0), to: .seconds(20), true, longestGap: nil),
        .outcome(.plays),
      ])
    return await ScenarioRunner(rules: rules).run(scenario)
  }

  @Test func `With the whole fix the sound goes on`() async {
    let result = await result()
    #expect(result.passed, "\(result.failures)")
    #expect(result.timeline.count(of: .appBackgrounded) == 0)
  }

  @Test func `By the book it falls silent`() async {
    let result = await result { app in
      app.detachesLayersAt = .didEnterBackground
      app.decidesBy = .state
      app.undoesSystemPause = false
    }
    #expect(result.outcome == .paused)
    #expect(result.timeline.count(of: .appBackgrounded) == 1)
    #expect(result.timeline.state(at: .seconds(6))?.wantsToPlay == true)
  }

  @Test func `The same app survives an app switch`() async {
    let result = await result(.switchApp) { app in
      app.detachesLayersAt = .didEnterBackground
      app.decidesBy = .state
      app.undoesSystemPause = false
    }
    #expect(result.outcome == .plays)
  }
}
