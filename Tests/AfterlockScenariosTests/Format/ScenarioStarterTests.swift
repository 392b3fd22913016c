import Testing

@testable import AfterlockScenarios

/// What somebody begins with works before anything is changed.
@Suite struct ScenarioStarterTests {
  @Test(arguments: ["my first one", "with \"quotes\" and a \\"])
  func `It is read and passes`(_ name: String) async throws {
    let scenario = try ScenarioFile.parse(ScenarioStarter.text(name: name), named: "new.json5")
    #expect(scenario.name == name)
    let result = await ScenarioRunner().run(scenario)
    #expect(result.passed, "\(result.failures)")
  }

  @Test func `The part that its comment speaks of makes it fail`() async throws {
    let text = ScenarioStarter.text(name: "n").replacing("// detachesLayersAt", with: "detachesLayersAt")
    let result = await ScenarioRunner().run(try ScenarioFile.parse(text, named: "new.json5"))
    #expect(result.outcome == .paused)
    #expect(!result.passed)
  }
}
