import Foundation
import Synchronization

/// A program that runs while its caller does something else: it can be signalled, watched and waited for.
///
/// It is in a session of its own and is killed when its limit is over, so that a hang is a failure with its output and
/// not a stuck test run; and it is killed when this process ends. Dropping the last reference does not end it.
public final class RunningCommand: Sendable {
  /// Its process id.
  public let processID: Int32
  private let record: Record

  /// What the waiting thread and the callers share.
  private final class Record: Sendable {
    struct State {
      var output: [Data] = [Data(), Data()]
      var result: Command.Output?
      var waiting: [CheckedContinuation<Command.Output, Never>] = []
    }
    let state = Mutex(State())
    /// Set once, before `started` is signalled.
    let start = Mutex<Result<pid_t, DesktopError>?>(nil)
    let started = DispatchSemaphore(value: 0)

    /// The life of the waiting thread: start, collect, report.
    func run(limit: Duration, start make: () throws(DesktopError) -> StartedCommand) {
      let command: StartedCommand
      do throws(DesktopError) {
        command = try make()
      } catch {
        start.withLock { $0 = .failure(error) }
        started.signal()
        return
      }
      start.withLock { $0 = .success(command.processID) }
      started.signal()
      let (status, timedOut) = command.collect(limit: limit) { stream, bytes in
        state.withLock { $0.output[stream].append(contentsOf: bytes) }
      }
      let (waiting, output) = state.withLock { state in
        let output = Command.Output(
          status: status, standardOutput: state.output[0], standardError: state.output[1], timedOut: timedOut)
        state.result = output
        defer { state.waiting = [] }
        return (state.waiting, output)
      }
      for continuation in waiting { continuation.resume(returning: output) }
    }
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a name to be found on `PATH`, or an absolute path.
  ///   - environment: the whole environment of the program; nil for this process's own.
  ///   - endsWithOwner: see ``Command/run(_:_:environment:limit:endsWithOwner:)``.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    limit: Duration = .seconds(60), endsWithOwner: Bool = true
  ) throws(DesktopError) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    guard let path = Programs.path(of: program, in: environment) else {
      throw Programs.missingError([program])
    }
    let record = Record()
    Thread.detachNewThread {
      record.run(limit: limit) { () throws(DesktopError) in
        try StartedCommand(
          path: path, arguments: arguments, environment: environment, endsWithOwner: endsWithOwner)
      }
    }
    // A millisecond: the time of one spawn.
    record.started.wait()
    guard let start = record.start.withLock({ $0 }) else {
      throw DesktopError(.spawnFailed, "cannot start \(path)")
    }
    processID = try start.get()
    self.record = record
  }

  /// What it has written to standard output so far, as text.
  public var textSoFar: String { record.state.withLock { String(decoding: $0.output[0], as: UTF8.self) } }
  /// What it has written to standard error so far, as text.
  public var errorTextSoFar: String {
    record.state.withLock { String(decoding: $0.output[1], as: UTF8.self) }
  }
  /// True until it has ended.
  public var isRunning: Bool { record.state.withLock { $0.result == nil } }

  /// Sends it a signal; nothing happens when it has ended.
  public func send(signal: Int32) {
    record.state.withLock { if $0.result == nil { kill(processID, signal) } }
  }

  /// Waits until it has ended, by itself or at its limit.
  public func end() async -> Command.Output {
    await withCheckedContinuation { continuation in
      let result = record.state.withLock { state -> Command.Output? in
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
