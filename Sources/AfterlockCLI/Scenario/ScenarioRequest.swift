/// What `afterlock scenario` is asked for.
enum ScenarioRequest: Hashable, Sendable {
  case matrix

  /// - Parameter name: which of the subcommands.
  init(_ name: String, _ arguments: ParsedArguments) throws(UsageError) {
    self = .matrix
  }
}
