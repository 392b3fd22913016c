import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockScenarios

/// `Scenarios/README.md` teaches the whole format, and only what is true.
@Suite struct ScenariosReadmeTests {
  private let readme: String

  init() throws {
    readme = try String(contentsOf: URL(fileURLWithPath: Corpus.folder + "/README.md"), encoding: .utf8)
  }

  @Test func `Its examples are scenarios that pass`() async throws {
    let examples = readme.components(separatedBy: "```json5\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(!examples.isEmpty)
    for example in examples {
      let scenario = try ScenarioFile.parse(example, named: "README.md")
      let result = await ScenarioRunner().run(scenario)
      #expect(result.passed, "\(result.failures)")
    }
  }

  @Test func `Its message is the one that the loader gives`() throws {
    let example = try #require(readme.components(separatedBy: "```json5\n").dropFirst().first)
    let text = try #require(example.components(separatedBy: "```").first)
      .replacing("sideButton", with: "sidebutton")
    let error = #expect(throws: ScenarioFileError.self) {
      try ScenarioFile.parse(text, named: "first.json5")
    }
    let message = try #require(error?.description)
    #expect(readme.contains("\n\(message)\n"), "\(message)")
  }

  @Test func `It has every word of the format`() {
    let words =
      ActionWord.allCases.map(\.rawValue) + ActionWord.allArgumentKeys + ScenarioReader.appKeys
      + StateExpectation.keys + StateExpectation.origins + Outcome.allCases.map(\.rawValue)
      + PlaybackSuppression.known.map(\.name) + RateChangeReason.known.map(\.rawValue)
      + Scenario.Platform.allCases.map(\.rawValue) + SinkKind.allCases.map(\.rawValue)
      + ScenarioAction.LockSource.allCases.map(\.rawValue) + AppParts.SessionHabit.allCases.map(\.rawValue)
      + PolicyConfiguration.DetachMoment.allCases.map(\.rawValue)
    let missing = words.filter { !readme.contains(word: $0) }
    #expect(missing.isEmpty)
    #expect(!readme.contains(word: "sidebuttons"))
  }
}

extension String {
  /// Whether the text has the word between marks that set it off as code.
  fileprivate func contains(word: String) -> Bool {
    ["`\(word)`", "`\"\(word)\"`", "`\(word):", " \(word): ", "[\"\(word)\"]"].contains { mark in
      self.contains(mark)
    }
  }
}
