import AfterlockCore

@testable import AfterlockScenarios

/// A life of a player on a desktop, made from a seed: a short list, and what happens to it within a minute or two.
struct RandomLife {
  let scenario: Scenario

  init(seed: UInt64, length: Int = 16) {
    var random = SeededGenerator(seed: seed)
    let queue = (0..<Int.random(in: 1...4, using: &random)).map { index in
      ScenarioItem(
        title: "Track \(index)", duration: .milliseconds(Int.random(in: 800...30_000, using: &random)))
    }
    var time = Duration.zero
    var timeline = [TimedAction(at: .zero, .play)]
    for _ in 0..<length {
      // Now and then two at the same time.
      if Int.random(in: 0..<8, using: &random) > 0 {
        time += .milliseconds(Int.random(in: 1...6_000, using: &random))
      }
      timeline.append(TimedAction(at: time, Self.action(&random)))
    }
    var scenario = Scenario(
      name: "a life", platform: .desktop, queue: queue, timeline: timeline, expectations: [])
    scenario.app.onLock = Bool.random(using: &random) ? .continues : .pauses
    scenario.app.onRouteLoss = Bool.random(using: &random) ? .pause : .follow
    self.scenario = scenario
  }

  private static func action(_ random: inout SeededGenerator) -> ScenarioAction {
    let position = Duration.milliseconds(Int.random(in: 0...20_000, using: &random))
    let kind: SinkKind = [.other, .headset, .usb].randomElement(using: &random) ?? .other
    let pauses = Bool.random(using: &random)
    let all: [ScenarioAction] = [
      .play, .pause, .toggle, .stop, .next, .previous, .seek(to: position),
      .volume(to: Double(Int.random(in: 1...100, using: &random))), .remotePlay, .remotePause, .remoteToggle,
      .remoteNext, .remotePrevious, .remoteSeek(to: position), .lock, .unlock, .sleep, .wake, .killServer,
      .startServer, .cork, .uncork, .failItem, .endItem, .addSink(kind: kind), .setDefaultSink,
      .setDefaultSink(kind: kind), .removeSink(kind: nil, sessionManagerPauses: pauses),
      .removeSink(kind: kind, sessionManagerPauses: pauses),
    ]
    return all.randomElement(using: &random) ?? .play
  }
}
