import AfterlockDesktop
import AfterlockTestSupport
import Glibc
import Testing

@testable import AfterlockCLI

@Suite("Playing on a terminal")
struct TerminalLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private func start(
    _ words: [String], _ live: LiveDesktop, columns: UInt16 = 100, script: String? = nil
  ) throws -> RunningProgram {
    try RunningProgram(playing: words, on: live, columns: columns, script: script)
  }

  @Test func `keys change what plays, and the line shows it`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try folder.wav("b.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let files = ["a.wav", "b.wav"].map { "\(folder.path)/\($0)" }
      let program = try start(["--paused", "--start", "1"] + files, live)
      defer { program.kill() }
      /// Types and waits for a picture that comes after it.
      func press(_ keys: String, _ shown: String) async throws {
        let start = program.outputCount
        program.type(keys)
        try await program.waitForOutput(shown, after: start)
      }
      try await program.waitForOutput("❚❚ a.wav  0:01 / 1:00")
      try await press("\u{1B}[C", "❚❚ a.wav  0:06 / 1:00")
      try await press("\u{1B}[D", "❚❚ a.wav  0:01 / 1:00")
      try await press(" ", "▶  a.wav  0:0")
      try await press(" ", "❚❚ a.wav  0:0")
      try await press("\u{1B}[B", "95%")
      try await press("\u{1B}OA", "100%")
      try await press("m", "muted")
      try await press("m", "100%")
      try await press("l", "↻ track")
      try await press("l", "↻ playlist")
      try await press("s", "⤮ shuffle")
      try await press("n", "❚❚ b.wav  0:00 / 1:00")
      try await press(" ", "▶  b.wav  0:0")
      try await press("p", "▶  a.wav  0:0")
      try await press("?", "left, right: 5 seconds back, forward")
      // An escape sequence that comes in pieces is one key. Paused, it is the only thing that moves the position.
      try await press(" ", "❚❚ a.wav  0:0")
      let start = program.outputCount
      for byte in Array("\u{1B}[C".utf8) {
        program.type([byte])
        try await Task.sleep(for: .milliseconds(5))
      }
      try await program.wait("the seek", .seconds(20)) {
        let shown = String(decoding: program.standardOutput.utf8.dropFirst(start), as: UTF8.self)
        return (5...9).contains { shown.contains("❚❚ a.wav  0:0\($0)") }
      }
      program.type("q")
      #expect(try await program.exitStatus() == 0)
      #expect(program.standardError.isEmpty)
      try await program.waitForLastOutput("\r\u{1B}[K\u{1B}[?7h\u{1B}[0m\u{1B}[?25h")
    }
  }

  @Test func `nothing is written while it is paused, and little while it plays`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try start(["\(folder.path)/a.wav"], live)
      defer { program.kill() }
      try await program.waitForOutput("0:01 / 1:00")
      let before = program.standardOutput.split(separator: "\r").count
      try await program.waitForOutput("0:03 / 1:00")
      // One picture a second, and a few more where the bar moves or the state changes.
      #expect(program.standardOutput.split(separator: "\r").count - before <= 20)
      program.type(" ")
      try await program.waitForOutput("❚❚ a.wav")
      let paused = program.outputCount
      await live.capture.wait(frames: 48_000)
      #expect(program.outputCount == paused)
      program.type("q")
      #expect(try await program.exitStatus() == 0)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGABRT])
  func `the terminal is put back, however it ends`(signal: Int32) async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try start(["\(folder.path)/a.wav"], live)
      defer { program.kill() }
      let keptOpen = program.openOtherEnd()
      defer { close(keptOpen) }
      try await program.waitForOutput("▶  a.wav")
      #expect(program.terminalMode.c_lflag & tcflag_t(ICANON | ECHO) == 0)
      program.signal(signal)
      let isCrash = [SIGSEGV, SIGABRT].contains(signal)
      #expect(try await program.exitStatus() == (isCrash ? -signal : 128 + signal))
      #expect(program.terminalMode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
      try await program.waitForOutput("\u{1B}[?7h\u{1B}[0m\u{1B}[?25h")
    }
  }

  /// A pipe that nobody reads, as small as one can be.
  private func unreadPipe() throws -> (path: String, reader: Int32) {
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    // The number is missing from the Glibc module.
    let fSetPipeSize: Int32 = 1031
    _ = fcntl(reader, fSetPipeSize, 4096)
    return (path, reader)
  }

  /// Waits until nothing more has come into the pipe for a second: whoever fills it is held by it.
  private func waitUntilFull(_ reader: Int32, _ program: RunningProgram) async throws {
    var last: (bytes: Int32, time: ContinuousClock.Instant) = (0, .now)
    try await program.wait("the full pipe") {
      var bytes: Int32 = 0
      guard ioctl(reader, UInt(FIONREAD), &bytes) == 0 else { return false }
      if bytes != last.bytes { last = (bytes, .now) }
      return bytes > 4096 - 1024 && ContinuousClock.now - last.time > .seconds(1)
    }
  }

  @Test func `a log that nobody reads holds neither the keys nor the music, nor the end`() async throws {
    try folder.wav("a.wav", frames: 500)
    try folder.wav("b.wav", frames: 48_000 * 60)
    let (log, reader) = try unreadPipe()
    defer { close(reader) }
    try await withLiveDesktop { live in
      let files = ["a.wav", "b.wav"].map { "\(folder.path)/\($0)" }
      let program = try start(["--loop", "track", "--log", log] + files, live)
      defer { program.kill() }
      try await waitUntilFull(reader, program)
      program.type("n")
      try await program.waitForOutput("▶  b.wav  0:0")
      try await waitUntil("the sound") {
        try await live.capture.soFar().samples.suffix(4_800).contains { $0 != 0 }
      }
      program.signal(SIGTERM)
      #expect(try await program.exitStatus(within: .seconds(20)) == 143)
      #expect(program.standardError == "afterlock: the log \(log) is not complete: nobody reads it\n")
    }
  }

  @Test func `a second signal ends it also while it waits for words to be read that nobody reads`()
    async throws
  {
    try folder.wav("a.wav", frames: 500)
    try folder.file("l.m3u", (0..<2_000).map { "missing \($0).wav\n" }.joined() + "a.wav\n")
    let (pipe, reader) = try unreadPipe()
    defer { close(reader) }
    try await withLiveDesktop { live in
      let program = try start(["\(folder.path)/l.m3u"], live, script: "exec \"$@\" 2>'\(pipe)'")
      defer { program.kill() }
      let keptOpen = program.openOtherEnd()
      defer { close(keptOpen) }
      try await waitUntilFull(reader, program)
      program.signal(SIGTERM)
      try await Task.sleep(for: .milliseconds(700))
      program.signal(SIGTERM)
      #expect(try await program.exitStatus(within: .seconds(10)) == -SIGTERM)
      #expect(program.terminalMode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
      try await program.waitForOutput("\u{1B}[?7h\u{1B}[0m\u{1B}[?25h")
    }
  }

  /// Types Ctrl-S, and waits until nothing can be written any more.
  private func holdTerminal(of program: RunningProgram, _ otherEnd: Int32) async throws {
    program.type("\u{13}")
    try await program.wait("the terminal to be held") {
      !DescriptorWriter.waitUntilWritable(otherEnd, milliseconds: 0)
    }
  }

  @Test func `a terminal held with Ctrl-S holds neither the music nor the end`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try start(["\(folder.path)/a.wav"], live)
      defer { program.kill() }
      let keptOpen = program.openOtherEnd()
      defer { close(keptOpen) }
      try await program.waitForOutput("▶  a.wav  0:01")
      try await holdTerminal(of: program, keptOpen)
      // Words to be printed do not hold it either.
      program.type("?")
      let before = try await live.capture.soFar().samples.count
      await live.capture.wait(frames: 48_000)
      let after = try await live.capture.soFar().samples
      #expect(after.dropFirst(before).contains { $0 != 0 })
      program.signal(SIGTERM)
      #expect(try await program.exitStatus(within: .seconds(20)) == 143)
      #expect(program.terminalMode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
    }
  }

  @Test func `Ctrl-Z gives the terminal to the shell, and fg takes it again`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let script = """
        set -m
        "$@"
        for turn in 1 2 3; do stty icanon echo; echo "stopped $turn"; read -r line; fg; done
        echo "ended $?"
        """
      let program = try start(["\(folder.path)/a.wav"], live, script: script)
      defer { program.kill() }
      let keptOpen = program.openOtherEnd()
      defer { close(keptOpen) }
      let usual = tcflag_t(ICANON | ECHO)
      try await program.waitForOutput("▶  a.wav  0:0")
      for turn in 1...3 {
        #expect(program.terminalMode.c_lflag & usual == 0)
        var start = program.outputCount
        if turn < 3 {
          program.type("\u{1A}")
          try await program.waitForOutput("stopped \(turn)", after: start)
          let given = program.standardOutput(after: start)
          #expect(given.contains("\r\u{1B}[K\u{1B}[?7h\u{1B}[0m\u{1B}[?25h"))
        } else {
          // This signal it cannot take: it finds out afterwards that the terminal has been another's.
          kill(try #require(program.children.first), SIGSTOP)
          try await program.waitForOutput("stopped \(turn)", after: start)
        }
        start = program.outputCount
        program.type("\n")
        try await program.waitForOutput("▶  a.wav  0:0", after: start)
        #expect(program.standardOutput(after: start).contains("\u{1B}[?25l"), "the cursor is hidden again")
      }
      program.type("q")
      #expect(try await program.exitStatus() == 0)
      try await program.waitForLastOutput("\u{1B}[?25hended 0\r\n")
      #expect(program.terminalMode.c_lflag & usual == usual)
    }
  }

  @Test func `a line that came while the terminal was held is shown when it is let go`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try start(["\(folder.path)/a.wav"], live)
      defer { program.kill() }
      let keptOpen = program.openOtherEnd()
      defer { close(keptOpen) }
      try await program.waitForOutput("▶  a.wav  0:0")
      try await holdTerminal(of: program, keptOpen)
      program.type("? ")
      try await waitUntil("the pause") { try await self.isSilentAgain(live) }
      program.type("\u{11}")
      try await program.waitForOutput("left, right: 5 seconds back, forward")
      try await program.waitForOutput("❚❚ a.wav")
      program.type("q")
      #expect(try await program.exitStatus() == 0)
    }
  }

  /// Whether there was sound, and none in the last tenth of a second.
  private func isSilentAgain(_ live: LiveDesktop) async throws -> Bool {
    let heard = try await live.capture.soFar().samples
    return heard.contains { $0 != 0 } && heard.suffix(9_600).allSatisfy { $0 == 0 }
  }

  @Test func `in the background it leaves the keys to the shell and plays on`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let script = """
        set -m
        "$@"
        bg; read -r first; read -r second; echo "read $first $second"; fg
        """
      let program = try start(["\(folder.path)/a.wav"], live, script: script)
      defer { program.kill() }
      let keptOpen = program.openOtherEnd()
      defer { close(keptOpen) }
      try await program.waitForOutput("▶  a.wav  0:0")
      let player = try #require(program.children.first)
      program.type("\u{1A}")
      try await program.wait("the stop and the going on") {
        program.terminalMode.c_lflag & tcflag_t(ICANON) != 0 && !RunningProgram.isStopped(player)
      }
      let start = program.outputCount
      program.type("one\n")
      let before = try await live.capture.soFar().samples.count
      await live.capture.wait(frames: 24_000)
      #expect(!RunningProgram.isStopped(player))
      #expect(try await live.capture.soFar().samples.dropFirst(before).contains { $0 != 0 })
      program.type("two\n")
      try await program.waitForOutput("read one two", after: start)
      // The shell gives it the terminal again.
      try await program.waitForOutput("▶  a.wav  0:0", after: start)
      program.type("q")
      #expect(try await program.exitStatus() == 0)
    }
  }

  @Test func `brought to the front by a shell that says nothing of it, it takes the terminal`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      // A shell that sends SIGCONT to a running job, as others do, would not show it.
      // It gives away the terminal that its standard error leads to.
      let script = "exec bash -c 'set -m; \"$@\" & read -r line; fg' bash \"$@\" 2>&1"
      let program = try start(["\(folder.path)/a.wav"], live, script: script)
      defer { program.kill() }
      try await program.waitForOutput("Playing: a.wav (1:00)\r\n")
      program.type("\n")
      try await program.waitForOutput("▶  a.wav  0:")
      program.type("q")
      #expect(try await program.exitStatus() == 0)
    }
  }

  @Test func `Ctrl-Z where no shell could continue it goes on by itself`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try start(["\(folder.path)/a.wav"], live)
      defer { program.kill() }
      try await program.waitForOutput("▶  a.wav  0:0")
      let start = program.outputCount
      program.type("\u{1A}")
      // Its terminal's window would be gone for good: the system does not stop such a program.
      try await program.waitForOutput("\u{1B}[?25l", after: start)
      try await program.waitForOutput("▶  a.wav  0:0", after: start)
      program.type("q")
      #expect(try await program.exitStatus() == 0)
    }
  }

  @Test func `the line follows the window's size`() async throws {
    try folder.wav("a rather long name of a file.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try start(["\(folder.path)/a rather long name of a file.wav"], live)
      defer { program.kill() }
      try await program.waitForOutput("a rather long name of a file.wav  0:0")
      let start = program.outputCount
      program.resize(columns: 30)
      try await program.waitForOutput("▶  a rather", after: start)
      let line = String(decoding: Array(program.standardOutput.utf8).dropFirst(start), as: UTF8.self)
      #expect(line.contains("…"))
      program.type("q")
      #expect(try await program.exitStatus() == 0)
    }
  }

  @Test func `a title cannot send the terminal control sequences`() async throws {
    let name = "x\u{1B}]0;owned\u{7}\u{9B}2J.wav"
    try folder.wav(name, frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try start(["\(folder.path)/\(name)"], live)
      defer { program.kill() }
      try await program.waitForOutput("x\\u{1b}]0;owned\\u{7}\\u{9b}2J.wav")
      #expect(!program.standardOutput.contains("\u{7}") && !program.standardOutput.contains("\u{9B}"))
      program.signal(SIGTERM)
      #expect(try await program.exitStatus() == 143)
    }
  }

  @Test func `a dumb terminal gets plain lines`() async throws {
    try folder.wav("a.wav", frames: 4800)
    try await withLiveDesktop { live in
      let environment = live.environment.merging(["TERM": "dumb"]) { $1 }
      let program = try RunningProgram("play", "\(folder.path)/a.wav", columns: 80, environment: environment)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 0)
      try await program.waitForLastOutput("Playing: a.wav (0:00)\r\n")
      #expect(program.standardOutput == "Playing: a.wav (0:00)\r\n")
    }
  }
}
