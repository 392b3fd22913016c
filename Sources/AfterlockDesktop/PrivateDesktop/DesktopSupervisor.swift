import Foundation
import Synchronization

/// The shell that is the parent of a private desktop's servers, and that outlives its owner by a moment.
///
/// Two ties keep anything from being left behind. The shell reads commands from a pipe that only the owner writes to:
/// when the owner ends, whatever the way, the pipe ends, and the shell kills the servers and removes the folder. And
/// each server asked the kernel to be killed when the shell ends (`setpriv --pdeathsig`). The second tie alone would not
/// do: it is bound to the parent's *thread*, and the threads of a Swift program come and go.
///
/// The system gives a process's number to another one once it has ended: the shell signals only what it has itself started.
///
/// The shell is in a session of its own, so that a terminal's Ctrl-C reaches the owner only.
final class DesktopSupervisor: Sendable {
  /// Commands: `start NAME PROGRAM ARGUMENTS…`, `record` the same with standard output to `NAME.raw` and in real time
  /// where that is allowed, `signal SIGNAL PID`. Answers: `NAME PID`.
  ///
  /// The words of a command come from this module only: none holds white space or a quote.
  private static let script = """
    folder=$1
    cd "$folder" || exit 1
    own() {
      read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
      set -- ${stat##*) }
      [ "$2" = "$$" ]
    }
    clean() {
      trap '' TERM INT HUP
      for pid in $pids; do own "$pid" && kill -KILL "$pid" 2>/dev/null; done
      wait
      cd / && rm -rf "$folder"
      exit 0
    }
    pids=
    realtime=
    if chrt --rr 10 true 2>/dev/null; then realtime='chrt --rr 10'; fi
    trap clean TERM
    trap : INT HUP
    while read -r command name rest; do
      case $command in
        start)
          setpriv --pdeathsig KILL $rest </dev/null >>"$name.log" 2>&1 &
          pids="$pids $!"
          echo "$name $!" ;;
        record)
          setpriv --pdeathsig KILL $realtime $rest </dev/null >"$name.raw" 2>>"$name.log" &
          pids="$pids $!"
          echo "$name $!" ;;
        signal)
          own "$rest" && kill "-$name" "$rest" 2>/dev/null
          echo "$name $rest" ;;
      esac
    done
    clean
    """

  /// The shell's own process id.
  let processID: pid_t
  private let commands: Int32
  private let answers: Int32
  private let isOpen = Mutex(true)

  /// Starts the shell over a folder that it removes at its end.
  init(folder: String, shell: String, environment: [String: String]) throws(DesktopError) {
    let down = try Pipe2()
    let up = try Pipe2()
    let log = open("\(folder)/supervisor.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer {
      Glibc.close(down.readEnd)
      Glibc.close(up.writeEnd)
      Glibc.close(log)
    }
    do {
      processID = try ChildProcess.spawn(
        path: shell, arguments: ["-c", Self.script, "afterlock-desktop", folder], environment: environment,
        descriptors: [down.readEnd, up.writeEnd, log], newSession: true)
    } catch {
      Glibc.close(down.writeEnd)
      Glibc.close(up.readEnd)
      throw error
    }
    commands = down.writeEnd
    answers = up.readEnd
  }

  deinit {
    // Closing the pipe is enough: the shell does the rest, and nobody waits here.
    if isOpen.withLock({ $0 }) {
      Glibc.close(commands)
      Glibc.close(answers)
    }
  }

  /// Starts a server as the shell's child; its output goes to `NAME.log` in the folder. Returns its process id.
  ///
  /// - Parameter isRecorder: standard output goes to `NAME.raw` instead, and the program runs in real time if it may.
  func start(_ name: String, _ words: [String], isRecorder: Bool = false) throws(DesktopError) -> pid_t {
    let answer = try ask("\(isRecorder ? "record" : "start") \(name) \(words.joined(separator: " "))")
    guard let pid = answer.split(separator: " ").last.flatMap({ pid_t($0) }) else {
      throw DesktopError(.badOutput, "the desktop's shell answered “\(answer)”")
    }
    return pid
  }

  /// Sends a signal to one of the servers, by its name without SIG: TERM, KILL, STOP.
  func signal(_ name: String, to pid: pid_t) throws(DesktopError) {
    _ = try ask("signal \(name) \(pid)")
  }

  /// Ends the shell, and with it the servers and the folder. Blocks until they are gone; safe to call twice.
  func close() {
    let wasOpen = isOpen.withLock { open in
      defer { open = false }
      return open
    }
    guard wasOpen else { return }
    Glibc.close(commands)
    _ = ChildProcess.wait(processID)
    Glibc.close(answers)
  }

  /// One command, one answered line. The shell answers at once, so the calling thread is not held up.
  private func ask(_ command: String) throws(DesktopError) -> String {
    let line = Array("\(command)\n".utf8)
    var answer: [UInt8] = []
    let ok = isOpen.withLock { open -> Bool in
      guard open, writeIgnoringPipeSignal(line) else { return false }
      var byte: UInt8 = 0
      while true {
        let count = read(answers, &byte, 1)
        if count == 1, byte != UInt8(ascii: "\n") {
          answer.append(byte)
        } else if count == 1 {
          return true
        } else if count == 0 || errno != EINTR {
          return false
        }
      }
    }
    guard ok else { throw DesktopError(.programEnded, "the private desktop's supervising shell has ended") }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Writes a command; a shell that was killed must be an error here, not SIGPIPE to the whole program.
  private func writeIgnoringPipeSignal(_ line: [UInt8]) -> Bool {
    var pipeOnly = sigset_t()
    sigemptyset(&pipeOnly)
    sigaddset(&pipeOnly, SIGPIPE)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipeOnly, &before)
    let count = write(commands, line, line.count)
    if count < 0 && errno == EPIPE {
      var pending = sigset_t()
      var signal: Int32 = 0
      // To this thread, which has it blocked: none else can have taken it.
      if sigpending(&pending) == 0, sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipeOnly, &signal) }
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return count == line.count
  }
}
