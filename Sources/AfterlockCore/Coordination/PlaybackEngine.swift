/// What the coordinator asks of the engine; carried out in the order given.
public enum EngineCommand: Hashable, Sendable {
  /// Leave what plays, not one frame of it is heard any more, and open `run` at `position`; it fails where it is known to
  /// be no longer than that. What was named as upcoming is forgotten, and what follows is not known until `setUpcoming`
  /// says so; whether the output runs or is held stays as it is.
  case load(PlaybackRun, position: Duration)
  /// What follows the run `after` without a gap, or `nil` for nothing: then `after` is the last. Replaces what was named
  /// before; what was decoded ahead of it is thrown away unless it is already heard. Ignored when the engine does not have
  /// `after` any more: a fact about what it has instead is on its way.
  case setUpcoming(PlaybackRun?, after: PlaybackRun)
  /// Let the samples go to the output.
  case start(reason: RateChangeReason)
  /// Let whatever sink there is have the sound, and wait for no other one.
  case allowOtherSink
  /// Hold the output; the position stays.
  case pause(reason: RateChangeReason)
  /// Go to `position` in the current run; ignored when `run` is no longer current.
  case seek(PlaybackRun, position: Duration)
  /// Sets how loud it plays, and undoes a mixer's mute.
  case setVolume(Volume)
  /// Leave what plays and let go of the file; forgets what was named as upcoming.
  case unload
}

/// What the engine and the output report: facts, never decisions.
///
/// Rate changes come beside these, as notifications with a reason string (`NotificationBridge`).
public enum EngineFact: Hashable, Sendable {
  /// `run` could be opened.
  case opened(PlaybackRun, MediaInfo)
  /// `run` could not be opened (`played` is false), or broke off while it was decoded.
  case failed(PlaybackRun, PlaybackFailure, played: Bool)
  /// `run` could be read, but a part of it could not: it plays on.
  case damaged(PlaybackRun, PlaybackFailure)
  /// `run` was named as upcoming, and its frames are written behind those of the run before it. What follows it is not
  /// known, so it is to be named (`setUpcoming`). Said again where the engine had to begin anew behind an earlier run:
  /// what was joined to `run` is joined no longer.
  case joined(PlaybackRun)
  /// The first frame of `run` was handed to the output: after `load`, or by a gapless join with what played before.
  case started(PlaybackRun)
  /// The last frame of `run` has left the output, and nothing followed, as `setUpcoming` had said.
  case ended(PlaybackRun)
  /// A seek has landed.
  case seeked(PlaybackRun, position: Duration)
  /// The stream has lost its link though its sink is there, or has it again (`nil`); the server's loss ends it, too. The
  /// stream waits by itself, and there is nothing to decide (L8).
  case linkLossChanged(LinkLoss?)
  /// A mixer of the desktop has set this stream's volume.
  case volumeChanged(Volume)
  /// A mixer of the desktop has muted this stream, or let it be heard again.
  case muteChanged(Bool)
  /// There is no sound server to begin with; `serverRestored` follows when there is one.
  case serverMissing
  /// The sound server went away; `serverRestored` follows.
  case serverLost
  /// The sound server is back and the stream rebuilt, inactive.
  case serverRestored
  /// There is no sink to play to.
  case routeLost(sink: String?)
  /// There is a sink again, or at last.
  case routeRestored(sink: String)
  /// The sink that was played to has gone, and the output is held, until the next `start` (L5). Comes before another is
  /// said to have its place, and after `routeLost` where there is none.
  case sinkLost(SinkDescription)
  /// This sink is the one that is played to: known for the first time, or another one than before.
  case sinkChanged(String)
}

/// Why an item did not play, in words for a person.
public struct PlaybackFailure: Hashable, Sendable, Error {
  /// The kinds that a program may want to tell apart.
  public enum Code: String, Hashable, Sendable {
    /// There is no such file.
    case missing
    /// The file is there and may not be read.
    case notReadable
    /// The file has no bytes.
    case empty
    /// No known format.
    case notMedia
    /// Media without sound.
    case noAudio
    /// A known format whose content is damaged.
    case corrupt
    /// The file ends before its header says it does.
    case truncated
    /// It is whole, and was to begin at its end or behind it.
    case tooShort
    /// Nothing installed decodes it.
    case unsupported
    /// The server of an address does not answer, or refuses.
    case network
    /// The sound server refuses.
    case server
    /// The process may not open as many files and sockets as it takes.
    case tooFewDescriptors
  }
  /// What kind of failure it is.
  public var code: Code
  /// One sentence: what is wrong and, where something can be done, what to do.
  public var message: String
  /// A failure with a sentence for a person.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// Where playback is, as heard: what waits in the output is not counted.
public struct PlaybackPosition: Hashable, Sendable {
  /// `nil` when nothing is loaded.
  public var run: PlaybackRun?
  /// Time since the start of the run.
  public var time: Duration
  /// A position in `run`.
  public init(run: PlaybackRun?, time: Duration) {
    self.run = run
    self.time = time
  }
}

/// The engine as the coordinator sees it.
///
/// Called on: the coordinator's executor; an implementation takes each command without waiting and carries
/// it out elsewhere.
public protocol PlaybackEngine: Sendable {
  /// Takes a command; commands are carried out in the order in which they were given.
  func perform(_ command: EngineCommand)
  /// Where playback is now; safe from any thread and never waits.
  var position: PlaybackPosition { get }
}
