import Testing

@testable import AfterlockScenarios

/// The files for the phone and the simulator.
@Suite struct PhoneFilesTests {
  @Test func `Every file for a phone comes out as it expects`() async throws {
    let files = try Corpus.scenarios().filter { $0.scenario.platform != .desktop }
    try #require(files.count >= 45)
    let results = await Corpus.run(files.map(\.scenario))
    for (file, result) in zip(files, results) where !result.passed {
      Issue.record("\(file.path): \(result.failures) \(result.fault?.message ?? "")")
    }
  }
}
