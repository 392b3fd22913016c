import AfterlockLiveScenarios
import AfterlockScenarios
import Glibc

/// `scenario run`: runs files, prints what came of them in the order of the files, and writes the report.
@MainActor
final class ScenarioRun {
  private let request: ScenarioRequest.Run
  private let selection: ScenarioSelection
  private let report: ReportFile?
  private let printer: ScenarioPrinter
  private var progress: ScenarioProgress
  private var verdicts: [ScenarioVerdict] = []

  init(_ request: ScenarioRequest.Run, on paper: Paper) throws(UsageError) {
    self.request = request
    report = try request.report.map { path throws(UsageError) in try ReportFile(path, for: "scenario run") }
    selection = try ScenarioSelection(request.paths, for: "scenario run")
    printer = ScenarioPrinter(paper: paper, output: request.output, isQuiet: request.isQuiet)
    // Lines that come by are progress enough.
    progress = ScenarioProgress(
      total: selection.files.count, isShown: request.output == .pipewire || request.isQuiet || request.asJSON)
  }

  /// Whether there are private desktops to clean up.
  var isLive: Bool { request.output == .pipewire }

  /// Runs all, and gives the exit status.
  func run() async -> Int32 {
    selection.complain()
    let clock = ContinuousClock()
    let begin = clock.now
    switch request.output {
    case .simulated: await simulate()
    case .pipewire: await playLive()
    }
    progress.clear()
    let tally = ScenarioTally(verdicts, wrong: selection.wrongFiles.count)
    if request.asJSON {
      let json = ScenarioJSON(
        verdicts, wrongFiles: selection.wrongFiles, output: request.output, tally: tally)
      StandardStream.output.write(json.text)
    } else if !request.isQuiet {
      StandardStream.output.write(tally.words(took: clock.now - begin) + "\n")
    }
    guard let report, !Task.isCancelled else { return tally.exitStatus }
    return report.write(page.html) ? tally.exitStatus : 2
  }

  private func simulate() async {
    let runner = ScenarioRunner()
    _ = await InOrder.map(selection.files) {
      await runner.run($0.scenario)
    } each: { index, result in
      take(ScenarioVerdict(file: selection.files[index], outcome: .ran(result)))
    }
  }

  /// What is done comes in any order, and is told in the order of the files.
  private func playLive() async {
    let files = selection.files
    var waiting: [Int: ScenarioVerdict] = [:]
    progress.draw(0)
    for await (index, result) in LiveScenarioRunner().runAll(files.map(\.scenario)) {
      waiting[index] = ScenarioVerdict(file: files[index], live: result)
      while let verdict = waiting.removeValue(forKey: verdicts.count) { take(verdict) }
      progress.draw(verdicts.count + waiting.count)
    }
  }

  private func take(_ verdict: ScenarioVerdict) {
    verdicts.append(verdict)
    let text = request.asJSON ? "" : printer.text(verdict)
    if !text.isEmpty {
      progress.clear()
      StandardStream.output.write(text)
    }
    progress.draw(verdicts.count)
  }

  private var page: ScenarioReport {
    ScenarioReport(
      runs: verdicts.compactMap { verdict in
        verdict.result.map {
          .init(
            path: verdict.file.path, result: $0,
            command: ScenarioVerdict.command(verdict.file.path, request.output))
        }
      },
      wrongFiles: selection.wrongFiles.map { error in
        .init(path: error.file, reasons: error.description.split(separator: "\n").map(String.init))
      },
      skipped: verdicts.compactMap { verdict in
        switch verdict.outcome {
        case .ran: nil
        case .skipped(let reason), .broken(let reason): .init(path: verdict.file.path, reasons: [reason])
        }
      })
  }
}

/// "12 of 60" on a line that is redrawn in place, on a terminal only.
@MainActor
struct ScenarioProgress {
  private let total: Int
  private let isShown: Bool
  private var isDrawn = false

  init(total: Int, isShown: Bool) {
    self.total = total
    let environment = TerminalEnvironment { name in getenv(name).map { String(cString: $0) } }
    self.isShown = isShown && StandardStream.error.isTerminal && environment.canRedraw
  }

  /// So many are done.
  mutating func draw(_ count: Int) {
    guard isShown, count < total else { return clear() }
    StandardStream.error.write("\r\(count) of \(total) scenarios …\u{1B}[K")
    isDrawn = true
  }

  /// Takes the line away.
  mutating func clear() {
    guard isDrawn else { return }
    StandardStream.error.write("\r\u{1B}[K")
    isDrawn = false
  }
}
