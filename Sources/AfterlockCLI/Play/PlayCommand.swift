import Afterlock
import AfterlockCore
import AfterlockPipeWire
import Glibc

/// `afterlock play`: wires the player, the terminal and the main loop together.
///
/// Isolation: the main actor, on the initial thread; `run` returns the exit status.
@MainActor
enum PlayCommand {
  static func run(_ options: PlayOptions) -> Int32 {
    guard AfterlockCommand.hasDescriptors() else { return 1 }
    let lines: LineWriter?
    let recording: Recording?
    do throws(UsageError) {
      recording = try options.record.map { path throws(UsageError) in try Recording(into: path) }
      lines = try openLog(options.log)
    } catch {
      StandardStream.error.write("afterlock: \(error.message)\n")
      return 2
    }
    defer { lines?.finish() }
    // Without a file too: "afterlock why" asks for the last lines.
    var write: (@Sendable (String) -> Void)?
    if let lines { write = { lines.write($0) } }
    let log = PlaybackLog(keepsPast: true, observe: recording?.observe, write: write)
    let loop = MainLoop()
    guard !options.isPrivate else {
      let run = PrivateRun(options, log: log, loop: loop)
      run.begin()
      return finish(recording, status: loop.run())
    }
    let player = Player(configuration(options, log))
    let session = session(options, player, loop) { await player.close() }
    session.takePlace(on: player)
    session.begin()
    session.waitForServer(of: player)
    return finish(recording, status: loop.run())
  }

  /// Writes what was recorded; a run that would end with 0 ends with 1 when that fails.
  private static func finish(_ recording: Recording?, status: Int32) -> Int32 {
    guard let recording, !recording.write() else { return status }
    return status == 0 ? 1 : status
  }

  /// What the options ask of the player.
  static func configuration(_ options: PlayOptions, _ log: PlaybackLog?) -> Player.Configuration {
    var configuration = Player.Configuration()
    configuration.fade = options.fade
    configuration.log = log
    configuration.policy.onLock = options.onLock
    configuration.output.targetSink = options.output
    configuration.policy.onRouteLoss = options.onRouteLoss
    return configuration
  }

  /// A session on `player`, with the terminal where there is one to use.
  static func session(
    _ options: PlayOptions, _ player: Player, _ loop: MainLoop, close: @escaping @MainActor () async -> Void
  ) -> PlaySession {
    let run = PlayerRun(player, loop: loop, isSilent: options.isSilent, close: close)
    return PlaySession(options, coordinator: player.coordinator, run: run)
  }

  private static func openLog(_ destination: LogDestination?) throws(UsageError) -> LineWriter? {
    switch destination {
    case nil: return nil
    case .standardOutput:
      LogClaim.take(StandardStream.output.rawValue)
      return LineWriter(to: StandardStream.output.rawValue, name: "on standard output")
    case .file(let path):
      let name = path.bytes.map(CChar.init(bitPattern:)) + [0]
      guard !holdsOtherThanLog(name) else {
        throw UsageError(
          message:
            "\(path.display) is there and is no log, so it is not written over; give --log another file")
      }
      let file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
      guard file >= 0 else {
        throw UsageError(
          message: "the log \(path.display) cannot be written: \(String(cString: strerror(errno)))")
      }
      LogClaim.take(file)
      return LineWriter(to: file, name: path.display)
    }
  }

  /// A file with something in it that does not begin as a log does, such as the music itself when the log's name was
  /// forgotten.
  private static func holdsOtherThanLog(_ name: [CChar]) -> Bool {
    // Not to be kept waiting by a pipe that nobody writes to.
    let file = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var first: UInt8 = 0
    return read(file, &first, 1) == 1 && first != UInt8(ascii: "{")
  }
}
