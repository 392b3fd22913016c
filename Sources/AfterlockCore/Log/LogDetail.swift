/// What only lines of some kinds tell, for who plays a log again.
public enum LogDetail: Hashable, Sendable {
  /// Which track begins, is wanted, or failed.
  case track(LoggedTrack)
  /// Where in the track a seek goes.
  case seek(to: Duration)
  /// The loudness from now on.
  case volume(Volume, isMuted: Bool)
  /// The order from now on.
  case order(LoopMode, isShuffled: Bool)
  /// What kind of sink went away.
  case sink(SinkKind)
  /// What the viewer has chosen for the whole run.
  case settings(onLock: PolicyConfiguration.LockPolicy, onRouteLoss: RouteLossPolicy)

  /// Adds its keys, which are those of the table of ``PlaybackLog``.
  func add(to json: inout JSONLine) {
    switch self {
    case .track(let track):
      json.add("entry", Double(track.id.rawValue))
      json.add("index", track.index.map(Double.init))
      json.add("title", track.title)
      json.add("duration", track.duration)
    case .seek(let target): json.add("target", target)
    case .volume(let volume, let isMuted):
      json.add("volume", (volume.percent * 100).rounded() / 100)
      json.add("muted", isMuted)
    case .order(let loop, let isShuffled):
      json.add("loop", loop.rawValue)
      json.add("shuffled", isShuffled)
    case .sink(let kind): json.add("sinkKind", kind.rawValue)
    case .settings(let onLock, let onRouteLoss):
      json.add("onLock", onLock.rawValue)
      json.add("onRouteLoss", onRouteLoss.rawValue)
    }
  }
}

/// An entry of the list, as a line of the log has it.
public struct LoggedTrack: Hashable, Sendable {
  /// Which entry: the same file may stand in the list twice.
  public var id: TrackID
  /// Its place in the list at that time, from 0.
  public var index: Int?
  /// Its title, as its file or a playlist has it.
  public var title: String?
  /// Its length, where that is known by then.
  public var duration: Duration?

  /// An entry of these properties.
  public init(id: TrackID, index: Int?, title: String? = nil, duration: Duration? = nil) {
    self.id = id
    self.index = index
    self.title = title
    self.duration = duration
  }
}
