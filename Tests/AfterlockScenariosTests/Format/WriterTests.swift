import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

/// What is written can be read again, by people too.
@Suite(.computesForLong) struct WriterTests {
  @Test func `What is written is read as the same scenario`() throws {
    var random = RandomScenario(seed: 0xAF7E_510C)
    var words: Set<String> = []
    for number in 0..<1000 {
      let scenario = random.next()
      words.formUnion(scenario.timeline.map(\.action.word))
      let text = scenario.json5
      #expect(try ScenarioFile.parse(text, named: "\(number)") == scenario, "\(text)")
    }
    #expect(words == Set(ActionWord.allCases.map(\.rawValue)), "some action was never written")
  }

  @Test func `It reads as if it were written by hand`() throws {
    let scenario = try ScenarioFile.parse(ScenarioFileTests.example, named: "example")
    var changed = scenario
    changed.app.decidesBy = .state
    changed.app.backgroundModes = []
    changed.timeline.append(TimedAction(at: .milliseconds(25_250), .interruptionForTests))
    #expect(
      changed.json5 == """
        {
          name: "the side button while a video plays",
          about: "P6: did-enter-background is too late for the side button",
          platform: "phone",
          app: {
            backgroundModes: [],
            decidesBy: "state",
          },
          queue: [
            { title: "Clip", kind: "video", duration: 60 },
          ],
          timeline: [
            { at: 0, do: "play" },
            { at: 5, do: "sideButton" },
            { at: 20, do: "unlock" },
            { at: 25, do: "remote.pause" },
            { at: 25.25, do: "interruption.begin", kind: "alarm" },
          ],
          expect: [
            { at: 6, rate: 1, layers: "detached", app: "background", wantsToPlay: true, position: 6 },
            { from: 5, to: 20, audible: true, longestGap: 0.05 },
            { reason: "appBackgrounded", times: 0 },
            { at: 26, rate: 0, wantsToPlay: false, reason: "setRateCalled", origin: "remote" },
            { outcome: "plays" },
          ],
        }

        """)
  }
}

extension ScenarioAction {
  fileprivate static let interruptionForTests = Self.beginInterruption(.alarm, pauseSeen: .before)
}
