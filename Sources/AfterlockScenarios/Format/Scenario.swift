import AfterlockCore

/// One scenario: an app on a platform, what happens to it there, and what is expected of it.
///
/// The format of its file is described in `Scenarios/README.md`.
public struct Scenario: Hashable, Sendable {
  /// What the app runs on.
  public enum Platform: String, Hashable, Sendable, CaseIterable {
    /// A device in the hand (P1–P13).
    case phone
    /// The development machine's imitation of one, which does not reproduce the lock (P10).
    case simulator
    /// A PipeWire desktop (L1–L9).
    case desktop
  }

  /// Its name, in words.
  public var name: String
  /// What it shows, and by which rules.
  public var about: String
  /// What the app runs on.
  public var platform: Platform
  /// The parts of the app; the complete fix unless the file says otherwise (F).
  public var app: AppParts
  /// What is played, in order.
  public var queue: [ScenarioItem]
  /// What happens, in the order of its times.
  public var timeline: [TimedAction]
  /// What is expected, in the order of the file.
  public var expectations: [Expectation]

  /// A scenario of these parts.
  public init(
    name: String, about: String = "", platform: Platform = .phone, app: AppParts = AppParts(),
    queue: [ScenarioItem], timeline: [TimedAction], expectations: [Expectation]
  ) {
    self.name = name
    self.about = about
    self.platform = platform
    self.app = app
    self.queue = queue
    self.timeline = timeline
    self.expectations = expectations
  }

  /// When the run ends: one second after the latest time that the scenario names.
  public var end: Duration {
    let times = timeline.map(\.time) + expectations.flatMap(\.times)
    return (times.max() ?? .zero) + .seconds(1)
  }
}

/// Something to play in a scenario.
public struct ScenarioItem: Hashable, Sendable {
  /// Whether there is a picture to show.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Sound alone.
    case audio
    /// Sound and picture; a layer shows it from the start.
    case video
  }
  /// Where it comes from.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// A file, whose video tracks can be disabled (P4).
    case file
    /// A stream, whose tracks are not the app's to disable (P4).
    case stream
  }

  /// Its title.
  public var title: String
  /// Whether there is a picture to show.
  public var kind: Kind
  /// Where it comes from.
  public var source: Source
  /// Its length.
  public var duration: Duration

  /// An item of these properties.
  public init(title: String, kind: Kind = .audio, source: Source = .file, duration: Duration) {
    self.title = title
    self.kind = kind
    self.source = source
    self.duration = duration
  }
}

/// An action with its time.
public struct TimedAction: Hashable, Sendable {
  /// Time since the start of the scenario.
  public var time: Duration
  /// What is done.
  public var action: ScenarioAction

  /// `action` at `time`.
  public init(at time: Duration, _ action: ScenarioAction) {
    self.time = time
    self.action = action
  }
}
