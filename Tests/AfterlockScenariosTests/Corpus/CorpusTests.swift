import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

/// Every scenario file of the repository is what it should be, and passes.
@Suite(.computesForLong) struct CorpusTests {
  @Test(arguments: Corpus.files.map(Corpus.name))
  func `A file passes`(_ name: String) async throws {
    if let fault = Corpus.fault(ofPath: name) { Issue.record("\(fault)") }
    let scenario = try ScenarioFile.read("\(Corpus.folder)/\(name)")
    #expect(Corpus.citesRule(scenario.about), "about names no rule, such as P6: \(scenario.about)")
    #expect(try ScenarioFile.parse(scenario.json5, named: name) == scenario)
    let result = await ScenarioRunner().run(scenario)
    #expect(result.passed, "\(Self.story(of: result))\nafterlock scenario run Scenarios/\(name)")
  }

  @Test func `Names are unique`() throws {
    var files: [String: [String]] = [:]
    for file in Corpus.files {
      files[try ScenarioFile.read(file).name, default: []].append(Corpus.name(of: file))
    }
    for (name, files) in files.sorted(by: { $0.key < $1.key }) where files.count > 1 {
      Issue.record("\(files.joined(separator: " and ")) have one name: \(name)")
    }
  }

  @Test func `The checks of paths and rules find what is wrong`() {
    #expect(Corpus.fault(ofPath: "lock/side-button.json5") == nil)
    #expect(Corpus.fault(ofPath: "side-button.json5") != nil)
    #expect(Corpus.fault(ofPath: "locks/side-button.json5") != nil)
    #expect(Corpus.fault(ofPath: "lock/phone/side-button.json5") != nil)
    #expect(Corpus.fault(ofPath: "lock/SideButton.json5") != nil)
    #expect(Corpus.fault(ofPath: "lock/side--button.json5") != nil)
    #expect(Corpus.citesRule("P13: what a call leaves"))
    #expect(Corpus.citesRule("N, P2: silent"))
    #expect(!Corpus.citesRule("P14 is none, and neither are P, L10 and Nothing"))
  }

  /// What happened, and what should have.
  private static func story(of result: ScenarioResult) -> String {
    let happened = result.timeline.entries.map { "\($0.time.secondsText) s  \($0.kind.rawValue): \($0.text)" }
    let failed = result.failures.map { failure in
      "expect[\(failure.index)] at \(failure.time?.secondsText ?? "the end"): \(failure.expected) was expected, "
        + "and \(failure.found) was found"
    }
    return (happened + failed).joined(separator: "\n")
  }
}
