/// Asks for the picture of one entry.
public struct ArtworkRequest: Hashable, Sendable {
  /// The entry that the picture is for.
  public var track: TrackID
  /// Where the entry's sound comes from.
  public var location: MediaLocation
  /// The longest side that is wanted, in pixels; `nil` for the picture as it is.
  public var maximumSide: Int?
  /// `false` where the file is known to hold no picture (``MediaInfo/hasArtwork``): then it is not opened again.
  public var mayBeEmbedded: Bool

  /// A request for the picture of `track`.
  public init(
    track: TrackID, location: MediaLocation, maximumSide: Int? = nil, mayBeEmbedded: Bool = true
  ) {
    self.track = track
    self.location = location
    self.maximumSide = maximumSide
    self.mayBeEmbedded = mayBeEmbedded
  }
}

/// Where the platform's media callbacks arrive, on whatever thread it likes (P9).
///
/// Isolation: an actor off the main executor. The entry points are `nonisolated` and safe on any thread, also one that Swift
/// has never seen: what is handed to the platform is formed in nonisolated code, so no check of an executor is compiled in.
/// They report and never decide.
public actor MediaCallbackActor {
  /// Takes commands in order; ``PlaybackCoordinator/send(_:origin:)`` fits. Called on: this actor's executor.
  public typealias CommandSink = @Sendable (PlayerCommand, CommandOrigin) -> Void
  /// Loads and scales a picture, off every actor; should stop when its task is cancelled.
  public typealias ArtworkLoader = @concurrent @Sendable (ArtworkRequest) async -> ArtworkImage?
  /// Takes the picture of the track that is current. Called on: this actor's executor.
  public typealias ArtworkSink = @Sendable (TrackID, ArtworkImage?) -> Void

  private enum Callback: Sendable {
    case command(PlayerCommand, CommandOrigin)
    case trackChanged(TrackID?)
    case artworkRequest(ArtworkRequest)
  }

  private nonisolated let mailbox = OrderedMailbox<Callback>()
  private let commands: CommandSink
  private let loadArtwork: ArtworkLoader
  private let artwork: ArtworkSink
  private var track: TrackID?
  private var load: (request: ArtworkRequest, task: Task<Void, Never>)?

  /// - Parameters:
  ///   - commands: where commands go.
  ///   - loadArtwork: makes a picture; runs on the global executor.
  ///   - artwork: where pictures go.
  public init(
    commands: @escaping CommandSink, loadArtwork: @escaping ArtworkLoader = { _ in nil },
    artwork: @escaping ArtworkSink = { _, _ in }
  ) {
    self.commands = commands
    self.loadArtwork = loadArtwork
    self.artwork = artwork
  }

  /// Takes a command. The order of calls is kept; of a person's plays and pauses that wait next to each other, only the
  /// last is handed on, and the session manager's take no person's place (L4). Called on: any thread.
  public nonisolated func receive(_ command: PlayerCommand, from origin: CommandOrigin) {
    post(.command(command, origin))
  }

  /// Another track is current, or none: a picture that is still loading for another one is not handed on any more.
  /// Called on: any thread.
  public nonisolated func trackChanged(to track: TrackID?) { post(.trackChanged(track)) }

  /// Asks for a picture; nothing comes when the track is not current, then or later. Called on: any thread.
  public nonisolated func requestArtwork(_ request: ArtworkRequest) { post(.artworkRequest(request)) }

  /// Hands on what was received before; returns when that is done.
  public func catchUp() { for callback in mailbox.takeAll() { take(callback) } }

  private nonisolated func post(_ callback: Callback) {
    let isFirst = mailbox.post(callback) { last in
      guard case .command(let earlier, let first) = last, case .command(let later, let second) = callback,
        earlier.isPlayOrPause, later.isPlayOrPause, first.isPerson == second.isPerson
      else { return false }
      last = callback
      return true
    }
    if isFirst { Task(priority: .userInitiated) { await drain() } }
  }

  private func drain() {
    while let callbacks = mailbox.takeAllOrFinish() { callbacks.forEach(take) }
  }

  private func take(_ callback: Callback) {
    switch callback {
    case .command(let command, let origin): commands(command, origin)
    case .trackChanged(let track): change(to: track)
    case .artworkRequest(let request): begin(request)
    }
  }

  private func change(to track: TrackID?) {
    guard track != self.track else { return }
    self.track = track
    load?.task.cancel()
    load = nil
  }

  private func begin(_ request: ArtworkRequest) {
    guard request.track == track, load?.request != request else { return }
    load?.task.cancel()
    let loadArtwork = loadArtwork
    let task = Task { [weak self] in
      let image = await loadArtwork(request)
      await self?.land(image, for: request)
    }
    load = (request, task)
  }

  /// The track may have changed, and another picture been asked for, while this one was made.
  private func land(_ image: ArtworkImage?, for request: ArtworkRequest) {
    guard request.track == track, load?.request == request else { return }
    load = nil
    artwork(request.track, image)
  }
}

extension PlayerCommand {
  /// Play and pause overrule each other; toggles do not, since two of them are none.
  fileprivate var isPlayOrPause: Bool { self == .play || self == .pause }
}
