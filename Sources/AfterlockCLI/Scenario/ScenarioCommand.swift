import AfterlockScenarios
import Glibc

/// `afterlock scenario`: what happens to a player on a phone or a desktop, and what is heard of it.
@MainActor
enum ScenarioCommand {
  static func run(_ request: ScenarioRequest) -> Int32 {
    guard AfterlockCommand.hasDescriptors() else { return 1 }
    let loop = MainLoop()
    loop.onSignal = { signal in
      if [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains(signal) { loop.stop(status: 128 + signal) }
    }
    Task {
      let paper = Paper.standardOutput
      switch request {
      case .matrix: StandardStream.output.write(MatrixTable(await ScenarioMatrix(), on: paper).text)
      }
      loop.stop(status: 0)
    }
    return loop.run()
  }
}
