internal import AfterlockCore
internal import Synchronization

/// An opened run. Its reader stays open until it has been read to its end and, for the run that is heard, beyond that: so a
/// seek back finds it.
final class Track {
  /// Where the frames come from.
  enum Frames {
    /// From a file, in the engine's own time.
    case file(any MediaReader, ReadInterrupter)
    /// From a server, which may keep one waiting.
    case server(RemoteReader)

    var info: MediaInfo {
      switch self {
      case .file(let reader, _): reader.info
      case .server(let remote): remote.info
      }
    }

    func close() {
      switch self {
      case .file(let reader, _): reader.close()
      case .server(let remote): remote.close()
      }
    }
  }

  let run: PlaybackRun
  /// `nil` once it has been let go of.
  private var frames: Frames?
  private var lastInfo: MediaInfo
  /// `true` once the reader has given its last frame.
  var isDecoded = false
  /// `true` once its frames are in the ring and that has been told.
  var isJoined = false
  /// The next frame that the reader gives, for the length that the end proves.
  var nextFrame: Int64 = 0

  var format: AudioFormat { info.format }

  init(run: PlaybackRun, frames: Frames) {
    self.run = run
    self.frames = frames
    lastInfo = frames.info
  }

  var isOpen: Bool { frames != nil }
  var info: MediaInfo { frames?.info ?? lastInfo }

  /// The reader on a thread of its own, where it is one.
  var remote: RemoteReader? {
    if case .server(let remote)? = frames { remote } else { nil }
  }

  /// `true` when the run is about to be left: what the reader says from then on is no news.
  var isInterrupted: Bool {
    switch frames {
    case nil: false
    case .file(_, let interrupter): interrupter.isInterrupted
    case .server(let remote): remote.interrupter.isInterrupted
    }
  }

  /// - Returns: frames written; 0 at the end; `nil` while they are on their way.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> Int? {
    switch frames {
    case nil: 0
    case .file(let reader, _): try reader.read(into: buffer)
    case .server(let remote): try remote.read(into: buffer)
    }
  }

  func takeDamage() -> PlaybackFailure? {
    switch frames {
    case nil: nil
    case .file(let reader, _): reader.takeDamage()
    case .server(let remote): remote.takeDamage()
    }
  }

  /// Goes to `frame`, and gives where that is; a server says later where it has landed.
  func seek(toFrame frame: Int64) throws(PlaybackFailure) -> Int64 {
    switch frames {
    case nil: return frame
    case .file(let reader, _): return try reader.seek(toFrame: frame)
    case .server(let remote):
      guard remote.canBeMovedThrough else {
        throw PlaybackFailure(.unsupported, "This is a live stream, which cannot be moved through.")
      }
      let target = min(max(frame, 0), info.frames ?? frame)
      remote.seek(toFrame: target)
      return target
    }
  }

  /// Lets go of the file: hundreds of short ones may wait in the ring for their turn.
  func close() {
    guard let frames else { return }
    lastInfo = frames.info
    frames.close()
    self.frames = nil
  }

  deinit { frames?.close() }
}

/// A stretch of the ring that holds consecutive frames of one run.
struct Segment: Sendable {
  let run: PlaybackRun
  /// Index in the ring of its first frame.
  let startIndex: Int64
  /// Which frame of the run that is.
  let startFrame: Int64
  let rate: Int

  /// The time in the run when the ring's frame `index` is heard; never before the segment's own start.
  func time(at index: Int64) -> Duration {
    .frames(startFrame + max(0, index - startIndex), rate: rate)
  }
}

/// What comes after the track that is decoded.
enum Upcoming {
  /// Nobody has said yet.
  case unknown
  /// Nothing: that track is the last.
  case none
  /// Named, and not yet opened: that is done shortly before it is needed.
  case named(PlaybackRun)
  case opening(PlaybackRun)
  case opened(Track)

  var run: PlaybackRun? {
    switch self {
    case .unknown, .none: nil
    case .named(let run), .opening(let run): run
    case .opened(let track): track.run
    }
  }

  /// The track, once it is open.
  var track: Track? {
    if case .opened(let track) = self { track } else { nil }
  }
  var isNone: Bool { if case .none = self { true } else { false } }
  var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// What can be broken off from any thread: the openings under way and the readers that are open.
///
/// It keeps none of them alive, so that a track that loops for days does not leave one behind with every round.
final class InterrupterList: Sendable {
  private struct Entry {
    weak var interrupter: ReadInterrupter?
  }

  private let entries = Mutex<[Entry]>([])

  /// How many are kept: those in use, and what has gone since the last `add`.
  var count: Int { entries.withLock { $0.count } }

  func add(_ interrupter: ReadInterrupter) {
    entries.withLock { entries in
      entries.removeAll { $0.interrupter == nil }
      entries.append(Entry(interrupter: interrupter))
    }
  }

  func interruptAll() {
    for entry in entries.withLock({ $0 }) { entry.interrupter?.interrupt() }
  }
}
