import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockDesktop

/// Judged by the captured sound: whatever becomes of a bus, not one frame is missing, silent or heard twice (L9).
@Suite("A bus that hangs, dies, comes late or never says a word")
struct BusLossLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  /// Writes so many seconds of noise, and gives them.
  private func sound(_ seconds: Int) throws -> SoundClip {
    let source = Signals.noise16(frames: 48_000 * seconds)
    try folder.file(folder.bytes("a.wav"), Array(MediaFiles.wav16(source)))
    return SoundClip(rate: 48_000, channels: 2, samples: source)
  }

  private var file: String { "\(folder.path)/a.wav" }

  private func playerctl(_ live: LiveDesktop, _ words: String...) async throws -> String {
    let output = try await live.run("playerctl", ["-p", "afterlock"] + words)
    return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func waitUntilOnBus(_ live: LiveDesktop) async throws {
    try await waitUntil("the player to be on the bus") { try await playerctl(live, "status") == "Playing" }
  }

  private func startBus(_ live: LiveDesktop) throws -> RunningCommand {
    try RunningCommand(
      "dbus-daemon",
      ["--config-file=\(live.desktop.runtimeDirectory)/bus.conf", "--nofork", "--nopidfile"],
      limit: .seconds(120))
  }

  private func expectAll(
    _ source: SoundClip, of live: LiveDesktop, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let report = try await live.compare(with: source)
    #expect(report.equalsSource, "\(report)", sourceLocation: sourceLocation)
  }

  /// Shuffles a list of one track again and again, which nobody hears and every client is told of.
  private func shuffle(_ program: RunningProgram, times: Int) async throws {
    for _ in 0..<times {
      program.type("s")
      // Each is told of by itself only where it is no part of the one before.
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test func `one that hangs holds neither the sound nor the keys nor the end`() async throws {
    let source = try sound(8)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: [file], on: live, columns: 100)
      defer { program.kill() }
      try await waitUntilOnBus(live)
      let bus = try #require(await live.desktop.processIDs["dbus-daemon"])
      kill(bus, SIGSTOP)
      defer { kill(bus, SIGCONT) }
      // More than lies between the two in the kernel.
      try await shuffle(program, times: 601)
      let start = program.outputCount
      program.type("?")
      try await program.waitForOutput("left, right", after: start)
      #expect(try await program.exitStatus(within: .seconds(60)) == 0)
      try await expectAll(source, of: live)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `one that hangs does not hold whoever ends the program`(signal: Int32) async throws {
    _ = try sound(60)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: [file], on: live, columns: 100)
      defer { program.kill() }
      try await waitUntilOnBus(live)
      let bus = try #require(await live.desktop.processIDs["dbus-daemon"])
      kill(bus, SIGSTOP)
      defer { kill(bus, SIGCONT) }
      try await shuffle(program, times: 601)
      program.signal(signal)
      #expect(try await program.exitStatus(within: .seconds(20)) == 128 + signal)
    }
  }

  @Test func `one that hung for a while is answered again`() async throws {
    let source = try sound(8)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: [file], on: live, columns: 100)
      defer { program.kill() }
      try await waitUntilOnBus(live)
      let bus = try #require(await live.desktop.processIDs["dbus-daemon"])
      kill(bus, SIGSTOP)
      try await shuffle(program, times: 401)
      kill(bus, SIGCONT)
      try await waitUntilOnBus(live)
      #expect(try await playerctl(live, "shuffle") == "On")
      #expect(try await playerctl(live, "shuffle", "Off") == "")
      #expect(try await playerctl(live, "shuffle") == "Off")
      #expect(try await program.exitStatus() == 0)
      try await expectAll(source, of: live)
    }
  }

  @Test func `one that dies and returns finds the player where it was, steerable again`() async throws {
    let source = try sound(10)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: [file], on: live)
      defer { program.kill() }
      try await waitUntilOnBus(live)
      var bus = try #require(await live.desktop.processIDs["dbus-daemon"])
      var started: [RunningCommand] = []
      defer { for command in started { command.send(signal: SIGKILL) } }
      for _ in 1...2 {
        kill(bus, SIGKILL)
        try await waitUntil("the bus to be gone") { try await playerctl(live, "status") == "" }
        await live.capture.wait(frames: 24_000)
        started.append(try startBus(live))
        bus = try #require(started.last).processID
        try await waitUntilOnBus(live)
        #expect(try await playerctl(live, "loop", "Track") == "")
        #expect(try await playerctl(live, "loop") == "Track")
        #expect(try await playerctl(live, "loop", "None") == "")
      }
      #expect(try await program.exitStatus() == 0)
      try await expectAll(source, of: live)
    }
  }

  @Test func `one that was never there, and then is, finds the player`() async throws {
    let source = try sound(6)
    try await withLiveDesktop { live in
      let bus = try #require(await live.desktop.processIDs["dbus-daemon"])
      kill(bus, SIGKILL)
      try await waitUntil("the bus to be gone") {
        !LocalSocket.accepts("\(live.desktop.runtimeDirectory)/bus")
      }
      let program = try RunningProgram(playing: [file], on: live)
      defer { program.kill() }
      try await waitUntil("sound") { try await live.capture.soFar().samples.contains { $0 != 0 } }
      let late = try startBus(live)
      defer { late.send(signal: SIGKILL) }
      try await waitUntilOnBus(live)
      #expect(try await program.exitStatus() == 0)
      try await expectAll(source, of: live)
    }
  }

  @Test func `two that accept and never say a word hold neither the sound nor the end`() async throws {
    let source = try sound(3)
    try await withLiveDesktop { live in
      let bus = try DeafBus(at: "\(live.desktop.runtimeDirectory)/deaf")
      let environment = live.environment.merging([
        "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
      ]) { $1 }
      let program = try RunningProgram("play", file, environment: environment)
      defer { program.kill() }
      #expect(try await program.exitStatus(within: .seconds(40)) == 0)
      try await expectAll(source, of: live)
    }
  }

  @Test func `a system bus that hangs holds neither the sound nor the end`() async throws {
    let source = try sound(5)
    try await withLiveDesktop { live in
      let login = try MockedLogin(on: live)
      let bus = try await login.services.startSystemBus()
      defer { bus.send(signal: SIGCONT) }
      _ = try await login.startLogind()
      let program = try RunningProgram(playing: [file], on: live, session: "c1")
      defer { program.kill() }
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
      bus.send(signal: SIGSTOP)
      #expect(try await program.exitStatus(within: .seconds(40)) == 0)
      try await expectAll(source, of: live)
      await login.close()
    }
  }

  @Test func `a lock that was told of on a bus that dies does not keep it silent`() async throws {
    try await withLiveDesktop { live in
      let login = try MockedLogin(on: live)
      _ = try await login.startSaver(.gnome)
      try await login.tell(.gnome, isLocked: true)
      let run = try RampRun(["--on-lock", "pause"], in: folder, on: live, login)
      defer { run.program.kill() }
      try await run.waitForRate(0, because: "screenLocked")
      #expect(try await run.isSilent())
      kill(try #require(await live.desktop.processIDs["dbus-daemon"]), SIGKILL)
      try await run.waitForSound()
      #expect(run.count(of: "screenUnlocked") == 1)
      await login.close()
    }
  }
}
