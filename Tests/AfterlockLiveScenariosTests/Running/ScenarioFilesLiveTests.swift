import AfterlockCore
import AfterlockLiveScenarios
import AfterlockScenarios
import AfterlockTestSupport
import Foundation
import Testing

/// One scenario of each theme in real time, over the real engine and a real PipeWire, beside all other tests.
///
/// `.ci/run` runs every file that can, when the machine has nothing else to do.
@Suite("The repository's scenarios, in real time")
struct ScenarioFilesLiveTests {
  @Test func `one of each theme is as expected`() async throws {
    // The folder itself, should it be a link.
    let folder = URL(fileURLWithPath: "\(Repository.root)/Scenarios").resolvingSymlinksInPath().path
    let able = try ScenarioFolder.files(under: folder)
      .map { (path: $0, scenario: try ScenarioFile.read($0)) }
      .filter { LiveScenarioRunner.obstacle(for: $0.scenario) == nil }
    let themes = Dictionary(grouping: able) { URL(fileURLWithPath: $0.path).deletingLastPathComponent().path }
    let files = themes.keys.sorted().compactMap { themes[$0]?.first }
    #expect(files.count == 14, "the themes are \(themes.keys.sorted())")
    // One of the machine's two places for a desktop, so that not everything is measured at once.
    await DesktopPermits.shared.withPermit {
      var failed: [Int] = []
      for await (index, result) in LiveScenarioRunner().runAll(files.map(\.scenario)) {
        if (try? result.get().passed) != true { failed.append(index) }
      }
      // Beside a whole test run a machine may be late once; what is wrong is wrong again.
      for await (index, result) in LiveScenarioRunner(atOnce: 2).runAll(failed.map { files[$0].scenario }) {
        let again = "afterlock scenario run --output pipewire \(files[failed[index]].path)"
        switch result {
        case .success(let result):
          #expect(result.passed, "\(result.failures)\n\(result.timeline.told)\nagain: \(again)")
        case .failure(let error): Issue.record("\(error)\nagain: \(again)")
        }
      }
    }
  }
}
