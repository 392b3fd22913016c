import AfterlockCore
import AfterlockLiveScenarios
import AfterlockScenarios

/// What came of one file.
struct ScenarioVerdict: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    /// It ran, and passed or failed.
    case ran(ScenarioResult)
    /// It cannot be run this way, and why.
    case skipped(String)
    /// What it was to run on failed, and how; and what a program said of it, in lines.
    case broken(String, details: [String] = [])
  }

  let file: ScenarioSelection.File
  let outcome: Outcome

  init(file: ScenarioSelection.File, outcome: Outcome) {
    self.file = file
    self.outcome = outcome
  }

  /// What came of a run in virtual time. Where nobody can know what the app would have come to, it is not judged.
  init(file: ScenarioSelection.File, simulated result: ScenarioResult) {
    if let fault = result.fault, fault.kind == .unknown {
      self.init(file: file, outcome: .broken(fault.message, details: fault.text))
    } else {
      self.init(file: file, outcome: .ran(result))
    }
  }

  /// What came of a run in real time.
  init(file: ScenarioSelection.File, live result: Result<ScenarioResult, LiveScenarioError>) {
    switch result {
    case .success(let result): self.init(file: file, outcome: .ran(result))
    case .failure(let error) where error.code == .unsuitable:
      let reason = LiveScenarioRunner.obstacle(for: file.scenario) ?? error.message
      self.init(file: file, outcome: .skipped(reason))
    case .failure(let error): self.init(file: file, outcome: .broken(error.message))
    }
  }

  var result: ScenarioResult? {
    if case .ran(let result) = outcome { return result }
    return nil
  }
  var passed: Bool { result?.passed ?? false }

  /// The command that runs it again.
  static func command(_ path: String, _ output: ScenarioRequest.Output) -> String {
    // A path that looks like an option stands behind two dashes.
    let words = output == .simulated ? [] : ["--output", output.rawValue]
    let operand = (path.hasPrefix("-") ? ["--"] : []) + [path]
    return (["afterlock", "scenario", "run"] + words + operand).map(ShellWord.quoted).joined(separator: " ")
  }
}

/// What came of all files.
struct ScenarioTally: Hashable, Sendable {
  private(set) var passed = 0
  private(set) var failed = 0
  private(set) var skipped = 0
  private(set) var broken = 0
  let wrong: Int
  /// How long the scenarios that ran are, by their own time.
  private(set) var scenarioTime = Duration.zero
  /// What ended the run before its end.
  let stop: ScenarioStop?

  init(_ verdicts: [ScenarioVerdict], wrong: Int, stop: ScenarioStop? = nil) {
    self.wrong = wrong
    self.stop = stop
    for verdict in verdicts {
      switch verdict.outcome {
      case .ran(let result):
        if result.passed { passed += 1 } else { failed += 1 }
        scenarioTime += result.timeline.end
      case .skipped: skipped += 1
      case .broken: broken += 1
      }
    }
  }

  /// 2 outweighs 1: a file that is wrong or could not be run may be the very one that would fail.
  var exitStatus: Int32 {
    if let stop { return 128 + stop.signal }
    if wrong + broken > 0 || passed + failed == 0 { return 2 }
    return failed > 0 ? 1 : 0
  }

  /// "12 passed, 1 failed, 1 file is wrong; 3 m 20 s of scenarios in 0.4 s".
  func words(took time: Duration) -> String {
    var parts = ["\(passed) passed", "\(failed) failed"]
    if broken > 0 { parts.append("\(broken) could not be run") }
    if skipped > 0 { parts.append("\(skipped) skipped") }
    if wrong > 0 { parts.append(wrong == 1 ? "1 file is wrong" : "\(wrong) files are wrong") }
    let took = Duration.milliseconds(Int64((time.seconds * 1000).rounded()))
    return parts.joined(separator: ", ")
      + (stop.map { "; stopped: \($0.missing) of \($0.total) not run" } ?? "")
      + "; \(scenarioTime.secondsText) s of scenarios in \(took.secondsText) s"
  }
}

/// A run that a signal ended.
struct ScenarioStop: Hashable, Sendable {
  /// Its number.
  let signal: Int32
  /// How many scenarios have no result.
  let missing: Int
  /// How many there were to run.
  let total: Int
}
