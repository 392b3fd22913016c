import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockScenarios

/// What each part of the fix is for.
@Suite(.computesForLong) struct ScenarioMatrixTests {
  @Test func `Every canonical scenario passes with the whole fix`() async {
    for column in CanonicalScenario.all {
      let result = await ScenarioRunner().run(column.scenario)
      #expect(result.passed, "\(column.name): \(result.failures)")
    }
  }

  private func cell(_ variant: String, _ column: String, of matrix: ScenarioMatrix) throws -> String {
    let row = try #require(matrix.rows.first { $0.variant.name == variant })
    let place = try #require(matrix.columns.firstIndex { $0.name == column })
    return row.cells[place].words
  }

  @Test func `A part that is switched off is missed where it is needed`() async throws {
    let matrix = await ScenarioMatrix()
    for (variant, column, words) in [
      ("the whole fix", "side button", "plays"),
      ("no background audio capability", "app switch", "suspended"),
      ("category soloAmbient", "ring switch", "silenced"),
      ("session never activated", "lock with audio", "suspended"),
      ("layers never reattached", "return to the app", "plays, no picture"),
      ("layers never detached", "side button", "plays, paused once"),
      ("never detached, no undo", "side button", "paused"),
      ("decides by state", "side button, inactive skipped", "paused"),
      ("by the book: late, by state, no undo", "app switch", "plays"),
      ("by the book: late, by state, no undo", "side button", "paused"),
      ("artwork in main-actor code", "artwork on the lock screen", "crashed"),
      ("reason crosses as a notification", "side button", "does not compile"),
    ] {
      #expect(try cell(variant, column, of: matrix) == words, "\(variant), \(column)")
    }
  }

  @Test func `Every column tells a variant from the whole fix, but the one where all are to pause`() async {
    // An app that crashes, or is never built, differs in every column.
    let isBuilt: (FixVariant) -> Bool = {
      $0.parts.artworkBuiltIn == .nonisolated && $0.parts.reasonCrossesAs == .string
    }
    let matrix = await ScenarioMatrix(variants: FixVariant.all.filter(isBuilt))
    for (place, column) in matrix.columns.enumerated() {
      let isTelling = matrix.rows.indices.contains { matrix.differs(row: $0, column: place) }
      #expect(isTelling == (column.scenario.expectations.last != .outcome(.paused)), "\(column.name)")
    }
  }

  @Test func `Its table in Markdown has a line for each variant, and what differs in bold`() async {
    let variants = [FixVariant.all[0], FixVariant.all[2]]
    let matrix = await ScenarioMatrix(variants: variants, columns: Array(CanonicalScenario.all[2...3]))
    #expect(
      matrix.markdown == """
        | | app switch | lock with audio |
        |---|---|---|
        | the whole fix | plays | plays |
        | category soloAmbient | plays | **silenced** |

        """)
  }
}

/// The table of `Scenarios/README.md`.
@Suite(.computesForLong) struct ReadmeMatrixTests {
  private static let marks = ("<!-- the matrix -->\n", "<!-- the end of the matrix -->\n")

  /// The table of a text; `nil` where there is none.
  private func table(of readme: String) -> String? {
    guard let begin = readme.range(of: Self.marks.0)?.upperBound,
      let end = readme[begin...].range(of: Self.marks.1)?.lowerBound
    else { return nil }
    return String(readme[begin..<end])
  }

  @Test func `It is what the runs give, and a changed cell is found`() async throws {
    let readme = try String(contentsOfFile: Repository.root + "/Scenarios/README.md", encoding: .utf8)
    let written = try #require(table(of: readme))
    let found = await ScenarioMatrix().markdown
    #expect(written == found, "put this between the marks:\n\(found)")
    let changed = try #require(table(of: readme.replacing("**silenced**", with: "plays", maxReplacements: 1)))
    #expect(changed != found)
  }
}

/// Many at once, and in order.
@Suite(.computesForLong) struct InOrderTests {
  @Test func `What comes of values is handed on in their order, whichever is ready first`() async {
    let inputs = Array(0..<50)
    var places: [Int] = []
    let outputs = await InOrder.map(inputs, atOnce: 7) { input in
      for _ in 0..<(50 - input) { await Task.yield() }
      return input * 2
    } each: { place, output in
      #expect(output == place * 2)
      places.append(place)
    }
    #expect(places == inputs && outputs == inputs.map { $0 * 2 })
    #expect(await InOrder.map([Int](), atOnce: 0) { $0 }.isEmpty)
  }
}
