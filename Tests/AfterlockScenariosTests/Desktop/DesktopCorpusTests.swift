import Foundation
import Testing

@testable import AfterlockScenarios

/// The desktop's scenario files, with every rule in force and with each one missing (L1–L9).
@Suite struct DesktopCorpusTests {
  static let scenarios: [Scenario] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Scenarios")
    return ["desktop-lock", "desktop-sleep", "desktop-routes", "desktop-server"].flatMap { theme in
      let theme = folder.appending(path: theme)
      let path = theme.path(percentEncoded: false)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.sorted().compactMap { name in
        do {
          return try ScenarioFile.read(theme.appending(path: name).path(percentEncoded: false))
        } catch {
          Issue.record("\(name): \(error)")
          return nil
        }
      }
    }
  }()

  @Test func `Every file passes`() async {
    #expect(Self.scenarios.count > 20)
    for scenario in Self.scenarios {
      let result = await ScenarioRunner().run(scenario)
      #expect(result.passed, "\(scenario.name): \(result.failures)")
    }
  }

  @Test(arguments: Rule.allCases.filter { $0.rawValue.hasPrefix("L") })
  func `Some file sees each rule missing`(rule: Rule) async {
    var seen: [String] = []
    for scenario in Self.scenarios {
      let result = await ScenarioRunner(rules: RuleSet(without: [rule])).run(scenario)
      if !result.passed { seen.append(scenario.name) }
    }
    #expect(!seen.isEmpty)
  }
}
