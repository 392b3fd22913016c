public import AfterlockCore

/// What happened in a run, in order.
public struct TimelineEntry: Hashable, Sendable {
  /// What an entry tells of.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Something of the scenario's timeline.
    case action
    /// The platform posted a notification, or called the app.
    case notice
    /// The platform did something by itself.
    case platform
    /// The app decided, as its log tells.
    case decision
    /// The rate changed, as the app's log tells.
    case rateChange
    /// The app crashed, or could not be built.
    case fault
  }

  /// Time since the start of the scenario.
  public var time: Duration
  /// What it tells of.
  public var kind: Kind
  /// In words, on one line.
  public var text: String
  /// The reason of a rate change.
  public var reason: RateChangeReason?
  /// Who caused it, by the log's word.
  public var origin: String?
  /// The rate after a rate change.
  public var rate: Double?

  /// An entry with all that it says.
  public init(
    time: Duration, kind: Kind, text: String, reason: RateChangeReason? = nil, origin: String? = nil,
    rate: Double? = nil
  ) {
    self.time = time
    self.kind = kind
    self.text = text
    self.reason = reason
    self.origin = origin
    self.rate = rate
  }
}

/// How things were from a time on.
public struct TimelineSample: Hashable, Sendable {
  /// Time since the start of the scenario.
  public var time: Duration
  /// How things are from then on, until the next sample; a position moves on at the rate.
  public var state: SceneState

  /// `state` from `time` on.
  public init(time: Duration, state: SceneState) {
    self.time = time
    self.state = state
  }
}

/// Everything that one run has shown.
public struct ScenarioTimeline: Hashable, Sendable {
  /// What happened, in order.
  public var entries: [TimelineEntry] = []
  /// How things were: one sample for each time at which something happened or was expected, in order.
  public var samples: [TimelineSample] = []
  /// The app's log, as the app wrote it.
  public var log: [PlaybackLogLine] = []
  /// When the run ended.
  public var end = Duration.zero

  /// Nothing has happened.
  public init() {}

  /// How things were just after all that happened at `time`.
  public func state(at time: Duration) -> SceneState? { samples.last { $0.time <= time }?.state }

  /// Stretches with or without sound between two times, in order, neighbours joined.
  public func audibility(from: Duration, to: Duration) -> [(from: Duration, to: Duration, isAudible: Bool)] {
    var stretches: [(from: Duration, to: Duration, isAudible: Bool)] = []
    for (index, sample) in samples.enumerated() {
      let next = index + 1 < samples.count ? samples[index + 1].time : end
      let (begin, finish) = (max(sample.time, from), min(next, to))
      guard begin < finish else { continue }
      if let last = stretches.indices.last, stretches[last].isAudible == sample.state.isAudible {
        stretches[last].to = finish
      } else {
        stretches.append((begin, finish, sample.state.isAudible))
      }
    }
    return stretches
  }

  /// How often the rate changed for a reason.
  public func count(of reason: RateChangeReason) -> Int {
    entries.count { $0.kind == .rateChange && $0.reason == reason }
  }
}
