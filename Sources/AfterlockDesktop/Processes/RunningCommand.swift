import Foundation
import Synchronization

/// A program that runs while its caller does something else: it can be signalled, watched and waited for.
///
/// It is in a session of its own and is killed when its limit is over, so that a hang is a failure with its output and
/// not a stuck test run. Dropping the last reference does not end it; its limit does.
public final class RunningCommand: Sendable {
  /// Its process id.
  public let processID: Int32
  private let state = Mutex(State())

  private struct State {
    var output: [Data] = [Data(), Data()]
    var result: Command.Output?
    var waiting: [CheckedContinuation<Command.Output, Never>] = []
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a name to be found on `PATH`, or an absolute path.
  ///   - environment: the whole environment of the program; nil for this process's own.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    limit: Duration = .seconds(60)
  ) throws(DesktopError) {
    guard let path = Programs.path(of: program) else { throw Programs.missingError([program]) }
    let started = try StartedCommand(
      path: path, arguments: arguments, environment: environment ?? ProcessInfo.processInfo.environment)
    processID = started.processID
    Thread.detachNewThread { [self] in
      let result = started.collect(limit: limit) { stream, bytes in
        self.state.withLock { $0.output[stream].append(contentsOf: bytes) }
      }
      let waiting = state.withLock { state in
        let output = Command.Output(
          status: result.status, standardOutput: state.output[0], standardError: state.output[1],
          timedOut: result.timedOut)
        state.result = output
        defer { state.waiting = [] }
        return state.waiting.map { ($0, output) }
      }
      for (continuation, output) in waiting { continuation.resume(returning: output) }
    }
  }

  /// What it has written to standard output so far, as text.
  public var textSoFar: String { state.withLock { String(decoding: $0.output[0], as: UTF8.self) } }
  /// What it has written to standard error so far, as text.
  public var errorTextSoFar: String { state.withLock { String(decoding: $0.output[1], as: UTF8.self) } }
  /// True until it has ended.
  public var isRunning: Bool { state.withLock { $0.result == nil } }

  /// Sends it a signal; nothing happens when it has ended.
  public func send(signal: Int32) {
    state.withLock { if $0.result == nil { kill(processID, signal) } }
  }

  /// Waits until it has ended, by itself or at its limit.
  public func end() async -> Command.Output {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state -> Command.Output? in
        if state.result == nil { state.waiting.append(continuation) }
        return state.result
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  /// Waits until its output (both streams) holds a text; false if it ends or the limit passes without it.
  public func waitForOutput(_ text: String, limit: Duration = .seconds(20)) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
      let ended = !isRunning
      if textSoFar.contains(text) || errorTextSoFar.contains(text) { return true }
      guard !ended, ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }
}
