import AfterlockScenarios
import Glibc

/// `afterlock scenario`: what happens to a player on a phone or a desktop, and what is heard of it.
@MainActor
enum ScenarioCommand {
  static func run(_ request: ScenarioRequest) throws(UsageError) -> Int32 {
    let paper = Paper.standardOutput
    switch request {
    case .list(let paths):
      return ScenarioListing.list(try ScenarioSelection(paths, for: "scenario list"), on: paper)
    case .check(let paths): return ScenarioListing.check(try ScenarioSelection(paths, for: "scenario check"))
    case .new(let name): return try ScenarioNewFile(name).write()
    case .show(let path):
      let selection = try ScenarioSelection([path], for: "scenario show")
      return try onLoop { () throws(UsageError) in try await show(selection, on: paper) }
    case .fromLog(let request): return FromLogCommand.run(request)
    case .matrix(let report):
      let report = try report.map { path throws(UsageError) in try ReportFile(path, for: "scenario matrix") }
      return try onLoop { await matrix(report, on: paper) }
    case .run(let run):
      let run = try ScenarioRun(run, on: paper)
      return try onLoop(waits: run.isLive, onStop: run.stop) { await run.run() }
    }
  }

  /// Runs the main loop until `body` is done; a signal ends it with 128 and its number.
  /// - Parameters:
  ///   - waits: whether there is something to be cleaned up first; a second signal does not wait for that.
  ///   - onStop: called with the first signal that ends it.
  private static func onLoop(
    waits: Bool = false, onStop: @escaping @MainActor (Int32) -> Void = { _ in },
    _ body: @escaping @MainActor () async throws(UsageError) -> Int32
  ) throws(UsageError) -> Int32 {
    guard AfterlockCommand.hasDescriptors() else { return 1 }
    let loop = MainLoop()
    var error: UsageError?
    var endingSignal: Int32?
    let task = Task {
      var status: Int32 = 2
      do throws(UsageError) { status = try await body() } catch let usage { error = usage }
      loop.stop(status: endingSignal.map { 128 + $0 } ?? status)
    }
    loop.onSignal = { signal in
      guard [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains(signal) else {
        // Nothing is drawn here that would have to be taken back.
        if signal == SIGTSTP { raise(SIGSTOP) }
        return
      }
      if endingSignal == nil { onStop(signal) }
      task.cancel()
      if !waits || endingSignal != nil { loop.stop(status: 128 + signal) }
      endingSignal = signal
    }
    let status = loop.run()
    if let error { throw error }
    return status
  }

  private static func show(_ selection: ScenarioSelection, on paper: Paper) async throws(UsageError) -> Int32
  {
    selection.complain()
    guard selection.wrongFiles.isEmpty, let file = selection.files.first else { return 2 }
    guard selection.files.count == 1 else {
      throw UsageError(message: "that is a folder, and one file is shown at a time", command: "scenario show")
    }
    let result = await ScenarioRunner().run(file.scenario)
    let printer = ScenarioPrinter(paper: paper, output: .simulated, isQuiet: false)
    StandardStream.output.write(printer.show(file, result))
    return 0
  }

  private static func matrix(_ report: ReportFile?, on paper: Paper) async -> Int32 {
    let matrix = await ScenarioMatrix()
    StandardStream.output.write(MatrixTable(matrix, on: paper).text)
    for obstacle in matrix.obstacles { StandardStream.complain("unknown above means: \(obstacle)") }
    let status: Int32 = matrix.obstacles.isEmpty ? 0 : 1
    guard let report else { return status }
    let page = ScenarioReport(title: "What each part of the fix is for", matrix: matrix)
    return report.write(page.html) ? status : 1
  }
}
