@_exported public import AfterlockCore
internal import AfterlockEngine
@_exported public import AfterlockPipeWire
public import AfterlockRealtime
internal import Foundation
internal import Synchronization

/// A player for PipeWire: the coordinator, the engine and the output, wired together.
///
/// ```swift
/// let player = Player()
/// await player.open(["/home/me/song.flac"])
/// let summary = await player.finished()
/// await player.close()
/// ```
///
/// Called on: any thread. Every decision is taken on the coordinator's executor, the main actor's unless another is handed
/// in; nothing here blocks.
public final class Player: Sendable {
  /// How a player sounds and where it appears.
  public struct Configuration: Sendable {
    /// The PipeWire side: which server, which sink, under which name.
    public var output = PipeWireConfiguration()
    /// What the sound is for; gives PipeWire's media role and category.
    public var session = AudioSession()
    /// What events of the system do to playback: a lock of the screen, the loss of a headset.
    public var policy = PolicyConfiguration()
    /// The longest that a pause, a seek or a skip may fade, 0 to 10 ms; 0 cuts.
    public var fade = Duration.milliseconds(5)
    /// Where every rate change is written.
    public var log: PlaybackLog?
    /// Where the pictures that were asked for are kept for other programs to read: `$XDG_CACHE_HOME/afterlock/art` unless
    /// it is changed. `nil` keeps none; they are then in the snapshots only.
    public var artworkFolder = Self.usersArtworkFolder
    /// Seed of the shuffled order; another one each time unless it is given.
    public var shuffleSeed: UInt64?

    /// Plays music to the default sink.
    public init() {}

    /// ``output`` with what `session` and `policy` say of it.
    package var pipeWire: PipeWireConfiguration {
      var output = output
      output.mediaRole = session.mediaRole
      output.mediaCategory = session.mediaCategory
      output.onRouteLoss = policy.onRouteLoss
      return output
    }

    private static var usersArtworkFolder: MediaPath? {
      ArtworkCache { name in getenv(name).map { String(cString: $0) } }?.folder
    }
  }

  /// Owns intent, queue and layers.
  public let coordinator: PlaybackCoordinator
  /// Where commands of foreign threads arrive, and their wishes for the picture of the current track (P9), which comes with
  /// a snapshot.
  public let callbacks: MediaCallbackActor
  private let sound: PlayerSound
  private let observation: NotificationObservation

  /// Makes a player and begins to connect to PipeWire.
  ///
  /// Does not throw, since there is always something to show: without a server the player waits for one, and without
  /// enough file descriptors (some 40) each item fails with `PlaybackFailure.Code.tooFewDescriptors`. Only Dispatch, which
  /// Swift's concurrency stands on, ends a process that has none at all left for it.
  ///
  /// - Parameters:
  ///   - configuration: how it sounds and where it appears. The media role and category of its `output` are those of its
  ///     `session`, and what a lost route does is what its `policy` says.
  ///   - executor: where decisions are taken.
  public convenience init(
    _ configuration: Configuration = Configuration(), on executor: CoordinatorExecutor = .main
  ) {
    self.init(configuration, output: PipeWireOutput(configuration.pipeWire), on: executor)
  }

  /// Makes a player over another output, such as one of a test; `AudioOutput` is of the target `AfterlockRealtime`.
  /// - Parameters:
  ///   - configuration: how it sounds; its `output` is not used.
  ///   - output: where the sound goes. The player opens and closes it.
  ///   - executor: where decisions are taken.
  public init(_ configuration: Configuration, output: any AudioOutput, on executor: CoordinatorExecutor) {
    // A center of its own: two players in one process do not hear of each other's rates.
    let bridge = NotificationBridge(center: NotificationCenter())
    let seed = configuration.shuffleSeed ?? UInt64.random(in: .min ... .max)
    let wiring = Wiring()
    let coordinator = PlaybackCoordinator(
      on: executor, configuration: configuration.policy, session: configuration.session,
      queue: PlaybackQueue(generator: SeededGenerator(seed: seed)), log: configuration.log
    ) { report in
      let sound = PlayerSound(
        output: output, fade: configuration.fade,
        reports: .init(
          fact: report,
          rateChange: { rate, reason, run in bridge.post(rate: rate, reason: reason, runID: run?.id) }))
      wiring.set(sound)
      return sound.engine
    }
    self.coordinator = coordinator
    sound = wiring.sound
    observation = bridge.observe { coordinator.report($0) }
    let artwork = ArtworkSource(cache: configuration.artworkFolder.map(ArtworkCache.init(folder:)))
    callbacks = MediaCallbackActor(
      commands: { coordinator.send($0, origin: $1) }, loadArtwork: { await artwork.load($0) },
      artwork: { coordinator.report($1, of: $0) })
    sound.connect()
  }

  /// Carries the sound out of the closure that makes it, since coordinator and engine each need the other.
  private final class Wiring: Sendable {
    private let made = Mutex<PlayerSound?>(nil)
    func set(_ sound: PlayerSound) { made.withLock { $0 = sound } }
    var sound: PlayerSound {
      made.withLock { sound in
        guard let sound else { preconditionFailure("the coordinator makes its engine in its initialiser") }
        return sound
      }
    }
  }

  /// Puts items at the end of the queue and plays.
  /// - Parameter position: where the first one begins.
  @discardableResult
  public func open(_ items: [QueueItem], at position: Duration = .zero) async -> [QueueEntry] {
    await coordinator.open(items, at: position)
  }

  /// A command of the viewer; carried out after all that was sent before.
  public func send(_ command: PlayerCommand) { coordinator.send(command, origin: .viewer) }

  /// Where playback is now, as heard.
  public var position: PlaybackPosition { coordinator.position }

  /// Everything that a user interface shows, beginning with how things are.
  public func snapshots() -> AsyncStream<PlayerSnapshot> { coordinator.snapshots() }

  /// Waits until the queue has been played to its end.
  public func finished() async -> PlaybackSummary { await coordinator.finished() }

  /// Waits until the sound server has answered for the first time.
  /// - Returns: `false` when it has not within `limit`; the player goes on trying.
  public func isConnected(within limit: Duration) async -> Bool { await sound.isConnected(within: limit) }

  /// Waits until what was decided before has been carried out, by the engine and by the server: after a hold the sound
  /// has faded out, and the desktop's graph no longer waits for this program.
  /// - Returns: `false` when that has not come about within `limit`.
  @discardableResult
  public func isSettled(within limit: Duration) async -> Bool { await sound.isSettled(within: limit) }

  /// Stops the sound and lets go of the server and the files. Returns when no callback runs any more.
  ///
  /// Takes turns on the coordinator's executor, so that the end of the sound is in the log: that executor has to run.
  public func close() async {
    // A picture that is still on its way is for nobody, and is not waited for.
    callbacks.trackChanged(to: nil)
    await sound.engine.end()
    // While the engine still stands where the sound ended.
    _ = await coordinator.snapshot
    await sound.engine.close()
    observation.cancel()
  }
}

extension QueueItem: ExpressibleByStringLiteral {
  /// A file by its path, or an `http` or `https` address.
  public init(stringLiteral text: String) { self.init(text) }

  /// A file by its path, or an `http` or `https` address.
  public init(_ text: String) {
    let isAddress = text.hasPrefix("http://") || text.hasPrefix("https://")
    self.init(location: isAddress ? .url(text) : .file(MediaPath(text)))
  }
}
