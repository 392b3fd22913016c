import AfterlockCore
import Synchronization

/// What an app tells the phone of what it plays, for the lock screen (F).
struct NowPlayingInfo: Sendable {
  /// Which entry of the app's queue it is.
  var item: TrackID
  /// What the lock screen calls it.
  var title: String?
  /// Its length; `nil` while it is not known.
  var duration: Duration?
  /// Where playback was when this was told; the lock screen lets it go on at the rate.
  var elapsed: Duration
  /// 0 held, 1 running.
  var rate: Double
  /// Its picture, the same one as long as it is the same item.
  var artwork: NowPlayingArtwork
}

/// The picture of one item, which the phone asks for when it wants it.
final class NowPlayingArtwork: Sendable {
  /// The closure that makes the picture.
  enum Handler: Sendable {
    /// Formed in nonisolated code: it may be called on any thread.
    case nonisolated(@Sendable (_ side: Int) -> ArtworkImage?)
    /// Formed in main-actor code: it takes the process with it that calls it elsewhere, so a child process has to.
    case mainActor
  }
  /// Called when the picture is wanted (P9).
  let handler: Handler

  /// A picture that `handler` makes.
  init(_ handler: Handler) { self.handler = handler }
}

/// Where an app tells what it plays, and where the lock screen reads it.
final class NowPlayingCenter: Sendable {
  private struct State {
    var info: NowPlayingInfo?
    var time = Duration.zero
  }
  private let state = Mutex(State())

  /// What the app has told last; `nil` for nothing.
  var info: NowPlayingInfo? { state.withLock(\.info) }

  /// The app tells at `time` what it plays.
  func set(_ info: NowPlayingInfo?, at time: Duration) {
    state.withLock { ($0.info, $0.time) = (info, time) }
  }

  /// The elapsed time that the lock screen shows at `time`; `nil` where it shows nothing.
  func elapsed(at time: Duration) -> Duration? {
    state.withLock { state in
      state.info.map { $0.elapsed + ($0.rate == 0 ? .zero : time - state.time) }
    }
  }
}
