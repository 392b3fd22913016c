import AfterlockCore
import Testing

@testable import AfterlockScenarios

/// What is expected of a stretch is judged alike at its begin, within it and at its end.
@Suite struct JudgeTests {
  /// Whether a run that is silent from one time to another passes for one with sound from 2 to 12 s, but for a second.
  private func passes(silentFrom begin: Int, to end: Int, isAudible: Bool = true) -> Bool {
    var timeline = ScenarioTimeline()
    for (time, isSilent) in [(0, false), (begin, true), (end, false)] {
      var state = SceneState()
      state.isAudible = isSilent != isAudible
      timeline.samples.append(TimelineSample(time: .milliseconds(time), state: state))
    }
    timeline.end = .seconds(13)
    let scenario = Scenario(
      name: "n", queue: [ScenarioItem(title: "Song", duration: .seconds(60))], timeline: [],
      expectations: [.audible(from: .seconds(2), to: .seconds(12), isAudible, longestGap: .seconds(1))])
    return Judge(scenario: scenario, timeline: timeline, outcome: .plays, tolerance: .exact).failures.isEmpty
  }

  @Test(arguments: [true, false])
  func `A gap counts by what of it lies in the stretch, at its begin, within it and at its end`(
    _ isAudible: Bool
  ) {
    for begin in [1_000, 2_000, 6_000, 11_000] {
      let seen = max(begin, 2_000)
      #expect(passes(silentFrom: begin, to: seen + 1_000, isAudible: isAudible), "\(begin)")
      guard seen + 1_001 <= 12_000 else { continue }
      #expect(!passes(silentFrom: begin, to: seen + 1_001, isAudible: isAudible), "\(begin)")
    }
    #expect(!passes(silentFrom: 10_999, to: 12_000, isAudible: isAudible))
    #expect(!passes(silentFrom: 10_999, to: 12_500, isAudible: isAudible))
    #expect(passes(silentFrom: 11_000, to: 12_500, isAudible: isAudible))
  }
}
