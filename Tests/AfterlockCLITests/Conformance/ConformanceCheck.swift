import Foundation

/// One thing that a client may rely on: what it asks, and what must come back.
struct ConformanceCheck: Sendable {
  let name: String
  /// What is asked, for a person who reads that it failed.
  let asked: String
  let expected: String
  let start: ConformanceBus.Start
  let ask: @Sendable (ConformanceBus) async throws -> String

  init(
    _ name: String, _ asked: String, gives expected: String, from start: ConformanceBus.Start = .anyhow,
    _ ask: @escaping @Sendable (ConformanceBus) async throws -> String
  ) {
    self.name = name
    self.asked = asked
    self.expected = expected
    self.start = start
    self.ask = ask
  }

  /// Makes each check in its turn.
  /// - Returns: a line for each that fails.
  static func failures(of checks: [Self], on bus: ConformanceBus) async throws -> [String] {
    var failures: [String] = []
    for check in checks {
      try await bus.begin(check.start)
      let answer = try await check.ask(bus)
      if answer != check.expected {
        failures.append("\(check.name): \(check.asked) gave \(answer), and is to give \(check.expected)")
      }
    }
    return failures
  }

  /// All of them.
  static var all: [Self] { tables.flatMap(\.self) }
  static var tables: [[Self]] { [shape, steering, values, tracks] }
}
