import AfterlockCore

/// A player's state in words and signs for a person; pure.
enum SnapshotWords {
  /// "TITLE — ARTIST": from the file's tags, else from the playlist, else the file's name.
  static func title(_ snapshot: PlayerSnapshot) -> String {
    guard let entry = snapshot.entry else { return "" }
    let tags = snapshot.info?.tags
    let name: String =
      switch entry.location {
      case .file(let path): path.lastComponent.display
      case .url(let address): address
      }
    let title = [tags?.title, entry.title].lazy.compactMap { $0 }.first { !$0.isEmpty }
    // A playlist's title usually names the artist already.
    guard tags?.title?.isEmpty == false, let artists = tags?.artists, !artists.isEmpty else {
      return title ?? name
    }
    return (title ?? name) + " — " + artists.joined(separator: ", ")
  }

  /// "Playing: TITLE — ARTIST (3:21)"
  static func announcement(_ snapshot: PlayerSnapshot) -> String {
    let length = snapshot.info?.duration.map { " (\(TimeText.show($0)))" } ?? ""
    return "Playing: \(PlainText.line(title(snapshot)))\(length)"
  }

  /// What the status line shows, at `position`.
  static func model(_ snapshot: PlayerSnapshot, position: Duration, sink: String? = nil) -> StatusModel {
    StatusModel(
      state: state(snapshot, sink: sink), title: title(snapshot), position: position,
      length: snapshot.info?.duration,
      volumePercent: Int(snapshot.volume.percent.rounded()), isMuted: snapshot.isMuted,
      loop: snapshot.loopMode,
      isShuffled: snapshot.isShuffled)
  }

  private static func state(_ snapshot: PlayerSnapshot, sink: String?) -> StatusModel.State {
    switch snapshot.state {
    case .playing: return hold(snapshot, sink: sink).map(StatusModel.State.waiting) ?? .playing
    case .stopped, .ended: return .stopped
    case .loading, .paused:
      guard snapshot.intent.wantsToPlay else { return .paused }
      return hold(snapshot, sink: sink).map(StatusModel.State.waiting) ?? .playing
    }
  }

  /// Why nothing is heard although it is wished for; `nil` when nothing holds it.
  /// - Parameter sink: the one sink that is played to, where one was named.
  static func hold(_ snapshot: PlayerSnapshot, sink: String?) -> String? {
    let causes = snapshot.suppression
    guard snapshot.intent.wantsToPlay, !causes.isEmpty else { return nil }
    if causes.contains(.serverLost) { return "waiting for the sound server" }
    // Before the wait for a sink, which would not end it.
    if causes.contains(.sinkLost) {
      let cause = snapshot.lostSink.map { PlainText.line($0.phrase) + " went away" }
      return "\(cause ?? "paused by the session manager"); press space to go on"
    }
    if causes.contains(.routeLost) {
      return sink.map { "waiting for the sink \(PlainText.line($0))" } ?? "waiting for a sink"
    }
    if causes == .noSessionManager {
      return "waiting for a session manager (\"afterlock doctor\" tells more)"
    }
    if causes == .corked { return "waiting for another program to give the sound back" }
    if causes.contains(.systemAsleep) { return "waiting for the system to wake" }
    if causes.contains(.screenLocked) { return "waiting for the screen to be unlocked; press space to go on" }
    if causes.contains(.audioSessionInterrupted) { return "interrupted by another program" }
    if causes.contains(.startFailed) { return "the output did not start; press space to try again" }
    return "held by the system; press space to go on"
  }
}
