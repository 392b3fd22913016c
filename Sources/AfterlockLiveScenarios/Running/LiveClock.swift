import Synchronization

/// A scenario's time where it runs in real time: it stands still while the desktop's own programs are started or ended,
/// which takes no time in a scenario.
///
/// Called on: any thread.
final class LiveClock: Sendable {
  private struct State {
    var begin: ContinuousClock.Instant?
    /// When it stood still, in order.
    var stops: [Range<ContinuousClock.Instant>] = []
    var stopped: ContinuousClock.Instant?
  }
  private let state = Mutex(State())

  /// The scenario begins now.
  func begin() { state.withLock { $0 = State(begin: .now) } }

  /// The scenario's time.
  var now: Duration { time(of: .now) }

  /// The scenario's time at a moment; what happens while it stands still happens at one time. Negative before the begin, and
  /// zero as long as there is none.
  func time(of moment: ContinuousClock.Instant) -> Duration {
    state.withLock { state in
      guard let begin = state.begin else { return .zero }
      let stops = state.stops + (state.stopped.map { [$0..<max($0, moment)] } ?? [])
      let stopped = stops.reduce(Duration.zero) {
        $0 + max(.zero, min($1.upperBound, moment) - $1.lowerBound)
      }
      return moment - begin - stopped
    }
  }

  /// How long it has stood still so far.
  var held: Duration {
    state.withLock { $0.stops.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) } }
  }

  /// Stands still until `body` is done; not called within itself.
  func hold<Value>(while body: () async throws -> Value) async rethrows -> Value {
    state.withLock { $0.stopped = .now }
    defer {
      state.withLock { state in
        if let stopped = state.stopped { state.stops.append(stopped..<ContinuousClock.now) }
        state.stopped = nil
      }
    }
    return try await body()
  }

  /// Waits until the scenario's time is `time`.
  func sleep(until time: Duration) async {
    while case let left = time - now, left > .zero { try? await Task.sleep(for: left) }
  }
}
