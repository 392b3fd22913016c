import AfterlockCore
import AfterlockDesktop
import AfterlockScenarios

/// One run of a scenario in real time: does each action at its time, looks at the player shortly after, and judges by what the
/// sink has received.
struct LiveRun {
  /// An action has its effect within this time, as far as the scenario leaves so much: then the state is looked at.
  static let settling = Duration.milliseconds(100)
  /// A state that is not as expected is looked at again so long: on a busy machine an engine may be late.
  static let patience = Duration.milliseconds(500)
  private static let pause = Duration.milliseconds(40)
  /// So much of the end of a run decides whether there is sound at its end.
  private static let ending = Duration.milliseconds(300)

  /// A position lags by the way from the engine to the sink; a start and a pause take a cycle or two of the graph each.
  static let tolerance = JudgeTolerance(
    position: .milliseconds(300), edge: .milliseconds(150), gap: .milliseconds(150))

  let scenario: Scenario
  let world: any LiveWorld
  let recorder: TimelineRecorder

  /// Runs it to its end.
  func run() async throws(DesktopError) -> ScenarioResult {
    do throws(DesktopError) {
      try await world.prepare()
    } catch {
      _ = try? await world.end()
      throw error
    }
    await world.begin()
    let times = ScenarioRunner.times(of: scenario)
    var samples: [TimelineSample] = []
    for (index, time) in times.enumerated() {
      await world.advance(to: time)
      for action in scenario.timeline where action.time == time {
        recorder.record(.action, action.action.words)
        await world.perform(action.action)
      }
      let next = index + 1 < times.count ? times[index + 1] : time
      samples.append(TimelineSample(time: time, state: await look(at: time, before: next)))
    }
    let stretches = try await world.end().map { stretch in
      (world.clock.time(of: stretch.lowerBound)..<world.clock.time(of: stretch.upperBound))
        .clamped(to: .zero..<scenario.end)
    }.filter { !$0.isEmpty }
    return result(samples, stretches)
  }

  /// The state just after all that happens at a time.
  private func look(at time: Duration, before next: Duration) async -> SceneState {
    let early = await world.scene()
    var question = scenario
    question.expectations = scenario.expectations.filter {
      if case .state(at: time, _) = $0 { true } else { false }
    }
    guard !question.expectations.isEmpty else { return early }
    var state = early
    var moment = min(time + Self.settling, next)
    let last = min(time + Self.patience, next)
    while true {
      await world.advance(to: moment)
      let late = await world.scene()
      state = late
      // Where it was at the time in question, unless it stood still or was moved meanwhile.
      state.position -= min(max(world.clock.now - time, .zero), max(late.position - early.position, .zero))
      var timeline = ScenarioTimeline()
      timeline.samples = [TimelineSample(time: time, state: state)]
      let answer = ScenarioResult(
        scenario: question, timeline: timeline, outcome: .paused, tolerance: tolerance)
      guard !answer.passed, moment < last else { return state }
      moment = min(moment + Self.pause, last)
    }
  }

  /// What the clock stood still for, the player may have played.
  private var tolerance: JudgeTolerance {
    var tolerance = Self.tolerance
    tolerance.position += world.clock.held
    return tolerance
  }

  private func result(_ looks: [TimelineSample], _ stretches: [Range<Duration>]) -> ScenarioResult {
    let end = scenario.end
    var timeline = recorder.finish()
    timeline.end = end
    // What comes of the player's own end is none of it.
    timeline.entries.removeAll { $0.time > end }
    timeline.samples = Self.samples(looks, heard: stretches)
    var last = looks.last?.state ?? SceneState()
    let heard = stretches.map { $0.clamped(to: end - Self.ending..<end) }
      .reduce(Duration.zero) { $0 + ($1.upperBound - $1.lowerBound) }
    last.isAudible = heard * 2 >= Self.ending
    return ScenarioResult(
      scenario: scenario, timeline: timeline, outcome: world.outcome(of: last), tolerance: tolerance)
  }

  /// What was seen of the player, with what was heard: a sample more wherever sound begins or ends.
  static func samples(_ looks: [TimelineSample], heard stretches: [Range<Duration>]) -> [TimelineSample] {
    let edges = stretches.flatMap { [$0.lowerBound, $0.upperBound] }
    let times = Set(looks.map(\.time) + edges.filter { $0 > .zero }).sorted()
    return times.compactMap { time in
      guard let look = looks.last(where: { $0.time <= time }) else { return nil }
      var state = look.state
      if state.rate != 0 { state.position += time - look.time }
      state.isAudible = stretches.contains { $0.contains(time) }
      return TimelineSample(time: time, state: state)
    }
  }
}
