import AfterlockCore

extension ScenarioAction {
  /// The word with what goes with it, for people.
  public var words: String {
    switch self {
    case .seek(let position), .remoteSeek(let position): "\(word) to \(position.secondsText) s"
    case .volume(let percent): "\(word) to \(Int(percent.rounded())) %"
    case .sideButton(skipsInactive: true): "\(word), which skips inactive"
    case .beginInterruption(let kind, _): "\(word): \(kind.rawValue)"
    case .endInterruption(true?): "\(word): should resume"
    case .endInterruption(false?): "\(word): should not resume"
    default: word
    }
  }
}
