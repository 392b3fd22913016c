import AfterlockCore

/// What every player on a phone has to live through, each as short as it can be told.
///
/// They are built here and not read, so that the matrix is there where no file is.
public struct CanonicalScenario: Hashable, Sendable {
  /// A heading of a few words.
  public let name: String
  /// The scenario with the whole fix.
  public let scenario: Scenario

  private init(
    _ name: String, _ about: String, _ actions: [ScenarioAction],
    kind: ScenarioItem.Kind = .video, layers: SceneState.Layers? = nil, outcome: Outcome = .plays
  ) {
    self.name = name
    var end = StateExpectation()
    end.layers = layers
    // Something happens once a second.
    let timeline = actions.enumerated().map { TimedAction(at: .seconds($0), $1) }
    scenario = Scenario(
      name: name, about: about, queue: [ScenarioItem(title: "Clip", kind: kind, duration: .seconds(60))],
      timeline: timeline,
      expectations: [.state(at: .seconds(actions.count), end), .outcome(outcome)])
  }

  /// One row of the matrix, in its order.
  public static let all = [
    CanonicalScenario(
      "side button", "P6: the side button while a video plays",
      [.play, .sideButton(skipsInactive: false)]),
    CanonicalScenario(
      "side button, inactive skipped", "P7: the lock reports the background straight away",
      [.play, .sideButton(skipsInactive: true)]),
    CanonicalScenario("app switch", "P5: another app while a video plays", [.play, .switchApp]),
    CanonicalScenario(
      "lock with audio", "P1–P3: the side button while music plays",
      [.play, .sideButton(skipsInactive: false)], kind: .audio),
    CanonicalScenario(
      "ring switch", "P2: the Ring/Silent switch while music plays", [.play, .ringSwitchSilent],
      kind: .audio),
    CanonicalScenario(
      "call on the lock screen", "P11, P13: a call comes and ends while the phone is locked",
      [
        .play, .sideButton(skipsInactive: false), .beginInterruption(.call, pauseSeen: .before),
        .endInterruption(shouldResume: true),
      ]),
    CanonicalScenario(
      "headset unplugged", "P12: the route goes, and nothing is heard on another", [.play, .unplugRoute],
      kind: .audio, outcome: .paused),
    CanonicalScenario(
      "return to the app", "P4: what was detached comes back",
      [.play, .sideButton(skipsInactive: false), .unlock], layers: .attached),
    CanonicalScenario(
      "pause, play on the lock screen", "P9: the lock screen's buttons",
      [.play, .sideButton(skipsInactive: false), .remotePause, .remotePlay]),
    CanonicalScenario(
      "artwork on the lock screen", "P9: the system asks for the picture on a thread of its own",
      [.play, .sideButton(skipsInactive: false), .remoteToggle, .remoteToggle], kind: .audio),
  ]
}
