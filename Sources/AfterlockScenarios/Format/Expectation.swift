public import AfterlockCore

/// What a scenario expects.
public enum Expectation: Hashable, Sendable {
  /// How things are just after all that happens at a time.
  case state(at: Duration, StateExpectation)
  /// Whether there is sound from one time to another; silences up to `longestGap` do not count, and neither do sounds where
  /// silence is expected.
  case audible(from: Duration, to: Duration, Bool, longestGap: Duration?)
  /// How often the rate changed for a reason, in the whole run.
  case reason(RateChangeReason, times: Int)
  /// What holds at the end.
  case outcome(Outcome)

  /// The times that it names.
  var times: [Duration] {
    switch self {
    case .state(let time, _): [time]
    case .audible(let from, let to, _, _): [from, to]
    case .reason, .outcome: []
    }
  }
}

/// What is expected at a time; `nil` where nothing is said.
public struct StateExpectation: Hashable, Sendable {
  /// The player's rate: 0 held, 1 running.
  public var rate: Double?
  /// What became of the layers.
  public var layers: SceneState.Layers?
  /// Where the app is.
  public var app: SceneState.App?
  /// What the viewer wants.
  public var wantsToPlay: Bool?
  /// Where playback is in the item, to a tenth of a second.
  public var position: Duration?
  /// Which item of the queue is current, from 0.
  public var item: Int?
  /// Why playback is held: names of causes, all that there are.
  public var suppression: Set<String>?
  /// Reason of the last rate change.
  public var reason: RateChangeReason?
  /// Who made the last rate change: `viewer`, `remote`, `system` or `engine`.
  public var origin: String?
  /// The viewer's volume, in percent of the slider.
  public var volume: Double?
  /// The noise maker's line of status (N).
  public var status: String?
  /// What the noise maker's toggle reads (N).
  public var toggle: NoiseMaker.Toggle?
  /// Whether the noise maker's controls can be used (N).
  public var controls: SceneState.Controls?

  /// Nothing is expected.
  public init() {}
}

/// What holds at the end of a run.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
  /// Sound is heard.
  case plays
  /// The player is held: its rate is 0.
  case paused
  /// The player runs, and nothing of it is heard.
  case silenced
  /// The system has suspended the app.
  case suspended
  /// The app has crashed: a real child process has.
  case crashed
  /// The app was never built: a real compiler refuses it.
  case doesNotCompile
  /// The queue was played to its end, or the app was ended.
  case ended
  /// It cannot be known here, and the result's fault says why. No file can expect it.
  case unknown

  /// The outcomes that a file can expect.
  public static let allCases: [Outcome] = [
    .plays, .paused, .silenced, .suspended, .crashed, .doesNotCompile, .ended,
  ]
}
