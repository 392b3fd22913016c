import AfterlockCore
import AfterlockScenarios

/// `afterlock play --record FILE.json5`: listens to the log, and writes the scenario at the end.
struct Recording: Sendable {
  private let destination: ScenarioDestination
  private let recorder = SessionRecorder()

  /// Throws when the file could not be written at the end either.
  init(into path: MediaPath) throws(UsageError) {
    destination = try ScenarioDestination(path, option: "--record")
  }

  /// Takes each line of the log.
  var observe: @Sendable (PlaybackLogLine) -> Void {
    let recorder = recorder
    return { recorder.take($0) }
  }

  /// Writes the scenario, and says what it leaves out.
  /// - Returns: whether it was written; nothing is, where nothing happened.
  func write() -> Bool {
    guard let session = recorder.session else {
      StandardStream.complain("nothing happened, so \(destination.display) was not written")
      return true
    }
    if let cause = destination.write(session.scenario.json5) {
      StandardStream.complain("the scenario \(destination.display) cannot be written: \(cause)")
      return false
    }
    for omission in session.omissions {
      StandardStream.complain("the scenario \(destination.display) leaves out \(omission)")
    }
    return true
  }
}
