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
  private let clock = ContinuousClock()
  private var begin: ContinuousClock.Instant?
  /// The signal that ends the run before its end.
  private var endingSignal: Int32?
  /// All is said that there is to say.
  private var isOver = false

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
    begin = clock.now
    switch request.output {
    case .simulated: await simulate()
    case .pipewire: await playLive()
    }
    return finish()
  }

  /// A signal asks for the end. In virtual time nothing has to be cleaned up, and what there is is told at once.
  func stop(_ signal: Int32) {
    guard endingSignal == nil, !isOver else { return }
    endingSignal = signal
    if !isLive { _ = finish() }
  }

  /// Tells what came of all, and gives the exit status.
  private func finish() -> Int32 {
    progress.clear()
    let total = selection.files.count
    let stop = endingSignal.map { ScenarioStop(signal: $0, missing: total - verdicts.count, total: total) }
    let tally = ScenarioTally(verdicts, wrong: selection.wrongFiles.count, stop: stop)
    guard !isOver else { return tally.exitStatus }
    isOver = true
    if request.asJSON {
      let json = ScenarioJSON(
        verdicts, wrongFiles: selection.wrongFiles, output: request.output, tally: tally)
      StandardStream.output.write(json.text)
    } else if !request.isQuiet {
      StandardStream.output.write(tally.words(took: begin.map { clock.now - $0 } ?? .zero) + "\n")
    }
    guard let report else { return tally.exitStatus }
    guard stop == nil else {
      StandardStream.complain("stopped, so the report \(report.display) is not written")
      return tally.exitStatus
    }
    return report.write(page.html) ? tally.exitStatus : 2
  }

  private func simulate() async {
    let runner = ScenarioRunner()
    _ = await InOrder.map(selection.files) {
      await runner.run($0.scenario)
    } each: { index, result in
      take(ScenarioVerdict(file: selection.files[index], simulated: result))
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
    // A run that is stopped leaves gaps before what is done.
    for (_, verdict) in waiting.sorted(by: { $0.key < $1.key }) { take(verdict) }
  }

  private func take(_ verdict: ScenarioVerdict) {
    guard !isOver else { return }
    verdicts.append(verdict)
    let text = request.asJSON ? "" : printer.text(verdict)
    let complaint = printer.complaint(verdict)
    if !text.isEmpty || !complaint.isEmpty { progress.clear() }
    if !text.isEmpty { StandardStream.output.write(text) }
    if !complaint.isEmpty { StandardStream.error.write(complaint) }
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
        case .skipped(let reason), .broken(let reason, _): .init(path: verdict.file.path, reasons: [reason])
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
