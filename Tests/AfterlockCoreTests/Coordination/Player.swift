import AfterlockCore
import Synchronization

/// A coordinator with an engine that only records, and a log kept in memory.
struct Player {
  let engine: RecordingEngine
  let coordinator: PlaybackCoordinator
  let lines: RecordingLines

  init(
    on executor: CoordinatorExecutor = CoordinatorExecutor(QueueExecutor()),
    configuration: PolicyConfiguration = PolicyConfiguration(),
    onPerform: @escaping @Sendable (EngineCommand) -> Void = { _ in }
  ) {
    let engine = RecordingEngine(onPerform: onPerform)
    let lines = RecordingLines()
    self.engine = engine
    self.lines = lines
    coordinator = PlaybackCoordinator(
      on: executor, configuration: configuration, queue: PlaybackQueue(generator: SeededGenerator(seed: 1)),
      log: PlaybackLog(now: { .zero }, write: lines.append), engine: engine)
  }

  /// Opens `count` items and has the first one play.
  @discardableResult
  func play(_ count: Int) async -> [QueueEntry] {
    let entries = await coordinator.open(items(count))
    if let run = engine.lastLoaded { await coordinator.start(run) }
    _ = engine.takeCommands()
    return entries
  }
}

/// Lines of a log.
final class RecordingLines: Sendable {
  private let lines = Mutex<[String]>([])
  func append(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock(\.self) }
}

/// Files "1", "2", … in the folder "/music".
func items(_ count: Int) -> [QueueItem] {
  (1...max(count, 1)).prefix(count).map { QueueItem(location: .file(MediaPath("/music/\($0)"))) }
}

extension QueueEntry {
  /// The name of the file.
  var name: String {
    guard case .file(let path) = location else { return location.display }
    return path.lastComponent.display
  }
}

extension RecordingEngine {
  /// The run of the last `load`.
  var lastLoaded: PlaybackRun? {
    for case .load(let run, _) in commands.reversed() { return run }
    return nil
  }

  /// The run of the last `setUpcoming`.
  var lastUpcoming: PlaybackRun? {
    for case .setUpcoming(let run, _) in commands.reversed() { return run }
    return nil
  }
}

extension PlaybackCoordinator {
  /// The engine has opened `run` and its first frame went out.
  func start(_ run: PlaybackRun, seconds: Int64 = 60) {
    handle(.opened(run, .minute(seconds: seconds)))
    handle(.started(run))
  }
}

extension MediaInfo {
  static func minute(seconds: Int64 = 60) -> MediaInfo {
    MediaInfo(
      format: AudioFormat(rate: 48_000, channels: [.frontLeft, .frontRight]), frames: seconds * 48_000,
      codec: "pcm_s16le", isSeekExact: true, tags: MediaTags(), hasArtwork: false)
  }
}

extension PlaybackFailure {
  static let notThere = PlaybackFailure(.missing, "There is no such file.")
}
