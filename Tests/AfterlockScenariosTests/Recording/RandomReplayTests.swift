import AfterlockCore
import Testing

@testable import AfterlockScenarios

@Suite("Random lives of a simulated desktop, recorded and replayed")
struct RandomReplayTests {
  /// Lives a life, records it, and lives the recording.
  private func replay(
    seed: UInt64, without dropped: Int? = nil
  ) async throws -> (session: RecordedSession, result: ScenarioResult, comparison: ReplayComparison) {
    let life = RandomLife(seed: seed).scenario
    let lived = await ScenarioRunner().run(life)
    let session = try #require(RecordedSession(lived.timeline.log))
    var scenario = session.scenario
    if let dropped { scenario.timeline.remove(at: dropped % scenario.timeline.count) }
    let result = await ScenarioRunner().run(scenario)
    return (
      session, result, ReplayComparison(recorded: session.lines, replayed: result.timeline.log)
    )
  }

  @Test func `decide the same again, as expected`() async throws {
    for seed in UInt64(1)...1000 {
      let (session, result, comparison) = try await replay(seed: seed)
      let story = session.scenario.timeline.map { "\($0.time.secondsText) \($0.action.words)" } + session.scenario.queue.map { "\($0)" } + ["LIFE"] + RandomLife(seed: seed).scenario.timeline.map { "\($0.time.secondsText) \($0.action.words)" } + RandomLife(seed: seed).scenario.queue.map { "\($0)" } + session.lines.map { $0.json }
      if let difference = comparison.firstDifference {
        Issue.record("seed \(seed): \(difference)\n\(story.joined(separator: "\n"))")
      }
      #expect(
        result.failures.isEmpty,
        "seed \(seed): \(result.failures.prefix(3))\n\(story.joined(separator: "\n"))")
      #expect(comparison.count > 1)
    }
  }
}
