import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

/// Time is virtual: a run is fast, and the same every time.
@Suite(.computesForLong) struct DeterminismTests {
  @Test func `Every file gives the same timeline again, also beside others`() async throws {
    let scenarios = try Corpus.scenarios().map(\.scenario)
    let first = await Corpus.run(scenarios)
    for _ in 0..<4 { #expect(await Corpus.run(scenarios) == first) }
  }

  @Test(arguments: ["lock/side-button.json5", "desktop-server/returns-without-the-headset.json5"])
  func `A thousand runs of a file give one timeline`(path: String) async throws {
    let file = try #require(try Corpus.scenarios().first { $0.path == path })
    let results = await Corpus.run(Array(repeating: file.scenario, count: 1000))
    #expect(Set(results).count == 1 && results[0].passed)
  }

  /// An hour in which something happens every half minute.
  private var hour: Scenario {
    let cycle: [ScenarioAction] = [
      .sideButton(skipsInactive: false), .remotePause, .remotePlay, .unlock, .openControlCenter,
      .closeControlCenter, .switchApp, .returnToApp, .beginInterruption(.call, pauseSeen: .before),
      .endInterruption(shouldResume: true),
    ]
    let items = (0..<20).map {
      ScenarioItem(title: "Part \($0)", kind: .video, duration: .seconds(180))
    }
    let actions = (1..<119).map { TimedAction(at: .seconds(30 * $0), cycle[($0 - 1) % cycle.count]) }
    return Scenario(
      name: "an hour", queue: items, timeline: [TimedAction(at: .zero, .play)] + actions,
      expectations: [
        .reason(.appBackgrounded, times: 0),
        .audible(from: .seconds(3_570), to: .seconds(3_600), true, longestGap: nil), .outcome(.plays),
      ])
  }

  /// A debug build checks and copies more, and other tests run beside this one.
  #if DEBUG
    private static let limit = Duration.seconds(2)
  #else
    private static let limit = Duration.milliseconds(50)
  #endif

  @Test func `An hour takes less than 50 ms in a release`() async {
    var shortest = Duration.seconds(60)
    for _ in 0..<10 {
      let start = ContinuousClock.now
      let result = await ScenarioRunner().run(hour)
      shortest = min(shortest, ContinuousClock.now - start)
      #expect(result.passed, "\(result.failures)")
    }
    print("an hour of a phone takes \((shortest.seconds * 1000).rounded()) ms")
    #expect(shortest < Self.limit)
  }
}
