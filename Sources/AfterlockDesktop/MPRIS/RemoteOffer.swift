public import AfterlockCore

/// What a player lets other programs do.
public enum RemoteOffer: Hashable, Sendable {
  /// All that MPRIS has.
  case everything
  /// What the noise maker has (N): play, pause, toggle, and the volume.
  case noiseMaker

  /// What is done of a command; `nil` for nothing. The noise maker's slider ends at 100 %.
  public func taken(_ command: PlayerCommand) -> PlayerCommand? {
    switch self {
    case .everything: command
    case .noiseMaker:
      if case .setVolume(let volume) = command {
        NoiseMaker.offered(.setVolume(min(volume, .full)))
      } else {
        NoiseMaker.offered(command)
      }
    }
  }
}
