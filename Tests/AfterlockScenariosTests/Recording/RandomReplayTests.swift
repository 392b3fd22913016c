import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

@Suite("Random lives of a simulated desktop, recorded and replayed", .computesForLong)
struct RandomReplayTests {
  /// Lives a life, records it, and lives the recording.
  private func replay(
    _ life: Scenario, without dropped: Int? = nil
  ) async throws -> (session: RecordedSession, result: ScenarioResult, comparison: ReplayComparison) {
    let lived = await ScenarioRunner().run(life)
    let session = try #require(RecordedSession(lived.timeline.log))
    var scenario = session.scenario
    if let dropped { scenario.timeline.remove(at: dropped) }
    let result = await ScenarioRunner().run(scenario)
    let comparison = ReplayComparison(recorded: session.lines, replayed: result.timeline.log)
    return (session, result, comparison)
  }

  @Test func `decide the same again, as expected`() async throws {
    for seed in UInt64(1)...200 {
      let life = RandomLife(seed: seed).scenario
      let (session, result, comparison) = try await replay(life)
      let story = "seed \(seed)\nlived: \(life.json5)\nrecorded: \(session.scenario.json5)"
      if let difference = comparison.firstDifference { Issue.record("\(difference)\n\(story)") }
      #expect(result.failures.isEmpty, "\(result.failures)\n\(story)")
      #expect(comparison.count > 1)
    }
  }

  @Test func `are files that can be read again`() async throws {
    for seed in UInt64(1)...20 {
      let scenario = try await replay(RandomLife(seed: seed).scenario).session.scenario
      #expect(try ScenarioFile.parse(scenario.json5, named: "a recording") == scenario)
    }
  }

  @Test(arguments: 0..<4)
  func `without one of their actions decide something else, and that is found`(dropped: Int) async throws {
    let life = Scenario(
      name: "a life", platform: .desktop, queue: [ScenarioItem(title: "Track", duration: .seconds(60))],
      timeline: [
        .init(at: .zero, .play), .init(at: .seconds(2), .pause), .init(at: .seconds(4), .remoteToggle),
        .init(at: .seconds(6), .killServer),
      ], expectations: [])
    #expect(try await replay(life).comparison.firstDifference == nil)
    let (_, result, comparison) = try await replay(life, without: dropped)
    #expect(comparison.firstDifference != nil && !result.failures.isEmpty)
  }

  @Test func `of an hour without a touch are not locked and put to sleep`() async throws {
    let life = Scenario(
      name: "an hour", platform: .desktop, queue: [ScenarioItem(title: "Track", duration: .seconds(4_000))],
      timeline: (0...15).map { .init(at: .seconds(240 * $0), $0 == 0 ? .play : .volume(to: 100)) }
        + [.init(at: .seconds(3_610), .pause)], expectations: [])
    let (session, result, comparison) = try await replay(life)
    #expect(comparison.firstDifference == nil && result.failures.isEmpty, "\(result.failures)")
    #expect(session.scenario.timeline.filter { $0.action == .lock }.isEmpty)
    #expect(result.timeline.log.allSatisfy { $0.entry.reason != "screenLocked" })
  }
}
