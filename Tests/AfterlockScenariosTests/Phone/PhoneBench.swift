import AfterlockCore

@testable import AfterlockScenarios

/// A simulated phone to try things on, step by step.
struct PhoneBench {
  let phone: SimulatedPhone
  let recorder = TimelineRecorder()

  /// - Parameters:
  ///   - missing: the rules that are not in force.
  ///   - change: what is different from the complete fix.
  init(
    _ platform: Scenario.Platform = .phone, without missing: Set<Rule> = [],
    queue: [ScenarioItem] = [ScenarioItem(title: "Clip", kind: .video, duration: .seconds(60))],
    faults: PhoneFaults = PhoneFaults(), _ change: (inout AppParts) -> Void = { _ in }
  ) async {
    var app = AppParts()
    change(&app)
    let scenario = Scenario(
      name: "a try", platform: platform, app: app, queue: queue, timeline: [], expectations: [])
    phone = SimulatedPhone(
      scenario, rules: RuleSet(without: missing), recorder: recorder, player: VirtualPlayer(items: queue),
      faults: faults)
    await phone.begin()
  }

  /// Lets a second go by and does something then.
  @discardableResult
  func perform(_ actions: ScenarioAction...) async -> SceneState {
    await phone.advance(to: recorder.now + .seconds(1))
    for action in actions { await phone.perform(action) }
    return await phone.scene()
  }

  /// What the timeline says from an entry on, of some kinds.
  func texts(_ kinds: Set<TimelineEntry.Kind>, from first: Int = 0) -> [String] {
    recorder.finish().entries.dropFirst(first).filter { kinds.contains($0.kind) }.map(\.text)
  }

  var entryCount: Int { recorder.finish().entries.count }
}

extension ScenarioAction {
  static let press = ScenarioAction.sideButton(skipsInactive: false)
  static let call = ScenarioAction.beginInterruption(.call, pauseSeen: .before)
}
