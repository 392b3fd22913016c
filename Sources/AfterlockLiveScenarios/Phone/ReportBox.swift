import AfterlockScenarios
import Synchronization

/// Keeps what a player has to tell until the platform takes it, and wakes who waits for it. Called on: any thread.
final class ReportBox: Sendable {
  private struct State {
    var reports: [PlatformReport] = []
    /// Something came since the last wait.
    var isNews = false
    var waiting: CheckedContinuation<Void, Never>?
    var alarm: Task<Void, Never>?
  }
  private let state = Mutex(State())

  func add(_ report: PlatformReport) {
    wake { state in
      state.reports.append(report)
      state.isNews = true
    }
  }

  /// Takes all, in order.
  func takeAll() -> [PlatformReport] {
    state.withLock { state in
      defer { state.reports = [] }
      return state.reports
    }
  }

  /// Waits until something comes, or has come since the last wait, or the time is over. One waits at a time.
  func wait(atMost limit: Duration) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.isNews { return true }
        state.waiting = continuation
        state.alarm = Task { [weak self] in
          guard (try? await Task.sleep(for: limit)) != nil else { return }
          self?.wake { _ in }
        }
        return false
      }
      if isOver { continuation.resume() }
    }
    state.withLock { $0.isNews = false }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer {
        state.waiting = nil
        state.alarm?.cancel()
        state.alarm = nil
      }
      return state.waiting
    }
    waiting?.resume()
  }
}
