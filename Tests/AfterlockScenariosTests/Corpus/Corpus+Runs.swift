@testable import AfterlockScenarios

extension Corpus {
  /// A file, with its path below the folder.
  struct File: Sendable {
    var path: String
    var scenario: Scenario
  }

  /// Every file, in the order of their paths.
  static func scenarios() throws -> [File] {
    try files.map { File(path: name(of: $0), scenario: try ScenarioFile.read($0)) }
  }

  /// Runs scenarios on all processors, and gives the results in their order.
  static func run(
    _ scenarios: [Scenario], under rules: RuleSet = RuleSet()
  ) async -> [ScenarioResult] {
    await InOrder.map(scenarios) { await ScenarioRunner(rules: rules).run($0) }
  }
}
