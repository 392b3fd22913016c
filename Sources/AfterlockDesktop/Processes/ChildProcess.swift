import Foundation

/// How a process ended.
public enum ExitStatus: Sendable, Hashable, CustomStringConvertible {
  /// It returned this code.
  case code(Int32)
  /// This signal ended it.
  case signal(Int32)

  /// "exit status 1" or "signal 9".
  public var description: String {
    switch self {
    case .code(let code): "exit status \(code)"
    case .signal(let signal): "signal \(signal)"
    }
  }

  /// From what `waitpid` stored.
  init(waitStatus: Int32) {
    let low = waitStatus & 0x7f
    self = low == 0 ? .code((waitStatus >> 8) & 0xff) : .signal(low)
  }
}

/// Starts processes with `posix_spawn`: no inherited descriptors, no inherited signal state.
///
/// Foundation's `Process` reaps from a run loop of its own and leaks descriptors that other threads open meanwhile;
/// a desktop that must leave nothing behind needs to know exactly what its children hold.
enum ChildProcess {
  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: absolute path of the program.
  ///   - descriptors: what the child gets as 0, 1, 2; everything else is closed.
  ///   - newSession: puts the child in its own session, out of reach of the terminal's Ctrl-C.
  static func spawn(
    path: String, arguments: [String], environment: [String: String], descriptors: [Int32], newSession: Bool
  ) throws(DesktopError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, source) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
    }
    _ = GNUFunctions.closeFrom(&actions, Int32(descriptors.count))

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    if newSession { flags |= GNUFunctions.spawnInNewSession }
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    argv.append(nil)
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") }
    envp.append(nil)
    defer {
      for pointer in argv { free(pointer) }
      for pointer in envp { free(pointer) }
    }
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, path, &actions, &attributes, argv, envp)
    guard failure == 0 else {
      throw DesktopError(.spawnFailed, "cannot start \(path): \(String(cString: strerror(failure)))")
    }
    return pid
  }

  /// Waits until the child has ended. Blocks the calling thread.
  static func wait(_ pid: pid_t) -> ExitStatus {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      if errno != EINTR { return .code(0) }
    }
    return ExitStatus(waitStatus: status)
  }

  /// True while the process runs; a zombie does not run.
  ///
  /// - Parameter parent: who started it, unless this process did and has not waited for it: its number may have been
  ///   given to another process since it ended.
  static func isRunning(_ pid: pid_t, childOf parent: pid_t? = nil) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
    // The name in parentheses may itself hold parentheses; the state follows the last one.
    guard let end = stat.lastIndex(of: ")") else { return false }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    guard fields.count > 1, fields[0] != "Z", fields[0] != "X" else { return false }
    return parent == nil || pid_t(fields[1]) == parent
  }
}

/// A pipe whose two ends close on exec, so that no child keeps one open by accident.
struct Pipe2 {
  let readEnd: Int32
  let writeEnd: Int32

  init() throws(DesktopError) {
    var ends: [Int32] = [-1, -1]
    guard GNUFunctions.pipe(&ends, Int32(O_CLOEXEC)) == 0 else {
      throw DesktopError(.fileSystem, "cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    readEnd = ends[0]
    writeEnd = ends[1]
  }
}

/// glibc's own functions, which its headers hide from Swift behind `_GNU_SOURCE`; this module imports no C of its own.
enum GNUFunctions {
  /// `POSIX_SPAWN_SETSID` of glibc's spawn.h.
  static let spawnInNewSession: Int32 = 0x80

  private typealias Pipe2Function = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
  private typealias CloseFromFunction =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

  private static let pipe2 = unsafeBitCast(symbol("pipe2"), to: Pipe2Function?.self)
  private static let addCloseFrom = unsafeBitCast(
    symbol("posix_spawn_file_actions_addclosefrom_np"), to: CloseFromFunction?.self)

  /// `pipe2`: a pipe with flags from its first moment.
  static func pipe(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32 { pipe2?(ends, flags) ?? -1 }

  /// `posix_spawn_file_actions_addclosefrom_np` (glibc 2.34): closes all descriptors from the given one on.
  static func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32) -> Int32
  {
    addCloseFrom?(actions, first) ?? -1
  }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }
}
