public import Foundation

/// Runs a program to its end and collects what it says.
public enum Command {
  /// What a program said and how it ended.
  public struct Output: Sendable {
    /// How it ended.
    public let status: ExitStatus
    /// Its standard output.
    public let standardOutput: Data
    /// Its standard error.
    public let standardError: Data
    /// True if it ran into its limit and was killed.
    public let timedOut: Bool

    /// Its standard output as text, broken encodings made valid.
    public var text: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Its standard error as text, broken encodings made valid.
    public var errorText: String { String(decoding: standardError, as: UTF8.self) }
  }

  /// Runs a program with a limit of time; at the limit it is killed.
  ///
  /// Called on: any isolation; the waiting happens on a thread of its own, never on Swift's pool.
  ///
  /// - Parameters:
  ///   - program: a name to be found on `PATH`, or an absolute path.
  ///   - environment: the whole environment of the program; nil for this process's own.
  ///   - endsWithOwner: true to have the kernel kill it when this process ends; costs the millisecond of one `exec`,
  ///     by `setpriv`, before the program's own.
  public static func run(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    limit: Duration = .seconds(10), endsWithOwner: Bool = true
  ) async throws(DesktopError) -> Output {
    let environment = environment ?? ProcessInfo.processInfo.environment
    guard let path = Programs.path(of: program, in: environment) else {
      throw Programs.missingError([program])
    }
    let result: Result<Output, DesktopError> = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        do throws(DesktopError) {
          let output = try runBlocking(
            path: path, arguments: arguments, environment: environment, limit: limit,
            endsWithOwner: endsWithOwner)
          continuation.resume(returning: .success(output))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// The same on the calling thread, which it blocks.
  package static func runBlocking(
    path: String, arguments: [String], environment: [String: String], limit: Duration,
    endsWithOwner: Bool = true
  ) throws(DesktopError) -> Output {
    let started = try StartedCommand(
      path: path, arguments: arguments, environment: environment, endsWithOwner: endsWithOwner)
    var texts = [Data(), Data()]
    let result = started.collect(limit: limit) { stream, bytes in texts[stream].append(contentsOf: bytes) }
    return Output(
      status: result.status, standardOutput: texts[0], standardError: texts[1], timedOut: result.timedOut)
  }
}

/// A started program with the reading ends of its two outputs.
///
/// Made and collected on one thread, which lives as long as the program: the kernel's promise to kill a program with its
/// owner is bound to the thread that started it.
struct StartedCommand: Sendable {
  let processID: pid_t
  private let outputs: [Int32]

  init(
    path: String, arguments: [String], environment: [String: String], endsWithOwner: Bool
  ) throws(DesktopError) {
    var (path, arguments) = (path, arguments)
    if endsWithOwner, let setpriv = Programs.path(of: "setpriv") {
      arguments = ["--pdeathsig", "KILL", "--", path] + arguments
      path = setpriv
    }
    let out = try Pipe2()
    let err = try Pipe2()
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer {
      close(out.writeEnd)
      close(err.writeEnd)
      close(null)
    }
    outputs = [out.readEnd, err.readEnd]
    do {
      processID = try ChildProcess.spawn(
        path: path, arguments: arguments, environment: environment,
        descriptors: [null, out.writeEnd, err.writeEnd], newSession: true)
    } catch {
      close(out.readEnd)
      close(err.readEnd)
      throw error
    }
  }

  /// Reads both outputs until the program has ended; kills it and its group when the limit is over. Blocks.
  func collect(
    limit: Duration, _ take: (_ stream: Int, _ bytes: ArraySlice<UInt8>) -> Void
  ) -> (status: ExitStatus, timedOut: Bool) {
    let deadline = ContinuousClock.now + limit
    var timedOut = !read(until: deadline, take)
    for descriptor in outputs { close(descriptor) }
    // Both ends are closed: the program has ended, or is about to.
    while !timedOut && ChildProcess.isRunning(processID) {
      if ContinuousClock.now >= deadline { timedOut = true } else { usleep(500) }
    }
    if timedOut { kill(-processID, SIGKILL) }
    return (ChildProcess.wait(processID), timedOut)
  }

  /// False when the time is over before both outputs have ended.
  private func read(
    until deadline: ContinuousClock.Instant, _ take: (_ stream: Int, _ bytes: ArraySlice<UInt8>) -> Void
  ) -> Bool {
    var polls = outputs.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while polls.contains(where: { $0.fd >= 0 }) {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return false }
      let milliseconds =
        left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
      guard poll(&polls, nfds_t(polls.count), Int32(clamping: milliseconds)) >= 0 || errno == EINTR else {
        return false
      }
      for index in polls.indices where polls[index].fd >= 0 && polls[index].revents != 0 {
        let count = Glibc.read(polls[index].fd, &buffer, buffer.count)
        if count > 0 {
          take(index, buffer[0..<count])
        } else if count == 0 || errno != EINTR {
          polls[index].fd = -1
        }
      }
    }
    return true
  }
}
