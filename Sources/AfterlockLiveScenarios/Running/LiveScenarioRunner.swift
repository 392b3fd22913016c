import AfterlockCore
import AfterlockDesktop
public import AfterlockScenarios

/// Runs scenarios in real time over the product's own engine and a real PipeWire, and judges them by the captured sink.
///
/// Each desktop scenario has a private desktop of its own, with its session bus; phones share one, with a sink for each.
///
/// **Tolerances.** A state is looked at 0.1 s after its time, and again for 0.5 s at most while it is not as expected.
/// A position may be 0.3 s off. Sound and silence may begin and end 0.15 s early or late, and a gap may be 0.15 s longer than
/// `longestGap`: a start and a pause take a cycle or two of the graph each, of 43 ms. While the desktop's programs are
/// started and ended the scenario's clock stands still, and positions may be off by as much more.
public struct LiveScenarioRunner: Sendable {
  /// How many run at once. They mostly wait: two busy cores are enough for the usual number.
  public var atOnce: Int
  /// What stands between a phone and its player, for a test.
  var wrap: PlayerWrapper = { player, _ in player }

  /// The longest run.
  public static let longest = Duration.seconds(30)
  /// Frames per cycle of the graph: short enough for the tolerances, long enough for a busy machine.
  static let quantum = 2_048

  /// A runner that runs so many at once.
  public init(atOnce: Int = 12) { self.atOnce = max(atOnce, 1) }

  /// Why a scenario cannot run in real time, in words for a person; `nil` when it can.
  public static func obstacle(for scenario: Scenario) -> String? { LiveObstacle.text(for: scenario) }

  /// Runs a scenario on a desktop of its own and judges it.
  ///
  /// - Throws: that it cannot run in real time, or what is wrong with the desktop.
  public func run(_ scenario: Scenario) async throws(LiveScenarioError) -> ScenarioResult {
    var result: Result<ScenarioResult, LiveScenarioError>?
    for await (_, one) in runAll([scenario]) { result = one }
    guard let result else { throw LiveScenarioError(.desktop, "the run was broken off") }
    return try result.get()
  }

  /// Runs scenarios, several at once, and gives each with its place in the list as soon as it is judged. Ends early, and
  /// leaves nothing behind, when whoever waits for them is cancelled.
  public func runAll(
    _ scenarios: [Scenario]
  ) -> AsyncStream<(index: Int, result: Result<ScenarioResult, LiveScenarioError>)> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: (index: Int, result: Result<ScenarioResult, LiveScenarioError>).self)
    let stage = LiveStage(scenarios, atOnce: atOnce, wrap: wrap)
    let task = Task {
      await stage.run { continuation.yield(($0, $1)) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
