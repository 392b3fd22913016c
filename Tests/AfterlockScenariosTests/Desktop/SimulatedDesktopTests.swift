import AfterlockCore
import Testing

@testable import AfterlockScenarios

/// What the app's log tells of a simulated desktop, in its order (L1–L9).
@Suite struct SimulatedDesktopTests {
  private func run(
    _ actions: [(at: Int, ScenarioAction)], kind: ScenarioItem.Kind = .audio, until end: Int = 20,
    without rules: Set<Rule> = [], _ change: (inout AppParts) -> Void = { _ in }
  ) async -> ScenarioResult {
    var app = AppParts()
    change(&app)
    let scenario = Scenario(
      name: "a desktop", platform: .desktop, app: app,
      queue: [ScenarioItem(title: "Song", kind: kind, duration: .seconds(7_200))],
      timeline: [TimedAction(at: .zero, .play)]
        + actions.map { TimedAction(at: .seconds($0.at), $0.1) },
      expectations: [.state(at: .seconds(end), StateExpectation())])
    return await ScenarioRunner(rules: RuleSet(without: rules)).run(scenario)
  }

  private func lines(_ result: ScenarioResult, _ words: String) -> [TimelineEntry] {
    result.timeline.entries.filter { $0.kind != .action && $0.text.contains(words) }
  }

  @Test func `L1: four sources tell of one lock, and the app hears of one`() async {
    let result = await run([(2, .lock), (4, .unlock)])
    #expect(lines(result, "screenLocked").count == 1)
    #expect(lines(result, "screenUnlocked").count == 1)
    let apart = await run([(2, .lock), (4, .unlock)], without: [.oneLock])
    #expect(lines(apart, "screenLocked").count == 4)
  }

  @Test func `L2: the sound ends before the machine sleeps, and nothing moves while it does`() async {
    let result = await run([(2, .sleep), (600, .wake)], until: 601)
    #expect(result.timeline.count(of: .systemSleep) == 1 && result.timeline.count(of: .systemWake) == 1)
    #expect(result.timeline.state(at: .seconds(600))?.position == .seconds(2))
    #expect(result.timeline.state(at: .seconds(601))?.position == .seconds(3))
    let frozen = await run([(2, .sleep), (5, .wake)], without: [.sleepNotice])
    let state = frozen.timeline.state(at: .seconds(2))
    #expect(state?.rate == 1 && state?.isAudible == false, "a machine that sleeps is heard")
  }

  @Test func `L3: what the viewer does is input, and what a remote control does is none`() async {
    let touched = await run([(600, .volume(to: 50))], until: 899)
    #expect(lines(touched, "the screen locks").map(\.time) == [.seconds(300)])
    let paused = await run([(10, .pause), (600, .seek(to: .zero))], until: 1_501)
    #expect(lines(paused, "the machine sleeps").map(\.time) == [.seconds(1_500)])
    let remote = await run([(10, .pause), (600, .remoteSeek(to: .zero))], until: 1_501)
    #expect(lines(remote, "the machine sleeps").map(\.time) == [.seconds(910)])
  }

  @Test func `L3: only the film that is current keeps the screen open`() async {
    let film = await run([], kind: .video, until: 1_000)
    #expect(lines(film, "the screen locks").isEmpty)
    let hidden = await run([(10, .dropLayer)], kind: .video, until: 1_000)
    #expect(lines(hidden, "the screen locks").count == 1)
  }

  @Test func `L4: the session manager's Pause comes before the loss, and is the system's`() async throws {
    let result = await run([(2, .removeSink(kind: .headset, sessionManagerPauses: true))])
    let texts = result.timeline.entries.map(\.text)
    let pause = try #require(texts.firstIndex { $0.hasPrefix("route: routeLost") })
    let loss = try #require(texts.firstIndex { $0.contains("went away") })
    #expect(pause < loss)
    #expect(result.timeline.entries[pause].origin == "system")
    #expect(result.timeline.state(at: .seconds(2))?.wantsToPlay == true)
    let other = await run([
      (2, .addSink(kind: .usb)), (3, .removeSink(kind: .other, sessionManagerPauses: true)),
    ])
    #expect(lines(other, "pauses the player").isEmpty, "it is not what is played to")
  }

  @Test func `L5: the loss of a headset pauses once, whoever tells of it`() async {
    for pauses in [true, false] {
      let result = await run([(2, .removeSink(kind: .headset, sessionManagerPauses: pauses))])
      #expect(result.timeline.count(of: .routeLost) == 1 && result.outcome == .paused)
    }
  }

  @Test func `L6: a start without a sink does not move, and begins at its beginning`() async {
    let result = await run([(0, .removeSink), (2, .pause), (3, .addSink), (5, .play)], until: 6)
    #expect(result.timeline.state(at: .seconds(5))?.position == .zero)
    #expect(result.timeline.state(at: .seconds(6))?.position == .seconds(1))
  }

  @Test func `L7: the server takes corks and levels with it`() async {
    let result = await run([(2, .cork), (3, .duck), (4, .killServer), (6, .startServer)])
    #expect(result.outcome == .plays)
    #expect(result.timeline.state(at: .seconds(6))?.suppression == [])
    #expect(result.timeline.state(at: .seconds(6))?.position == .seconds(2))
  }

  @Test func `L8: a cork is told of while it runs, and not to a paused player`() async {
    let result = await run([(2, .pause), (3, .cork), (4, .uncork)])
    #expect(lines(result, "the session manager has").isEmpty)
    let running = await run([(3, .cork), (4, .uncork)])
    #expect(lines(running, "the session manager has").count == 2)
    #expect(running.timeline.entries.count { $0.kind == .rateChange } == 1)
  }

  @Test func `L9: what no bus carries is written down`() async {
    let result = await run([(2, .killBus), (3, .remotePause), (4, .startBus), (5, .remotePause)])
    #expect(lines(result, "not heard").map(\.time) == [.seconds(3)])
    #expect(result.outcome == .paused)
  }

  @Test func `A desktop has no side button, and says so`() async {
    let result = await run([(2, .sideButton(skipsInactive: false))])
    #expect(lines(result, "a desktop has none of that").count == 1 && result.outcome == .plays)
  }
}
