/// What goes into the log, and in which words.
extension PlaybackCoordinator {
  /// Writes down an event that the policy has decided on; an item's progress alone is told by its `track` line.
  func record(
    _ event: PlaybackEvent, origin: CommandOrigin, source: String?, before: PlaybackPolicy,
    effects: [PlaybackEffect]
  ) {
    guard let log else { return }
    let isNews = before.intent != policy.intent || !effects.isEmpty
    guard let (kind, reason) = Self.words(for: event, isNews: isNews) else { return }
    // The system's commands are none of the viewer's wishes.
    var entry = line(kind == .intentChange && !origin.isPerson ? .lifecycle : kind, origin: origin)
    entry.reason = reason
    entry.wantedToPlay = before.intent.wantsToPlay
    entry.decided = effects.map(\.name)
    entry.message = source.map { "told by \($0)" }
    if case .rateChanged(let change) = event {
      entry.rate = change.rate
      if let left, change.runID == left.run.id, left.run != currentRun {
        entry.position = left.position
        entry.track = left.run.entry.location.display
      }
    }
    log.record(entry)
  }

  /// Writes down something that there was nothing to decide about.
  func record(
    _ event: PlaybackLogEntry.Event, message: String?, origin: CommandOrigin, track: String? = nil
  ) {
    guard let log else { return }
    var entry = line(event, origin: origin)
    entry.message = message
    if let track { entry.track = track }
    log.record(entry)
  }

  /// Writes down that another program wants another track: what comes of it is told by lines of its own, and who by none.
  func recordMove(_ command: PlayerCommand, origin: CommandOrigin) {
    guard let log, case .remote = origin else { return }
    var entry = line(.track, origin: origin)
    switch command {
    case .next: entry.reason = "next"
    case .previous: entry.reason = "previous"
    case .jump: entry.reason = "jump"
    default: return
    }
    log.record(entry)
  }

  /// Writes down that another program has moved the position.
  func recordSeek(to target: Duration, origin: CommandOrigin) {
    guard let log, case .remote = origin else { return }
    var entry = line(.seek, origin: origin)
    let (seconds, attoseconds) = target.components
    let milliseconds = Double(attoseconds / 1_000_000_000_000_000)
    let number = Double(seconds) + milliseconds / 1_000
    (entry.reason, entry.message) = (
      "seek", "to \(Int64(exactly: number)?.description ?? number.description) s"
    )
    log.record(entry)
  }

  /// Writes down that another program has set the volume, or muted.
  func recordVolume(origin: CommandOrigin) {
    guard let log, case .remote = origin else { return }
    var entry = line(.volume, origin: origin)
    (entry.reason, entry.message) = (
      "volume", "to \(Int(volume.percent.rounded())) %" + (isMuted ? ", muted" : "")
    )
    log.record(entry)
  }

  /// Writes down that the program leaves, and why in words for a person.
  public func recordEnd(_ message: String, origin: CommandOrigin) {
    guard let log else { return }
    var entry = line(.lifecycle, origin: origin)
    (entry.reason, entry.message) = (SoundAccount.programEnded, message)
    log.record(entry)
  }

  /// The last lines of the log that tell of the sound, as the log has them. Called on: any thread; never waits.
  public nonisolated func past() -> [String] { log?.past().map(\.json) ?? [] }

  /// Writes down what became of the layers.
  func recordLayers(attached: Bool, origin: CommandOrigin) {
    let count = layers.layers.count
    record(.layer, message: "\(attached ? "attached" : "detached") (\(count))", origin: origin)
  }

  private func line(_ event: PlaybackLogEntry.Event, origin: CommandOrigin) -> PlaybackLogEntry {
    let intent = policy.intent.wantsToPlay
    return PlaybackLogEntry(
      event: event, rate: policy.isRunning ? 1 : 0, origin: origin, wantedToPlay: intent, wantsToPlay: intent,
      position: heardPosition, track: currentEntry?.location.display, suppression: suppression.causes)
  }

  /// The kind of line and its reason; `nil` for what is not worth one.
  private static func words(
    for event: PlaybackEvent, isNews: Bool
  ) -> (kind: PlaybackLogEntry.Event, reason: String)? {
    switch event {
    case .play: isNews ? (.intentChange, "play") : nil
    case .pause(let origin) where origin.isSessionManager: (.route, RateChangeReason.routeLost.rawValue)
    case .pause: isNews ? (.intentChange, "pause") : nil
    case .togglePlayPause: isNews ? (.intentChange, "togglePlayPause") : nil
    case .stop: isNews ? (.intentChange, "stop") : nil
    case .itemSelected, .itemReady: nil
    case .queueEnded: (.track, "queueEnded")
    case .rateChanged(let change): (.rateChange, change.reason.rawValue)
    case .lifecycle(let event): (.lifecycle, event.name)
    case .serverLost: (.route, "serverLost")
    case .serverRestored: (.route, "serverRestored")
    case .routeLost: (.route, "routeLost")
    case .routeRestored: (.route, "routeRestored")
    case .sinkLost: (.route, "sinkLost")
    }
  }
}
