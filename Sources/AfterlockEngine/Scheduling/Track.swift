internal import AfterlockCore
internal import Synchronization

/// An opened run: the reader stays open as long as the run may be heard, so that a seek back finds it.
final class Track {
  let run: PlaybackRun
  let reader: any MediaReader
  /// Interrupted when the run is about to be left: what the reader says from then on is no news.
  let interrupter: ReadInterrupter
  /// `true` once the reader has given its last frame.
  var isDecoded = false
  /// Frames written to the ring since the last seek, for the length that the end proves.
  var nextFrame: Int64 = 0

  var info: MediaInfo { reader.info }
  var format: AudioFormat { reader.info.format }

  init(run: PlaybackRun, reader: any MediaReader, interrupter: ReadInterrupter) {
    self.run = run
    self.reader = reader
    self.interrupter = interrupter
  }

  deinit { reader.close() }
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

/// What comes after the current run.
enum Upcoming {
  case none
  /// Named, and not yet opened: that is done shortly before it is needed.
  case named(PlaybackRun)
  case opening(PlaybackRun)
  case opened(Track)

  var run: PlaybackRun? {
    switch self {
    case .none: nil
    case .named(let run), .opening(let run): run
    case .opened(let track): track.run
    }
  }
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
