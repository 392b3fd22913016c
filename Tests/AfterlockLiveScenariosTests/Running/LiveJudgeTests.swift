import AfterlockCore
import AfterlockScenarios
import AfterlockTestSupport
import Testing

@testable import AfterlockLiveScenarios

/// The judge of real runs is shown faults that it must find, and runs without a fault that it must let pass.
@Suite("Real runs are judged by what is heard")
struct LiveJudgeTests {
  private typealias Expected = AfterlockScenarios.Expectation

  /// A video of which everything is known; the viewer pauses it at the end.
  private func scenario(
    _ timeline: [TimedAction], _ expectations: [Expected], _ change: (inout AppParts) -> Void = { _ in }
  ) -> Scenario {
    var app = AppParts()
    change(&app)
    return Scenario(
      name: "a video that is locked away", app: app,
      queue: [ScenarioItem(title: "Clip", kind: .video, duration: .seconds(60))],
      timeline: [.init(at: .zero, .play)] + timeline, expectations: expectations)
  }

  private static let plays = Expected.audible(
    from: .zero, to: .seconds(3), true, longestGap: .milliseconds(50))
  private static let lock = TimedAction(at: .seconds(1), .sideButton(skipsInactive: false))

  /// What came of scenarios that ran at once, in their order.
  private func results(_ scenarios: [Scenario], fault: FaultyPlayer.Fault? = nil) async throws
    -> [ScenarioResult]
  {
    var runner = LiveScenarioRunner(atOnce: scenarios.count)
    if let fault { runner.wrap = { FaultyPlayer($0, fault, $1) } }
    let stream = runner
    return try await DesktopPermits.shared.withPermit {
      var results: [Int: ScenarioResult] = [:]
      for await (index, result) in stream.runAll(scenarios) { results[index] = try result.get() }
      return scenarios.indices.compactMap { results[$0] }
    }
  }

  @Test func `what is as expected passes, and a system pause that nobody undoes is found`() async throws {
    var held = StateExpectation()
    held.rate = 0
    held.position = .seconds(1)
    held.reason = .appBackgrounded
    held.origin = "system"
    func isLate(_ app: inout AppParts) { app.detachesLayersAt = .didEnterBackground }
    func isBroken(_ app: inout AppParts) {
      isLate(&app)
      app.undoesSystemPause = false
    }
    let undone: [Expected] = [Self.plays, .reason(.appBackgrounded, times: 1), .outcome(.plays)]
    let silence = Expected.audible(from: .seconds(1), to: .seconds(3), false, longestGap: nil)
    let results = try await results([
      scenario([Self.lock], [Self.plays, .reason(.appBackgrounded, times: 0), .outcome(.plays)]),
      scenario([Self.lock], undone, isLate),
      scenario([Self.lock], [.state(at: .seconds(2), held), silence, .outcome(.paused)], isBroken),
      scenario([Self.lock], [silence, .outcome(.silenced)]) { $0.category = .soloAmbient },
      scenario([Self.lock], undone, isBroken),
      scenario([Self.lock], [silence]),
    ])
    for result in results.prefix(4) { #expect(result.passed, "\(result.failures)") }
    // The reason is as expected: the pause, and the silence that came of it, are not.
    #expect(results[4].failures.map(\.index) == [0, 2], "\(results[4].failures)")
    #expect(results[5].failures.map(\.index) == [0], "\(results[5].failures)")
  }

  @Test func `a player that says it is held and sounds on is found`() async throws {
    let pause = TimedAction(at: .seconds(1), .pause)
    let silence = Expected.audible(from: .seconds(1), to: .seconds(3), false, longestGap: nil)
    var held = StateExpectation()
    held.rate = 0
    let result = try await results(
      [scenario([pause], [.state(at: .seconds(2), held), silence, .outcome(.paused)])], fault: .soundsOn)
    #expect(result.map { $0.failures.map(\.index) } == [[1, 2]], "\(result.map(\.failures))")
  }

  @Test func `a gap of half a second is found, and so is its place`() async throws {
    let result = try await results(
      [scenario([], [Self.plays])], fault: .isSilent(from: .milliseconds(1_500), to: .milliseconds(2_000)))
    let failure = try #require(result.first?.failures.first)
    let time = try #require(failure.time)
    #expect(time > .milliseconds(1_400) && time < .milliseconds(1_900), "\(failure)")
  }
}
