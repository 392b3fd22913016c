import AfterlockCore
import AfterlockScenarios

extension ScenarioTimeline {
  /// What happened and what was heard, a line each, for a failure.
  var told: String {
    let events = entries.map { ($0.time, "\($0.kind.rawValue): \($0.text)") }
    let states = samples.map { sample in
      let state = sample.state
      let words = [
        state.isAudible ? "sound" : "silence", "rate \(state.rate)", "at \(state.position.secondsText)",
        state.suppression.joined(separator: " "),
      ]
      return (sample.time, "   " + words.joined(separator: ", "))
    }
    return (events + states).sorted { $0.0 < $1.0 }.map { "\($0.0.secondsText) \($0.1)" }
      .joined(separator: "\n")
  }
}
