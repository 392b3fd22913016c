import AfterlockCore
package import AfterlockEngine
import AfterlockPipeWire
package import AfterlockRealtime
import Synchronization

/// A player's engine and its output, wired together, and whether the server has answered.
///
/// Called on: any thread.
package final class PlayerSound: Sendable {
  /// What decodes and plays.
  package let engine: DecodingEngine
  private let output: any AudioOutput
  private let connection = ConnectionState()

  /// Wires them; nothing is connected yet.
  /// - Parameters:
  ///   - fade: the longest that a pause, a seek or a skip may fade.
  ///   - opener: how locations are opened.
  ///   - reports: where the engine's facts go.
  package init(
    output: any AudioOutput, fade: Duration, opener: @escaping DecodingEngine.Opener = MediaOpener.open,
    reports: DecodingEngine.Reports
  ) {
    self.output = output
    engine = DecodingEngine(output: output, fade: fade, opener: opener, reports: reports)
  }

  /// Begins to connect.
  package func connect() {
    let connection = connection
    engine.connect { connection.take($0) }
  }

  /// Waits until the sound server has answered for the first time; `false` when it has not within `limit`.
  package func isConnected(within limit: Duration) async -> Bool {
    guard await connection.wait(limit) else { return false }
    // Whether there is a sink came with the answer: the engine has told of it when it has taken the answer in.
    await engine.catchUp()
    return true
  }

  /// Waits until what was asked before has been carried out, by the engine and by the server; `false` when that has not
  /// come about within `limit`.
  package func isSettled(within limit: Duration) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = Answer(continuation)
      Task {
        await engine.settle()
        output.roundTrip { answer.give(true) }
      }
      Task {
        try? await Task.sleep(for: limit)
        answer.give(false)
      }
    }
  }
}

/// Resumes who waits for one of two things, by the one that comes first.
private final class Answer: Sendable {
  private let waiting: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) { waiting = Mutex(continuation) }

  func give(_ answer: Bool) {
    waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }?.resume(returning: answer)
  }
}

/// Whether the server has ever answered, and who waits for that.
private final class ConnectionState: Sendable {
  private struct State {
    var isConnected = false
    var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var lastTicket: UInt64 = 0
  }
  private let state = Mutex(State())

  func take(_ event: AudioOutputEvent) {
    switch event {
    // A server may be lost after the first sound and before it has listed its sinks.
    case .connected, .serverLost: break
    default: return
    }
    let waiting = state.withLock { state in
      state.isConnected = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  func wait(_ limit: Duration) async -> Bool {
    await withCheckedContinuation { continuation in
      let ticket: UInt64? = state.withLock { state in
        if state.isConnected { return nil }
        state.lastTicket += 1
        state.waiting[state.lastTicket] = continuation
        return state.lastTicket
      }
      guard let ticket else { return continuation.resume(returning: true) }
      Task {
        try? await Task.sleep(for: limit)
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: false)
      }
    }
  }
}
