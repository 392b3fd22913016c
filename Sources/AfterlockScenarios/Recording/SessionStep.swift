import AfterlockCore

/// One thing that happened in a session, with how things were once all that follows from it had happened.
struct SessionStep: Hashable, Sendable {
  /// What happens to a session.
  enum Happening: Hashable, Sendable {
    /// What a scenario has a word for.
    case action(ScenarioAction)
    /// Somebody wanted another track.
    case move(Move, isRemote: Bool, to: LoggedTrack?)
    /// The track came to its end by itself, and this one went on; `nil` for the end of the list.
    case ended(to: LoggedTrack?)
    /// The current track could not be played, or broke off.
    case failed(LoggedTrack)
    /// Sinks or server came or went; the outcome's ``SettledState/route`` says more.
    case route(RouteChange)
  }
  /// What became of the way that the sound takes.
  enum RouteChange: Hashable, Sendable {
    case sinkLost, sinkCame, sinkChosen, serverLost, serverRestored
  }
  /// Ways to another track.
  enum Move: String, Hashable, Sendable {
    case next, previous, jump, remove
  }

  /// Time since the log began.
  var time: Duration
  var happening: Happening
  var outcome: SettledState
  /// The last line that belongs to it.
  var lastTime: Duration
  /// The track that was current before it.
  var trackBefore: TrackID?
}

/// How things were after a step.
struct SettledState: Hashable, Sendable {
  var wantsToPlay = false
  var suppression: [String] = []
  /// The rate that was reported last, with its reason; `nil` where none has been since the last decision that changes it.
  var report: Report?
  /// What the player was told, whatever has been reported.
  var isRunning = false
  /// Where playback was at a time, as the log has it.
  var place: Place?
  /// The volume in percent, where a line has said so.
  var volume: Double?
  /// The track that is current, as far as the log says.
  var track: LoggedTrack?
  /// The list has come to its end.
  var isAtEnd = false
  /// Nothing is loaded, by a viewer's word.
  var isStopped = false

  /// What the lines of a step say of sinks.
  var route = RouteFacts()

  struct Place: Hashable, Sendable {
    var time: Duration
    var position: Duration
  }

  struct Report: Hashable, Sendable {
    var rate: Double
    /// `nil` where several changes may have become one.
    var reason: RateChangeReason?
    var origin: String?
  }
}

/// What the lines of one step say of the way that the sound takes.
struct RouteFacts: Hashable, Sendable {
  /// The kind of the sink that was lost.
  var lost: SinkKind?
  /// The session manager paused the player before anything else was known of it (L4).
  var isPausedBefore = false
  /// There was no sink at all.
  var hasNone = false
  /// There was no sink for a moment at least.
  var wasWithout = false
  /// The sink that has the sound from then on.
  var next: String?
}
