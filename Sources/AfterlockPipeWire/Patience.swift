/// What is not told at once, and how long it is waited for, as a value: whoever keeps it has one timer, for ``next``.
struct Patience {
  /// What is waited for.
  enum Wait: CaseIterable, Sendable {
    /// Whether the server goes after the sink that went: then it took the sink with it.
    case serverAfterSink
    /// Whether a stream without a link gets another one: moving it takes a moment.
    case link
    /// Whether a sink comes back after its server.
    case sinkAfterServer

    var length: Duration {
      switch self {
      case .serverAfterSink: .milliseconds(150)
      case .link: .milliseconds(500)
      // Bluetooth takes seconds.
      case .sinkAfterServer: .seconds(5)
      }
    }
  }

  private var ends: [Wait: ContinuousClock.Instant] = [:]

  /// When the next wait is over; `nil` when nothing is waited for.
  var next: ContinuousClock.Instant? { ends.values.min() }

  /// Begins a wait, or begins it anew.
  mutating func begin(_ wait: Wait, at now: ContinuousClock.Instant) { ends[wait] = now + wait.length }

  /// What was waited for has come, or does not matter any more.
  mutating func end(_ wait: Wait) { ends[wait] = nil }

  mutating func endAll() { ends = [:] }

  /// Takes out the waits that are over.
  mutating func takeDue(at now: ContinuousClock.Instant) -> [Wait] {
    let due = Wait.allCases.filter { wait in ends[wait].map { $0 <= now } ?? false }
    for wait in due { ends[wait] = nil }
    return due
  }
}
