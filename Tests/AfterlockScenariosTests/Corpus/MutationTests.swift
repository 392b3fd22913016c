import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

/// Shows that the files are worth something: each rule that is missing, and each part of the fix that is off, makes one fail.
@Suite(.computesForLong) struct MutationTests {
  /// Files that come out as they expect when nothing is missing.
  private func passing(
    _ isMeant: (Scenario) -> Bool
  ) async throws -> [Corpus.File] {
    let files = try Corpus.scenarios().filter { isMeant($0.scenario) }
    let results = await Corpus.run(files.map(\.scenario))
    return zip(files, results).filter { $1.passed }.map(\.0)
  }

  /// The files that fail when the scenarios are run so.
  private func failing(
    _ files: [Corpus.File], under rules: RuleSet = RuleSet(),
    _ change: (inout AppParts) -> Void = { _ in }
  ) async -> [String] {
    let scenarios = files.map { file in
      var scenario = file.scenario
      change(&scenario.app)
      return scenario
    }
    let results = await Corpus.run(scenarios, under: rules)
    return zip(files, results).filter { !$1.passed }.map(\.0.path)
  }

  /// Whether a file can see a rule: N the noise maker's, P a phone's, L a desktop's.
  private static func canSee(_ rule: Rule, _ scenario: Scenario) -> Bool {
    switch rule.rawValue.first {
    case "N": scenario.app.kind == .noiseMaker
    case "P": scenario.platform != .desktop
    default: scenario.platform == .desktop
    }
  }

  @Test func `A rule that is missing makes a file fail`() async throws {
    let files = try await passing { _ in true }
    for rule in Rule.allCases {
      let seeing = files.filter { Self.canSee(rule, $0.scenario) }
      let caught = await failing(seeing, under: RuleSet(without: [rule]))
      print("without \(rule.rawValue): \(caught.isEmpty ? "nothing" : caught.joined(separator: ", "))")
      #expect(!caught.isEmpty, "no file sees that \(rule.rawValue) is missing")
    }
  }

  /// A part of the fix, switched off.
  private struct Part: Sendable {
    var name: String
    /// The apps in which it is tried: those with the whole fix, unless the part stands in for another one.
    var isMeant: @Sendable (AppParts) -> Bool = { $0 == AppParts() }
    var switchOff: @Sendable (inout AppParts) -> Void
  }

  private static let parts = [
    Part(name: "capability") { $0.backgroundModes = [] },
    Part(name: "category: solo ambient") { $0.category = .soloAmbient },
    Part(name: "category: ambient") { $0.category = .ambient },
    Part(name: "activation: never") { $0.activatesSession = .never },
    Part(name: "activation: let go of on resign") { $0.activatesSession = .deactivatesOnResign },
    Part(name: "background policy: pauses") { $0.backgroundPolicy = .pauses },
    // With the layers gone in time nothing is left for it to do; it is the remedy of who leaves them on.
    Part(name: "background policy: automatic", isMeant: { $0.detachesLayersAt == .never }) {
      $0.backgroundPolicy = .automatic
    },
    Part(name: "detach: never") { $0.detachesLayersAt = .never },
    Part(name: "detach: in the background") { $0.detachesLayersAt = .didEnterBackground },
    Part(name: "reattach") { $0.reattachesLayersAt = .never },
    // It is another way out than the detach.
    Part(name: "video tracks", isMeant: \.disablesVideoTracks) { $0.disablesVideoTracks = false },
    Part(name: "decide by intent") { $0.decidesBy = .state },
    Part(name: "undo a system pause") { $0.undoesSystemPause = false },
    Part(name: "reason as a string") { $0.reasonCrossesAs = .notification },
    Part(name: "artwork in nonisolated code") { $0.artworkBuiltIn = .mainActor },
    Part(name: "pause on the loss of a route") { $0.onRouteLoss = .follow },
  ]

  @Test func `A part of the fix that is off makes a file fail`() async throws {
    let files = try await passing { $0.platform == .phone && $0.app.kind == .player }
    for part in Self.parts {
      let caught = await failing(files.filter { part.isMeant($0.scenario.app) }, part.switchOff)
      print("off, \(part.name): \(caught.isEmpty ? "nothing" : caught.joined(separator: ", "))")
      #expect(!caught.isEmpty, "no file of the fix sees that it is off: \(part.name)")
    }
  }

  @Test func `A mutation that changes nothing makes no file fail`() async throws {
    let files = try await passing { _ in true }
    try #require(!files.isEmpty)
    #expect(await failing(files) == [])
  }
}
