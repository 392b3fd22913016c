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
    case .lock(let sources), .unlock(let sources):
      sources.count == LockSource.allCases.count
        ? word : "\(word) by \(sources.map(\.rawValue).sorted().joined(separator: ", "))"
    case .removeSink(let kind, let pauses):
      (kind.map { "\(word): \($0.rawValue)" } ?? word)
        + (pauses ? "" : ", and the session manager pauses nobody")
    case .wake(isTold: false): "\(word), and nobody says so"
    case .addSink(let kind): "\(word): \(kind.rawValue)"
    case .setDefaultSink(let kind?): "\(word): \(kind.rawValue)"
    default: word
    }
  }
}
