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
    let failures = await PatientRuns.failures(of: files.map(\.scenario))
    for (index, words) in failures.sorted(by: { $0.key < $1.key }) {
      Issue.record("\(words)\nagain: afterlock scenario run --output pipewire \(files[index].path)")
    }
  }
}
