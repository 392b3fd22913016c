import AfterlockTestSupport
import Foundation
import Glibc
import Synchronization

@testable import AfterlockDesktop

/// The real program in a process of its own: what it writes is collected, and it is gone when the test is.
///
/// With a terminal its standard input and output are a pseudo-terminal that it controls, as in a terminal window;
/// standard error stays a pipe, so that errors can be told apart.
final class RunningProgram: Sendable {
  /// What has been written so far.
  private let output = Mutex<[UInt8]>([])
  private let errors = Mutex<[UInt8]>([])
  private let status = Mutex<Int32?>(nil)
  /// Pipes that have not been read to their end.
  private let openPipes = Atomic<Int>(0)
  let processID: pid_t
  /// The terminal's own end, or -1.
  private let terminal: Int32

  /// Starts it.
  /// - Parameters:
  ///   - columns: `nil` for no terminal.
  ///   - script: a script for the shell that is to start it as `"$@"`; `nil` starts it without one.
  ///   - environment: added to the test's own; an empty value takes a variable away.
  init(
    _ words: [[UInt8]], columns: UInt16? = nil, script: String? = nil, environment: [String: String] = [:]
  ) throws {
    let program = try AfterlockProgram.path()
    let path = script == nil ? program : "/bin/sh"
    let words = (script.map { ["-c", $0, "sh", program] } ?? []).map { Array($0.utf8) } + words
    var merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    merged["TERM"] = environment["TERM"] ?? "xterm"
    merged = merged.filter { !$0.value.isEmpty }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let errorPipe = try Self.makePipe()
    var ours: [Int32] = [errorPipe.read]
    var theirs: [Int32] = [errorPipe.write]
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    if let columns {
      let (master, name) = try Self.makeTerminal()
      terminal = master
      Self.resize(master, columns)
      // The leader of a new session gets the first terminal that it opens as its own.
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      flags |= 0x80  // POSIX_SPAWN_SETSID, which glibc's header hides
    } else {
      terminal = -1
      let outputPipe = try Self.makePipe()
      ours.append(outputPipe.read)
      theirs.append(outputPipe.write)
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, outputPipe.write, 1)
      flags |= Int32(POSIX_SPAWN_SETPGROUP)
    }
    posix_spawn_file_actions_adddup2(&actions, errorPipe.write, 2)
    // What other tests have open at this moment is not the program's to keep open.
    _ = GNUFunctions.closeFrom(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

    var pid: pid_t = 0
    let failure = Self.withPointers([Array(path.utf8)] + words) { arguments in
      Self.withPointers(merged.map { Array("\($0.key)=\($0.value)".utf8) }) { variables in
        posix_spawn(&pid, path, &actions, &attributes, arguments, variables)
      }
    }
    for descriptor in theirs { close(descriptor) }
    guard failure == 0 else { throw TestFailure("cannot start \(path): \(failure)") }
    processID = pid
    let isTerminal = columns != nil
    collect(isTerminal ? terminal : ours[1], countsEnd: !isTerminal) { bytes in
      self.output.withLock { $0 += bytes }
    }
    collect(ours[0], countsEnd: true) { bytes in self.errors.withLock { $0 += bytes } }
    Thread.detachNewThread { [self, pid = processID] in
      var wait: Int32 = 0
      while waitpid(pid, &wait, 0) < 0, errno == EINTR {}
      let code = wait & 0x7F == 0 ? (wait >> 8) & 0xFF : -(wait & 0x7F)
      status.withLock { $0 = code }
    }
  }

  /// Kills it when it still runs. The threads that collect keep this alive until the program's ends are closed, so a test
  /// must call it: `defer { program.kill() }`.
  func kill() {
    if status.withLock({ $0 }) == nil { Glibc.kill(processID, SIGKILL) }
  }

  func signal(_ signal: Int32) { Glibc.kill(processID, signal) }

  /// The processes that it has started and that have not been waited for.
  var children: [pid_t] { Self.children(of: processID) }
  static func children(of parent: pid_t) -> [pid_t] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
    return tasks.flatMap { task in
      let list = FileManager.default.contents(atPath: "/proc/\(parent)/task/\(task)/children") ?? Data()
      return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// A program with words that are text.
  convenience init(
    _ words: String..., columns: UInt16? = nil, environment: [String: String] = [:]
  ) throws {
    try self.init(words.map { Array($0.utf8) }, columns: columns, environment: environment)
  }

  /// `afterlock play` with these words on a live desktop, in UTF-8 and without colours.
  /// - Parameters:
  ///   - session: the number of its login session; `nil` for none.
  ///   - command: another command than `play`.
  convenience init(
    playing words: [String], on live: LiveDesktop, columns: UInt16? = nil, script: String? = nil,
    session: String? = nil, command: String = "play"
  ) throws {
    try self.init(
      playing: words, on: live.desktop, columns: columns, script: script, session: session, command: command)
  }

  /// The same on a desktop without a capture.
  convenience init(
    playing words: [String], on desktop: PrivateDesktop, columns: UInt16? = nil, script: String? = nil,
    session: String? = nil, command: String = "play"
  ) throws {
    let environment = desktop.environment.merging([
      "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "xterm", "SWIFT_BACKTRACE": "enable=no",
      "XDG_SESSION_ID": session ?? "",
    ]) { $1 }
    try self.init(
      ([command] + words).map { Array($0.utf8) }, columns: columns, script: script, environment: environment)
  }

  /// Types bytes on the terminal.
  func type(_ text: String) { type(Array(text.utf8)) }
  func type(_ bytes: [UInt8]) { _ = write(terminal, bytes, bytes.count) }
  func resize(columns: UInt16) { Self.resize(terminal, columns) }

  /// Opens the program's end of the terminal, so that its settings outlive the program; the caller closes it.
  func openOtherEnd() -> Int32 {
    var number: UInt32 = 0
    _ = ioctl(terminal, 0x8004_5430, &number)
    return open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  /// The terminal's settings as the program left them; readable while a copy of its other end is open.
  var terminalMode: termios {
    var mode = termios()
    tcgetattr(terminal, &mode)
    return mode
  }

  var standardOutput: String { String(decoding: output.withLock { $0 }, as: UTF8.self) }
  /// What was written after `start` bytes.
  func standardOutput(after start: Int) -> String {
    String(decoding: output.withLock { $0.dropFirst(start) }, as: UTF8.self)
  }
  var standardError: String { String(decoding: errors.withLock { $0 }, as: UTF8.self) }
  var errorLines: [String] { standardError.split(separator: "\n").map(String.init) }

  /// The exit code, or the signal's number with a minus; waits for the end.
  func exitStatus(within limit: Duration = .seconds(60)) async throws -> Int32 {
    try await wait("the end of the program", limit) {
      self.status.withLock { $0 } != nil && self.openPipes.load(ordering: .acquiring) == 0
    }
    return status.withLock { $0 } ?? -1
  }

  /// Waits until it has been stopped by a signal.
  func waitUntilStopped() async throws {
    try await wait("the stop") { Self.isStopped(processID) }
  }

  /// Whether a signal has stopped the process, and none let it go on.
  static func isStopped(_ process: pid_t) -> Bool {
    (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") T ") == true
  }

  /// Waits until what was written meets the condition; fails with what was written instead.
  func wait(
    _ what: String, _ limit: Duration = .seconds(60), until condition: () -> Bool
  ) async throws {
    try await waitUntil(
      "\(what)\noutput: \(standardOutput)\nerrors: \(standardError)", limit: limit, condition)
  }

  /// Waits until `text` stands in the output behind what was there at `start`.
  func waitForOutput(_ text: String, after start: Int = 0, _ limit: Duration = .seconds(60)) async throws {
    try await wait("\(text.debugDescription) in the output", limit) {
      standardOutput(after: start).contains(text)
    }
  }

  /// Waits until the output ends with `text`; a program that has ended may have written to a terminal what is not read yet.
  func waitForLastOutput(_ text: String) async throws {
    try await wait("\(text.debugDescription) at the end of the output") { standardOutput.hasSuffix(text) }
  }

  /// Bytes written so far: a place to wait from.
  var outputCount: Int { output.withLock { $0.count } }

  /// Reads until nobody can write any more. A terminal says that with EIO.
  private func collect(
    _ descriptor: Int32, countsEnd: Bool, _ take: @escaping @Sendable (ArraySlice<UInt8>) -> Void
  ) {
    if countsEnd { openPipes.wrappingAdd(1, ordering: .relaxed) }
    Thread.detachNewThread { [self] in
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        take(bytes[..<count])
      }
      close(descriptor)
      if countsEnd { openPipes.wrappingSubtract(1, ordering: .releasing) }
    }
  }

  /// A pseudo-terminal and the path of its other end. `posix_openpt` and its kin are hidden by glibc's header, so this
  /// asks the kernel as they do.
  private static func makeTerminal() throws -> (master: Int32, name: String) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: UInt32 = 0
    var unlocked: Int32 = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &unlocked) == 0, ioctl(master, 0x8004_5430, &number) == 0
    else {
      throw TestFailure("no pseudo-terminal: \(errno)")
    }
    return (master, "/dev/pts/\(number)")
  }

  private static func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw TestFailure("no pipe: \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func withPointers<Result>(
    _ words: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = words.map { word in word.withCString { strdup($0) } }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }

  private static func resize(_ terminal: Int32, _ columns: UInt16) {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }
}
