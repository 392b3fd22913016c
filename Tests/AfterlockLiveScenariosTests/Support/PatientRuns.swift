import AfterlockLiveScenarios
import AfterlockScenarios
import AfterlockTestSupport

/// Runs scenarios in real time beside a whole test run: in one of the machine's two places for a desktop, and those that
/// failed a second time, since a machine may be late once, and what is wrong is wrong again.
enum PatientRuns {
  /// What is wrong, by the place of the scenario, in words with its timeline; nothing when all is as expected.
  static func failures(of scenarios: [Scenario]) async -> [Int: String] {
    await DesktopPermits.shared.withPermit {
      let late = await failures(of: scenarios, atOnce: 12)
      let again = late.keys.sorted()
      let failed = await failures(of: again.map { scenarios[$0] }, atOnce: 2)
      return Dictionary(uniqueKeysWithValues: failed.map { (again[$0], $1) })
    }
  }

  private static func failures(of scenarios: [Scenario], atOnce: Int) async -> [Int: String] {
    var failures: [Int: String] = [:]
    for await (index, result) in LiveScenarioRunner(atOnce: atOnce).runAll(scenarios) {
      switch result {
      case .success(let result):
        if !result.passed { failures[index] = "\(result.failures)\n\(result.timeline.told)" }
      case .failure(let error): failures[index] = "\(error)"
      }
    }
    return failures
  }
}
