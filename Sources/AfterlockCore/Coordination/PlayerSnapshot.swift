/// An entry that did not play as it should.
public struct ItemFailure: Hashable, Sendable {
  /// How much of the entry was lost.
  public enum Extent: String, Hashable, Sendable {
    /// Nothing of it was heard.
    case notPlayed
    /// It began and could not go on.
    case brokeOff
    /// It plays on with a part missing.
    case damaged
  }

  /// The entry in question.
  public var entry: QueueEntry
  /// What went wrong, in words for a person.
  public var failure: PlaybackFailure
  /// How much of it was lost.
  public var extent: Extent

  /// A failure of `entry`.
  public init(entry: QueueEntry, failure: PlaybackFailure, extent: Extent) {
    self.entry = entry
    self.failure = failure
    self.extent = extent
  }
}

/// What a user interface needs to show, as one value.
public struct PlayerSnapshot: Hashable, Sendable {
  /// The run that is current; a looped track is a new run of the same entry.
  public var run: PlaybackRun?
  /// The entry that is current, loaded or not.
  public var entry: QueueEntry?
  /// What the current file says of itself, once it is open.
  public var info: MediaInfo?
  /// Whether the first frame of `run` has gone out.
  public var isHeard = false
  /// The picture of the current entry, once it was asked for and came (``MediaCallbackActor/requestArtwork(_:)``).
  public var artwork: ArtworkImage?
  /// Where playback was when this was made; for a moving position ask ``PlaybackCoordinator/position``.
  public var position: Duration = .zero
  /// What the engine does.
  public var state = PlaybackState.stopped
  /// What the person wants.
  public var intent = PlaybackIntent.initial
  /// Why playback is held although wanted.
  public var suppression: PlaybackSuppression = []
  /// The last rate change that was reported.
  public var lastRateChange: RateChange?
  /// The loudness, as it will be when not muted.
  public var volume = Volume.full
  /// Whether the sound is muted.
  public var isMuted = false
  /// What happens at the end of a track and of the queue.
  public var loopMode = LoopMode.none
  /// Whether the order is shuffled.
  public var isShuffled = false
  /// Position of the current entry in the list, from 0.
  public var index: Int?
  /// Number of entries.
  public var count = 0
  /// Another one whenever the list is another: then ask for ``PlaybackCoordinator/listing``.
  public var listVersion: UInt64 = 0
  /// Whether `next` leads anywhere.
  public var hasNext = false
  /// Whether `previous` leads anywhere.
  public var hasPrevious = false
  /// Whether more items are on their way, so that the end of the queue is not known.
  public var expectsMore = false
  /// Everything that went wrong so far, in order.
  public var failures = FailureList()
  /// The sink that is played to, by its name; `nil` without one, and until the server has answered.
  public var sink: String?
  /// The sink whose loss holds playback until the viewer says to go on (L5); `nil` when none does, or it is not known.
  public var lostSink: SinkDescription?
  /// Grows whenever the position jumped in a way that the rate does not explain (MPRIS Seeked).
  public var jumps: UInt64 = 0

  /// Greater after a change, and the same where nothing has changed: two snapshots may overtake each other on their way.
  public var serial: UInt64 = 0

  /// Nothing loaded, nothing wanted.
  public init() {}

  /// Whether ``PlayerCommand/togglePlayPause`` would pause, so that a button that toggles reads "Pause".
  ///
  /// By the wish as far as it goes: a player that waits for its sound server is playing to a person, and the button takes
  /// the wish back; held so that a person's Play would end it, it is paused (L5).
  public var togglePauses: Bool {
    let hasItem = state == .loading || state == .playing || state == .paused
    return hasItem && intent.wantsToPlay && suppression.isDisjoint(with: .liftedByPerson)
  }
  /// Whether the queue has been played to its end and no more items are on their way.
  public var isFinished: Bool { state == .ended && !expectsMore }
  /// Entries that were passed over or broke off.
  public var failedCount: Int { failures.failedCount }
}

/// How a queue went.
public struct PlaybackSummary: Hashable, Sendable {
  /// Everything that went wrong, in order.
  public var failures: [ItemFailure]
  /// Whether the queue was played to its end; `false` when the coordinator went away or the wait was cancelled.
  public var isComplete: Bool
  /// Entries that were passed over or broke off.
  public var failedCount: Int { failures.count { $0.extent != .damaged } }
}
