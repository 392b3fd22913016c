import AfterlockTestSupport
import Foundation

@testable import AfterlockScenarios

/// All scenario files of the repository.
enum Corpus {
  /// A file, with its path below `Scenarios`.
  struct File: Sendable {
    var path: String
    var scenario: Scenario
  }

  /// Every file, in the order of their paths.
  static func files() throws -> [File] {
    let folder = URL(fileURLWithPath: Repository.root + "/Scenarios").resolvingSymlinksInPath().path
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json5") }
    return try paths.sorted().map { File(path: $0, scenario: try ScenarioFile.read("\(folder)/\($0)")) }
  }

  /// Runs scenarios on all processors, and gives the results in their order.
  static func run(
    _ scenarios: [Scenario], under rules: RuleSet = RuleSet()
  ) async -> [ScenarioResult] {
    await InOrder.map(scenarios) { await ScenarioRunner(rules: rules).run($0) }
  }
}
