import AfterlockCore
import AfterlockScenarios

/// What `scenario run` prints for a person: a line for each scenario, and for a failure all that there is to know. Pure.
struct ScenarioPrinter {
  let paper: Paper
  let output: ScenarioRequest.Output
  let isQuiet: Bool

  /// What is to be printed for one file; nothing where only failures are wanted.
  func text(_ verdict: ScenarioVerdict) -> String {
    let path = paper.faint(paper.plain(verdict.file.path))
    let name = paper.plain(verdict.file.scenario.name)
    switch verdict.outcome {
    case .ran(let result):
      if result.passed, isQuiet { return "" }
      let duration = Paper.rightAligned("\(result.timeline.end.secondsText) s", 8)
      let line =
        "\(mark(result.passed)) \(Paper.padded(result.outcome.rawValue, 14)) \(duration)  \(name)  \(path)\n"
      return result.passed ? line : line + failure(verdict.file.path, result)
    case .skipped(let reason):
      return isQuiet
        ? ""
        : "\(paper.yellow("-")) \(Paper.padded("skipped", 23))  \(name)  \(path): \(paper.plain(reason))\n"
    case .broken: return "\(mark(false)) \(Paper.padded("could not run", 23))  \(name)  \(path)\n"
    }
  }

  /// What is to be said of it on standard error: why it could not be run. Empty when it could.
  func complaint(_ verdict: ScenarioVerdict) -> String {
    guard case .broken(let cause, let details) = verdict.outcome else { return "" }
    let lines = ["afterlock: \(paper.plain(verdict.file.path)): \(paper.plain(cause))"]
    return (lines + details.map { "  " + paper.plain($0) }).joined(separator: "\n") + "\n"
  }

  private func mark(_ passed: Bool) -> String {
    passed
      ? paper.green(paper.style.isUnicode ? "✓" : "ok") : paper.red(paper.style.isUnicode ? "✗" : "FAILED")
  }

  private func failure(_ path: String, _ result: ScenarioResult) -> String {
    var lines = TimelineText(result, on: paper).lines + fault(result)
    lines += ["Run it again: \(paper.plain(ScenarioVerdict.command(path, output)))", ""]
    return lines.joined(separator: "\n") + "\n"
  }

  /// What the real child process or the real compiler said.
  func fault(_ result: ScenarioResult) -> [String] {
    guard let fault = result.fault else { return [] }
    return ["", paper.plain(fault.message)] + fault.text.map { "  " + paper.plain($0) }
  }

  /// A whole run, whether it passed or not: `scenario show`.
  func show(_ file: ScenarioSelection.File, _ result: ScenarioResult) -> String {
    var lines = [paper.bold(paper.plain(file.scenario.name))]
    if !file.scenario.about.isEmpty {
      lines += Paper.lines(paper.plain(file.scenario.about), width: paper.columns)
    }
    lines += [""] + TimelineText(result, on: paper).lines + fault(result) + [""]
    let end =
      "\(result.outcome.rawValue) after \(result.timeline.end.secondsText) s on a \(file.scenario.platform.rawValue)"
    lines.append("\(mark(result.passed)) \(end); \(Self.verdict(result))")
    return lines.joined(separator: "\n") + "\n"
  }

  /// How many expectations do not hold; one that names several things is one.
  private static func verdict(_ result: ScenarioResult) -> String {
    switch Set(result.failures.map(\.index)).count {
    case 0: "every expectation holds"
    case 1: "1 of its expectations does not hold"
    case let count: "\(count) of its expectations do not hold"
    }
  }
}
