/// The smallest app of the kind (N): what it shows for a state of its player, and what it takes of what is asked of it.
///
/// A value without I/O: the terminal's noise maker and the one of the scenarios show the same.
public struct NoiseMaker: Hashable, Sendable {
  /// What the one toggle reads.
  public enum Toggle: String, Hashable, Sendable, CaseIterable {
    /// A press plays.
    case play = "Play"
    /// A press pauses.
    case pause = "Pause"
  }

  /// How far its file has come.
  public enum File: Hashable, Sendable {
    /// It is being opened, or nobody has asked for it yet.
    case preparing
    /// It is open, and held until Play.
    case loaded(name: String)
    /// It cannot be played, or not any more.
    case unloadable(PlaybackFailure)
  }

  /// What the toggle reads: by the player's state, whoever changed that (N).
  public let toggle: Toggle
  /// Where the volume slider stands, in percent.
  public let volumePercent: Double
  /// How far its file has come.
  public let file: File

  /// What is shown for `snapshot`.
  public init(_ snapshot: PlayerSnapshot) {
    toggle = snapshot.togglePauses ? .pause : .play
    volumePercent = snapshot.isMuted ? 0 : snapshot.volume.percent
    // Its one file is played again and again: only a failure brings that to an end.
    if snapshot.state == .ended, let failure = snapshot.failures.last(where: { $0.extent != .damaged }) {
      file = .unloadable(failure.failure)
    } else if snapshot.info != nil, let entry = snapshot.entry {
      file = .loaded(name: entry.title ?? entry.location.name)
    } else {
      file = .preparing
    }
  }

  /// The one line of status; empty while nothing is known of the file.
  public var status: String {
    switch file {
    case .preparing: ""
    case .loaded(let name): "\(name) has loaded"
    case .unloadable: "Unable to load file"
    }
  }

  /// Whether toggle and slider can be used: a wish for a file that is still being opened is kept, one for a file that
  /// cannot be played would never come true.
  public var hasControls: Bool {
    if case .unloadable = file { false } else { true }
  }

  /// What is done of a command now, whoever gives it; `nil` for nothing.
  public func taken(_ command: PlayerCommand) -> PlayerCommand? {
    hasControls ? Self.offered(command) : nil
  }

  /// What is done of a command as long as there are controls; `nil` for nothing.
  ///
  /// There is play, pause and toggle, and the slider: nothing to seek in and no other track. Whoever asks to stop wants
  /// silence and gets it, without what MPRIS's Stop lets go of.
  public static func offered(_ command: PlayerCommand) -> PlayerCommand? {
    switch command {
    case .play, .pause, .togglePlayPause, .setVolume, .changeVolume, .setMuted, .toggleMute: command
    case .stop: .pause
    case .next, .previous, .seek, .seekBy, .setLoopMode, .cycleLoopMode, .setShuffled, .toggleShuffled, .jump,
      .remove:
      nil
    }
  }
}

extension MediaLocation {
  /// The last part of a path, or the whole address.
  fileprivate var name: String {
    switch self {
    case .file(let path): path.lastComponent.display
    case .url: display
    }
  }
}
