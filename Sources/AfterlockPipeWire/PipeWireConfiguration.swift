public import AfterlockCore

/// What the desktop is told about us, and where the sound shall go.
public struct PipeWireConfiguration: Hashable, Sendable {
  /// The server's socket: a name in the runtime directory or an absolute path; `nil` follows `PIPEWIRE_REMOTE` and then
  /// the usual name.
  public var remoteName: String?
  /// The node name of the one sink to play to; `nil` follows the desktop's default.
  public var targetSink: String?
  /// The sinks whose loss pauses are waited for when a server comes back without them, for some seconds (L5, L7).
  public var onRouteLoss: RouteLossPolicy = .auto
  /// The name that mixers show.
  public var applicationName = ProgramIdentity.title
  /// What desktops find the program's `.desktop` file by: its name without the ending.
  public var applicationID = ProgramIdentity.name
  /// The icon that mixers show, by its name in the icon theme.
  public var applicationIconName = ProgramIdentity.name
  /// PipeWire's media.role: Music, Movie, Game …
  public var mediaRole = "Music"
  /// PipeWire's media.category: Playback.
  public var mediaCategory = "Playback"
  /// The quantum asked for. A short one reacts sooner to pause and seek, a long one wakes the machine less often: each
  /// cycle costs some 40 µs of CPU. PipeWire takes the shortest that any program asks for. It is not changed while
  /// sound plays, since PipeWire 0.3.65 loses the difference in frames when a quantum grows.
  public var latency: Duration = .microseconds(42_667)

  /// How long the first stream has the session manager for itself before the sinks are asked for.
  var watchDelay: Duration = .milliseconds(60)

  /// The usual: the default sink, as music.
  public init() {}
}
