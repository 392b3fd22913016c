import AfterlockCore
import AfterlockLiveScenarios
import AfterlockScenarios
import AfterlockTestSupport
import Foundation
import Testing

/// Every scenario of the repository that can run in real time does, over the real engine and a real PipeWire.
@Suite("The repository's scenarios, in real time")
struct ScenarioFilesLiveTests {
  /// How long all of them may take.
  private static let limit = Duration.seconds(180)

  @Test func `each that can run with real sound is as expected, all within three minutes`() async throws {
    // The folder itself, should it be a link.
    let folder = URL(fileURLWithPath: "\(Repository.root)/Scenarios").resolvingSymlinksInPath().path
    let files = try ScenarioFolder.files(under: folder)
      .map { (path: $0, scenario: try ScenarioFile.read($0)) }
      .filter { LiveScenarioRunner.obstacle(for: $0.scenario) == nil }
    #expect(!files.isEmpty)
    // One of the machine's two places for a desktop, so that not everything is measured at once.
    await DesktopPermits.shared.withPermit {
      let begin = ContinuousClock.now
      var failed: [Int] = []
      for await (index, result) in LiveScenarioRunner().runAll(files.map(\.scenario)) {
        if (try? result.get().passed) != true { failed.append(index) }
      }
      // Beside a whole test run a machine may be late once; what is wrong is wrong again.
      for await (index, result) in LiveScenarioRunner(atOnce: 3).runAll(failed.map { files[$0].scenario }) {
        let again = "afterlock scenario run --output pipewire \(files[failed[index]].path)"
        switch result {
        case .success(let result):
          #expect(result.passed, "\(result.failures)\n\(result.timeline.told)\nagain: \(again)")
        case .failure(let error): Issue.record("\(error)\nagain: \(again)")
        }
      }
      print(
        "real time: \(files.count) scenarios in \(ContinuousClock.now - begin), run again: \(failed.count)")
      #expect(ContinuousClock.now - begin < Self.limit)
    }
  }
}
