public import Foundation

/// One line of the log with its times, as it is written and as it is read again.
public struct PlaybackLogLine: Hashable, Sendable {
  /// Time since the log began, monotonic.
  public var time: Duration
  /// What the clock on the wall said; `nil` where the log does not say.
  public var date: Date?
  /// What happened.
  public var entry: PlaybackLogEntry

  /// A line with its times.
  public init(time: Duration, date: Date?, entry: PlaybackLogEntry) {
    self.time = time
    self.date = date
    self.entry = entry
  }

  /// Reads a line as ``PlaybackLog`` writes it, with or without the newline; `nil` for anything else.
  ///
  /// Keys that are not known are passed over, so that a later version's log can be read.
  public init?(json: some Sequence<UInt8>) {
    guard let written = try? JSONDecoder().decode(Written.self, from: Data(json)) else { return nil }
    guard let event = PlaybackLogEntry.Event(rawValue: written.event), let origin = written.sender,
      let time = Self.duration(written.time), let position = Self.duration(written.position)
    else { return nil }
    self.time = time
    date = written.date.flatMap(Timestamp.date)
    entry = PlaybackLogEntry(
      event: event, rate: written.rate ?? 0, reason: written.reason, origin: origin,
      wantedToPlay: written.wantedToPlay, wantsToPlay: written.wantsToPlay, position: position,
      track: written.track, decided: written.decided, suppression: written.suppression,
      message: written.message, detail: written.detail)
  }

  /// ``date`` as the log has it.
  public var dateText: String? { date.map(Timestamp.text) }

  /// The line as it is written, newline included.
  public var json: String {
    var json = JSONLine()
    json.add("time", time)
    json.add("date", dateText)
    json.add("event", entry.event.rawValue)
    json.add("rate", entry.rate)
    json.add("reason", entry.reason)
    json.add(entry.origin)
    json.add("wantedToPlay", entry.wantedToPlay)
    json.add("wantsToPlay", entry.wantsToPlay)
    json.add("position", entry.position)
    json.add("track", entry.track)
    json.add("decided", entry.decided)
    json.add("suppression", entry.suppression)
    json.add("message", entry.message)
    entry.detail?.add(to: &json)
    return json.line
  }

  /// A line as JSON has it.
  private struct Written: Decodable {
    var time: Double
    var date: String?
    var event: String
    var rate: Double?
    var reason: String?
    var origin: String
    var busName: String?
    var processID: Int32?
    var program: String?
    var wantedToPlay: Bool
    var wantsToPlay: Bool
    var position: Double
    var track: String?
    var decided: [String]
    var suppression: [String]
    var message: String?
    var entry: UInt64?
    var index: Int?
    var title: String?
    var duration: Double?
    var target: Double?
    var volume: Double?
    var muted: Bool?
    var loop: String?
    var shuffled: Bool?
    var sinkKind: String?
    var onLock: String?
    var onRouteLoss: String?

    /// What only lines of some kinds tell; `nil` also where it is not understood.
    var detail: LogDetail? {
      if let entry {
        return .track(
          LoggedTrack(
            id: TrackID(rawValue: entry), index: index, title: title,
            duration: duration.flatMap(PlaybackLogLine.duration)))
      }
      if let target { return PlaybackLogLine.duration(target).map { .seek(to: $0) } }
      if let volume { return .volume(Volume(percent: volume), isMuted: muted ?? false) }
      if let loop = loop.flatMap(LoopMode.init) { return .order(loop, isShuffled: shuffled ?? false) }
      if let kind = sinkKind.flatMap(SinkKind.init) { return .sink(kind) }
      guard let lock = onLock.flatMap(PolicyConfiguration.LockPolicy.init),
        let loss = onRouteLoss.flatMap(RouteLossPolicy.init)
      else { return nil }
      return .settings(onLock: lock, onRouteLoss: loss)
    }

    var sender: CommandOrigin? {
      let remote = CommandOrigin.remote(busName: busName, processID: processID, program: program)
      switch origin {
      case "viewer": return .viewer
      case "remote": return remote
      // A program that acts for the system has a name too.
      case "system": return remote == .remote(busName: nil, processID: nil, program: nil) ? .system : remote
      case "engine": return .engine
      default: return nil
      }
    }
  }

  /// Seconds as a duration; `nil` for more than a duration has room for.
  private static func duration(_ seconds: Double) -> Duration? {
    guard seconds.magnitude < 1e18 else { return nil }
    let whole = seconds.rounded(.down)
    return .seconds(Int64(whole)) + .microseconds(Int64(((seconds - whole) * 1e6).rounded()))
  }
}

extension JSONLine {
  /// Who it was: `origin`, and for a remote command its sender as far as known.
  package mutating func add(_ origin: CommandOrigin) {
    add("origin", origin.name)
    guard case .remote(let busName, let processID, let program) = origin else {
      for key in ["busName", "processID", "program"] { add(key, String?.none) }
      return
    }
    add("busName", busName)
    add("processID", processID.map(Double.init))
    add("program", program)
  }
}
