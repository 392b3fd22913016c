import AfterlockCore
import AfterlockScenarios
import Testing

@testable import AfterlockLiveScenarios

/// Each action of a desktop, done by real programs, has what comes of it.
@Suite("A desktop's actions in real time")
struct LiveDesktopTests {
  private typealias Expected = AfterlockScenarios.Expectation

  private func scenario(
    _ name: String, _ timeline: [TimedAction], _ expectations: [Expected],
    _ change: (inout AppParts) -> Void = { _ in }
  ) -> Scenario {
    var app = AppParts()
    change(&app)
    return Scenario(
      name: name, platform: .desktop, app: app,
      queue: [ScenarioItem(title: "Song", kind: .video, duration: .seconds(60))],
      timeline: [.init(at: .zero, .play)] + timeline, expectations: expectations)
  }

  private static func state(_ time: Int, _ change: (inout StateExpectation) -> Void) -> Expected {
    var expected = StateExpectation()
    change(&expected)
    return .state(at: .seconds(time), expected)
  }

  private static func heard(_ from: Int, _ to: Int, _ isAudible: Bool) -> Expected {
    .audible(from: .seconds(from), to: .seconds(to), isAudible, longestGap: nil)
  }

  private static func at(_ second: Int, _ action: ScenarioAction) -> TimedAction {
    TimedAction(at: .seconds(second), action)
  }

  private var scenarios: [Scenario] {
    [
      scenario(
        "lock", [Self.at(1, .lock), Self.at(3, .unlock)],
        [
          Self.heard(0, 1, true), Self.heard(1, 3, false), Self.heard(3, 4, true), .outcome(.plays),
          Self.state(2) {
            ($0.rate, $0.suppression, $0.layers, $0.wantsToPlay) = (0, ["screenLocked"], .detached, true)
          },
          .reason(.screenLocked, times: 1), .reason(.screenUnlocked, times: 1),
        ]
      ) { $0.onLock = .pauses },
      scenario(
        "sleep", [Self.at(1, .sleep), Self.at(3, .wake)],
        [
          Self.heard(0, 1, true), Self.heard(1, 3, false), Self.heard(3, 4, true), .outcome(.plays),
          Self.state(2) { ($0.rate, $0.suppression, $0.reason) = (0, ["systemAsleep"], .systemSleep) },
        ]),
      scenario(
        "remote",
        [Self.at(1, .remotePause), Self.at(2, .remotePlay), Self.at(3, .remoteSeek(to: .seconds(30)))],
        [
          Self.heard(1, 2, false), Self.heard(2, 4, true),
          Self.state(1) { ($0.wantsToPlay, $0.origin, $0.rate) = (false, "remote", 0) },
          Self.state(4) { $0.position = .seconds(31) },
        ]),
      scenario(
        "headset",
        [Self.at(1, .removeSink(kind: .headset, sessionManagerPauses: false)), Self.at(3, .play)],
        [
          Self.heard(0, 1, true), Self.heard(1, 3, false), Self.heard(3, 5, true),
          Self.state(2) { ($0.suppression, $0.wantsToPlay) = (["sinkLost"], true) },
        ]),
      scenario(
        "session manager", [Self.at(1, .removeSink(kind: .headset, sessionManagerPauses: true))],
        [
          Self.heard(1, 3, false), .reason(.routeLost, times: 1),
          Self.state(2) { ($0.suppression, $0.wantsToPlay, $0.origin) = (["sinkLost"], true, "system") },
        ]),
      scenario(
        "no sink", [Self.at(1, .removeSink(kind: nil, sessionManagerPauses: false)), Self.at(3, .addSink)],
        [
          Self.heard(1, 3, false), Self.heard(3, 5, true),
          Self.state(2) { ($0.suppression, $0.wantsToPlay) = (["routeLost"], true) },
        ]),
      scenario(
        "default",
        [Self.at(1, .addSink(kind: .headset)), Self.at(2, .setDefaultSink(kind: .other))],
        [Self.heard(0, 4, true), .outcome(.plays)]),
      scenario(
        "server", [Self.at(1, .killServer), Self.at(3, .startServer)],
        [
          Self.heard(1, 3, false), Self.heard(3, 5, true), Self.state(2) { $0.suppression = ["serverLost"] },
          Self.state(5) { $0.position = .seconds(3) },
        ]),
      scenario(
        "bus",
        [Self.at(1, .killBus), Self.at(2, .remotePause), Self.at(3, .startBus), Self.at(4, .remotePause)],
        [Self.heard(0, 4, true), Self.heard(4, 5, false), .outcome(.paused)]),
      scenario(
        "cork", [Self.at(1, .cork), Self.at(3, .uncork), Self.at(4, .duck), Self.at(5, .unduck)],
        [
          Self.heard(1, 3, false), Self.heard(3, 6, true),
          Self.state(2) { ($0.suppression, $0.wantsToPlay) = (["corked"], true) },
          Self.state(5) { $0.volume = 100 },
        ]),
      scenario("end", [Self.at(1, .endItem)], [Self.heard(1, 3, false), .outcome(.ended)]),
      scenario("failure", [Self.at(1, .failItem)], [Self.heard(1, 3, false), .outcome(.ended)]),
      scenario("terminate", [Self.at(1, .terminate)], [Self.heard(1, 3, false), .outcome(.ended)]),
    ]
  }

  @Test func `each has its effect, and is heard`() async {
    let scenarios = scenarios
    for (index, words) in await PatientRuns.failures(of: scenarios) {
      Issue.record("\(scenarios[index].name): \(words)")
    }
  }
}
