import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockScenarios

/// `Scenarios/README.md` teaches the whole format, and only what is true.
@Suite(.computesForLong) struct ScenariosReadmeTests {
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

  /// Rows such as "| `corked` | desktop | What it means. |": the word with its platforms.
  private func platforms(inTable heading: String) throws -> [String: Set<String>] {
    let rows = try #require(readme.components(separatedBy: "\(heading)\n|---|---|---|\n").dropFirst().first)
    return rows.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("| ") }
      .reduce(into: [:]) { table, row in
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        table[cells[0].trimmingCharacters(in: ["`"])] = Set(cells[1].split(separator: ", ").map(String.init))
      }
  }

  /// A phone's words are a simulator's too.
  @Test func `Its tables say which suppressions and reasons come on a phone and on a desktop`() async throws {
    var suppressions: [String: Set<String>] = [:]
    var reasons: [String: Set<String>] = [:]
    for result in await Corpus.run(try Corpus.scenarios().map(\.scenario)) {
      let platform = result.scenario.platform == .desktop ? "desktop" : "phone"
      for sample in result.timeline.samples {
        for word in sample.state.suppression { suppressions[word, default: []].insert(platform) }
        if let word = sample.state.reason { reasons[word.rawValue, default: []].insert(platform) }
      }
    }
    let toldSuppressions = try platforms(inTable: "| Suppression | Where | Playback is held because |")
    #expect(Set(toldSuppressions.keys) == Set(PlaybackSuppression.known.map(\.name)))
    #expect(toldSuppressions.filter { $0.value != ["nowhere"] } == suppressions)
    let toldReasons = try platforms(inTable: "| Reason | Where | The rate changed because |")
    #expect(Set(toldReasons.keys).isSuperset(of: RateChangeReason.known.map(\.rawValue)))
    for (word, told) in toldReasons.filter({ $0.value != ["nowhere"] }) {
      #expect(told == reasons[word], "\(word)")
    }
    for (word, seen) in reasons { #expect(toldReasons[word] == seen, "\(word)") }
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
