import AfterlockCore

/// Where the log goes.
enum LogDestination: Hashable, Sendable {
  case standardOutput
  case file(MediaPath)
}

/// The options of `play`, as values that the player takes.
struct PlayOptions: Hashable, Sendable {
  var loop: LoopMode = .none
  var isShuffled = false
  var volume: Volume = .full
  /// Where in the first track to begin.
  var start: Duration = .zero
  var isPaused = false
  /// The one sink to play to; `nil` follows the default.
  var output: String?
  var fade: Duration = .milliseconds(5)
  /// A server that is there takes so long to say what it has, on a slow machine.
  static let shortestWait = Duration.milliseconds(500)
  /// How long to wait for PipeWire at the start.
  var wait: Duration = .seconds(5)
  /// What the loss of the sink that is played to does.
  var onRouteLoss: RouteLossPolicy = .auto
  var log: LogDestination?
  /// The file that the session is written into as a scenario.
  var record: MediaPath?
  var isPrivate = false
  /// What a lock of the screen does to the sound.
  var onLock: PolicyConfiguration.LockPolicy = .continues
  /// Whether media keys and lock screens may find this player.
  var offersMPRIS = true
  var isQuiet = false
  /// What to play, as the bytes of the command line.
  var items: [[UInt8]] = []

  init() {}

  /// Whether lines for people are printed at all.
  var isSilent: Bool { isQuiet || log == .standardOutput }

  /// Takes checked arguments; the parser has already refused values out of their range.
  init(_ arguments: ParsedArguments) {
    loop = arguments.text("loop").flatMap(LoopMode.init(rawValue:)) ?? .none
    isShuffled = arguments.has("shuffle")
    if let percent = arguments.text("volume").flatMap({ NumberText.parse($0, unit: "%") }) {
      volume = Volume(percent: percent)
    }
    start = arguments.text("start").flatMap(TimeText.parse) ?? .zero
    isPaused = arguments.has("paused")
    output = arguments.text("output")
    if let milliseconds = arguments.text("fade").flatMap({ NumberText.parse($0, unit: "ms") }) {
      fade = .nanoseconds(Int64((milliseconds * 1_000_000).rounded()))
    }
    if let seconds = arguments.text("wait").flatMap({ NumberText.parse($0, unit: "s") }) {
      wait = max(.nanoseconds(Int64((seconds * 1_000_000_000).rounded())), Self.shortestWait)
    }
    onRouteLoss = arguments.text("on-route-loss").flatMap(RouteLossPolicy.init(rawValue:)) ?? .auto
    log = arguments.bytes("log").map {
      $0 == [UInt8(ascii: "-")] ? .standardOutput : .file(MediaPath(bytes: $0))
    }
    record = arguments.bytes("record").map { MediaPath(bytes: $0) }
    isPrivate = arguments.has("private")
    onLock = arguments.text("on-lock").flatMap(PolicyConfiguration.LockPolicy.init(rawValue:)) ?? .continues
    offersMPRIS = !arguments.has("no-mpris")
    isQuiet = arguments.has("quiet")
    items = arguments.operands
  }
}
