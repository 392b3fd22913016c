import AfterlockCore

/// Compares what happened with what was expected.
struct Judge {
  let scenario: Scenario
  let timeline: ScenarioTimeline
  let outcome: Outcome
  let tolerance: JudgeTolerance

  var failures: [ExpectationFailure] {
    scenario.expectations.enumerated().flatMap { index, expectation in
      judge(expectation).map { time, expected, found in
        ExpectationFailure(index: index, time: time, expected: expected, found: found)
      }
    }
  }

  private typealias Difference = (time: Duration?, expected: String, found: String)

  private func judge(_ expectation: Expectation) -> [Difference] {
    switch expectation {
    case .state(let time, let expected):
      guard let state = timeline.state(at: time) else {
        return [(time, "something to look at", "nothing: the app never ran")]
      }
      return differences(expected, state).map { (time, $0, $1) }
    case .audible(let begin, let end, let isAudible, let longestGap):
      let (from, to) = (begin + tolerance.edge, end - tolerance.edge)
      let stretches = timeline.audibility(from: from, to: to)
      let covered = stretches.reduce(Duration.zero) { $0 + ($1.to - $1.from) }
      let wrong = stretches.first {
        $0.isAudible != isAudible && $0.to - $0.from > (longestGap ?? .zero) + tolerance.gap
      }
      let wish = isAudible ? "sound" : "silence"
      if let wrong {
        let found = isAudible ? "silence" : "sound"
        let what = "\(found) from \(wrong.from.secondsText) to \(wrong.to.secondsText) s"
        return [(wrong.from, "\(wish) from \(begin.secondsText) to \(end.secondsText) s", what)]
      }
      guard covered == to - from else {
        let what = "\(wish) from \(begin.secondsText) to \(end.secondsText) s"
        return [(begin, what, "no run at that time")]
      }
      return []
    case .reason(let reason, let times):
      let count = timeline.count(of: reason)
      return count == times ? [] : [(nil, "\(reason) \(times) times", "\(count) times")]
    case .outcome(let expected):
      return expected == outcome ? [] : [(nil, "outcome \(expected.rawValue)", outcome.rawValue)]
    }
  }

  private func differences(_ expected: StateExpectation, _ state: SceneState) -> [(String, String)] {
    var differences: [(String, String)] = []
    func compare<Value: Equatable>(
      _ name: String, _ expected: Value?, _ found: Value?, _ words: (Value) -> String
    ) {
      guard let expected, expected != found else { return }
      differences.append(("\(name) \(words(expected))", found.map(words) ?? "none"))
    }
    compare("rate", expected.rate, state.rate) { $0 == 0 ? "0" : $0 == 1 ? "1" : "\($0)" }
    compare("layers", expected.layers, state.layers, \.rawValue)
    compare("app", expected.app, state.app, \.rawValue)
    compare("wantsToPlay", expected.wantsToPlay, state.wantsToPlay) { "\($0)" }
    compare("item", expected.item, state.item) { "\($0)" }
    compare("suppression", expected.suppression, Set(state.suppression)) {
      $0.isEmpty ? "none" : $0.sorted().joined(separator: ", ")
    }
    compare("reason", expected.reason, state.reason, \.rawValue)
    compare("origin", expected.origin, state.origin, \.self)
    compare("status", expected.status, state.status) { "\"\($0)\"" }
    compare("toggle", expected.toggle, state.toggle, \.rawValue)
    compare("controls", expected.controls, state.controls, \.rawValue)
    if let position = expected.position {
      let distance = max(position - state.position, state.position - position)
      if distance > tolerance.position {
        differences.append(("position \(position.secondsText)", state.position.secondsText))
      }
    }
    if let volume = expected.volume, (volume - state.volume).magnitude > 0.5 {
      differences.append(("volume \(Int(volume.rounded()))", "\(Int(state.volume.rounded()))"))
    }
    return differences
  }
}
