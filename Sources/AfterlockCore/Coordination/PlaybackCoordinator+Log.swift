/// What goes into the log, and in which words.
extension PlaybackCoordinator {
  /// Writes down an event that the policy has decided on; an item's progress alone is told by its `track` line.
  func record(
    _ event: PlaybackEvent, origin: CommandOrigin, source: String?, before: PlaybackPolicy,
    effects: [PlaybackEffect]
  ) {
    guard let log else { return }
    let isNews =
      before.intent != policy.intent || before.suppression != policy.suppression || !effects.isEmpty
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
    _ event: PlaybackLogEntry.Event, message: String?, origin: CommandOrigin, _ detail: LogDetail? = nil
  ) {
    guard let log else { return }
    var entry = line(event, origin: origin)
    (entry.message, entry.detail) = (message, detail)
    log.record(entry)
  }

  /// Writes down what became of an entry of the list.
  func record(
    _ event: PlaybackLogEntry.Event, message: String?, origin: CommandOrigin, of item: QueueEntry,
    _ info: MediaInfo?
  ) {
    guard let log else { return }
    var entry = line(event, origin: origin)
    (entry.message, entry.track) = (message, item.location.display)
    entry.detail = detail(of: item, info)
    log.record(entry)
  }

  private func detail(of item: QueueEntry, _ info: MediaInfo? = nil) -> LogDetail {
    .track(
      LoggedTrack(
        id: item.id, index: queue.index(of: item.id), title: info?.tags.title ?? item.title,
        duration: info?.duration))
  }

  /// Writes down that a person wants another track: what comes of it is told by lines of its own, and who by none.
  /// - Parameter target: where it leads; `nil` for the end of the list.
  func recordMove(_ reason: String, to target: QueueEntry?, origin: CommandOrigin) {
    guard let log, origin.isAsking else { return }
    var entry = line(.track, origin: origin)
    (entry.reason, entry.detail) = (reason, target.map { detail(of: $0) })
    log.record(entry)
  }

  /// Writes down that a person has moved the position.
  func recordSeek(to target: Duration, origin: CommandOrigin) {
    guard let log, origin.isAsking else { return }
    var entry = line(.seek, origin: origin)
    let (seconds, attoseconds) = target.components
    let milliseconds = Double(attoseconds / 1_000_000_000_000_000)
    let number = Double(seconds) + milliseconds / 1_000
    (entry.reason, entry.message) = (
      "seek", "to \(Int64(exactly: number)?.description ?? number.description) s"
    )
    entry.detail = .seek(to: target)
    log.record(entry)
  }

  /// Writes down that a person has set the volume, or muted.
  func recordVolume(origin: CommandOrigin) {
    guard let log, origin.isAsking else { return }
    var entry = line(.volume, origin: origin)
    (entry.reason, entry.message) = (
      "volume", "to \(Int(volume.percent.rounded())) %" + (isMuted ? ", muted" : "")
    )
    entry.detail = .volume(volume, isMuted: isMuted)
    log.record(entry)
  }

  /// Writes down that a person wants another order.
  func recordOrder(_ reason: String, origin: CommandOrigin) {
    guard let log, origin.isAsking else { return }
    var entry = line(.list, origin: origin)
    (entry.reason, entry.detail) = (reason, .order(queue.loopMode, isShuffled: queue.isShuffled))
    log.record(entry)
  }

  /// Writes down that the program begins, and what was chosen for this run.
  public func recordBegin() {
    guard let log else { return }
    var entry = line(.lifecycle, origin: .viewer)
    entry.reason = SoundAccount.programBegan
    let configuration = policy.configuration
    entry.detail = .settings(onLock: configuration.onLock, onRouteLoss: configuration.onRouteLoss)
    log.record(entry)
  }

  /// Holds the sound because the program leaves, and writes down why in words for a person. Nothing comes between the two.
  public func leave(_ message: String, origin: CommandOrigin) {
    handle(.pause, origin: origin)
    recordEnd(message, origin: origin)
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

extension CommandOrigin {
  /// Whether it comes from outside of the player, by its own controls or over the bus.
  fileprivate var isAsking: Bool {
    switch self {
    case .viewer, .remote: true
    case .system, .engine: false
    }
  }
}
