import AfterlockCore
import AfterlockScenarios

/// What keeps a scenario from a run in real time.
enum LiveObstacle {
  static func text(for scenario: Scenario) -> String? {
    let longest = LiveScenarioRunner.longest
    if scenario.end > longest {
      return "it lasts \(scenario.end.secondsText) s, and in real time \(longest.secondsText) s are the most"
    }
    for case .outcome(let outcome) in scenario.expectations
    where outcome == .crashed || outcome == .doesNotCompile {
      return "its outcome is \(outcome.rawValue), which has nothing to do with sound; run it simulated"
    }
    if scenario.app.artworkBuiltIn == .mainActor || scenario.app.reasonCrossesAs == .notification {
      return "its app crashes or cannot be built; run it simulated"
    }
    if scenario.app.kind != .player, scenario.platform == .desktop {
      return "on a real desktop the app is the player; run it simulated"
    }
    let length = scenario.queue.reduce(Duration.zero) { $0 + $1.duration }
    if length > ScenarioMedia.longest {
      let most = ScenarioMedia.longest
      return "its items last \(length.secondsText) s together, and \(most.secondsText) s are the most"
    }
    if let time = endOfHeldItem(in: scenario) {
      return "an item that is held is to end at \(time.secondsText) s, and a real one ends when it is heard"
    }
    if let time = relinking(in: scenario) {
      return
        "what is heard from \(time.secondsText) s on depends on a session manager that waits before it links a paused "
        + "player to another sink; run it simulated"
    }
    for case .audible(let from, let to, _, _) in scenario.expectations
    where to - from < LiveRun.tolerance.edge * 3 {
      let stretch = "from \(from.secondsText) to \(to.secondsText) s"
      return "sound or silence \(stretch) is too short to be told apart in real time"
    }
    return nil
  }

  /// When an item is to end while the viewer has it paused.
  private static func endOfHeldItem(in scenario: Scenario) -> Duration? {
    var isWanted = false
    for timed in scenario.timeline {
      switch timed.action {
      case .play, .remotePlay: isWanted = true
      case .pause, .remotePause, .stop: isWanted = false
      case .toggle, .remoteToggle: isWanted.toggle()
      case .endItem where !isWanted: return timed.time
      default: break
      }
    }
    return nil
  }

  /// When a session manager takes a player that it has paused to another sink, and that can be heard: an installed one may
  /// neither pause nor wait (L4).
  private static func relinking(in scenario: Scenario) -> Duration? {
    for timed in scenario.timeline {
      guard case .removeSink(_, sessionManagerPauses: true) = timed.action else { continue }
      let next = timed.time..<timed.time + .seconds(1)
      let isPlayed = scenario.timeline.contains { other in
        guard next.contains(other.time) else { return false }
        return [.play, .toggle, .remotePlay, .remoteToggle].contains(other.action)
      }
      if isPlayed || scenario.app.onRouteLoss == .follow { return timed.time }
    }
    return nil
  }
}
