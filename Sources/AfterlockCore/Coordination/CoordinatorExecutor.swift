/// Where a coordinator runs: handed in, so that an app has its decisions on the main executor and a test on one it steps.
public struct CoordinatorExecutor: Sendable {
  private enum Choice: Sendable {
    case main
    case own(any SerialExecutor)
  }

  private let choice: Choice

  /// The main actor's executor.
  ///
  /// To the compiler the coordinator stays an isolation of its own: `MainActor.assumeIsolated` inside it may not touch
  /// the coordinator's state, although both run on one thread.
  public static let main = CoordinatorExecutor(choice: .main)

  private init(choice: Choice) { self.choice = choice }

  /// An executor of your own; it is kept alive as long as the coordinator.
  public init(_ executor: any SerialExecutor) { self.init(choice: .own(executor)) }

  /// The executor as the runtime wants it. Computed each time: an unowned reference is not worth storing.
  var unowned: UnownedSerialExecutor {
    switch choice {
    case .main: unsafe MainActor.sharedUnownedExecutor
    case .own(let executor): unsafe executor.asUnownedSerialExecutor()
    }
  }
}
