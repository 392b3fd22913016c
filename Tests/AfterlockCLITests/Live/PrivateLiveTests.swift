import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("Playing into a private desktop")
struct PrivateLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private func run(_ words: [String], columns: UInt16? = nil) throws -> RunningProgram {
    try RunningProgram((["play", "--private"] + words).map { Array($0.utf8) }, columns: columns)
  }

  @Test func `the sink received the source, and nothing is left behind`() async throws {
    try folder.wav("a.wav", frames: 124_000, rate: 44_100, channels: 1, seed: 1)
    try folder.wav("b.wav", frames: 12_345, rate: 44_100, channels: 1, seed: 2)
    try await DesktopPermits.shared.withPermit {
      let program = try run(["\(folder.path)/a.wav", "\(folder.path)/b.wav"])
      defer { program.kill() }
      let traces = try await DesktopTraces.wait(of: program)
      #expect(try await program.exitStatus() == 0)
      #expect(program.standardOutput.contains("The sink received 136345 frames (3.092 s) at 44100 Hz."))
      #expect(program.standardOutput.contains("Longest gap: none."))
      #expect(program.standardOutput.contains("Equal to the source: yes, all 136345 frames, bit for bit."))
      #expect(program.standardError.isEmpty)
      #expect(traces.left == [])
    }
  }

  @Test func `a folder of files that are shorter than a quantum comes without a gap`() async throws {
    for file in 100..<150 {
      try folder.wav("\(file).wav", frames: [1, 3, 100, 500][file % 4], seed: UInt64(file))
    }
    try await DesktopPermits.shared.withPermit {
      let program = try run([folder.path])
      defer { program.kill() }
      #expect(try await program.exitStatus() == 0)
      #expect(program.standardOutput.contains("Longest gap: none."))
      #expect(program.standardOutput.contains("Equal to the source: yes, all 7252 frames, bit for bit."))
    }
  }

  @Test func `what cannot be compared is not called equal`() async throws {
    try folder.wav("a.wav", frames: 9600)
    try folder.wav("b.wav", frames: 9600, rate: 44_100)
    try await DesktopPermits.shared.withPermit {
      let other = try run(["\(folder.path)/a.wav", "\(folder.path)/b.wav"])
      defer { other.kill() }
      #expect(try await other.exitStatus() == 0)
      #expect(other.standardOutput.contains("Not compared with the source: "))
      #expect(other.standardOutput.contains("b.wav has 44100 Hz and the sink 48000 Hz."))
      let softer = try run(["--volume", "50", "\(folder.path)/a.wav"])
      defer { softer.kill() }
      #expect(try await softer.exitStatus() == 0)
      #expect(softer.standardOutput.contains("Not compared with the source: the volume is not 100 %."))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `nothing is left behind after a signal either`(signal: Int32) async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await DesktopPermits.shared.withPermit {
      let program = try run(["\(folder.path)/a.wav"])
      defer { program.kill() }
      let traces = try await DesktopTraces.wait(of: program)
      try await program.waitForOutput("Playing: a.wav")
      program.signal(signal)
      #expect(try await program.exitStatus() == 128 + signal)
      #expect(
        program.standardOutput.contains("Not compared with the source: playback was stopped before the end."))
      #expect(traces.left == [])
    }
  }

  @Test(arguments: ["pipewire", "wireplumber", "dbus-daemon", "pw-record"])
  func `nothing is left behind when a server is killed, and the run ends`(server: String) async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await DesktopPermits.shared.withPermit {
      let program = try run(["\(folder.path)/a.wav"])
      defer { program.kill() }
      try await program.waitForOutput("Playing: a.wav")
      // By now all servers and the recorder run.
      let traces = try await DesktopTraces.wait(of: program)
      let victim = try #require(
        traces.processes.first { DesktopTraces.words($0).first?.hasSuffix(server) == true })
      kill(victim, SIGKILL)
      #expect(try await program.exitStatus() == 1)
      #expect(program.errorLines == ["afterlock: \(server) of the private desktop has ended"])
      #expect(traces.left == [])
    }
  }

  @Test func `a signal while the desktop is starting ends it too`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await DesktopPermits.shared.withPermit {
      let program = try run(["\(folder.path)/a.wav"])
      defer { program.kill() }
      let traces = try await DesktopTraces.wait(of: program)
      program.signal(SIGINT)
      #expect(try await program.exitStatus() == 130)
      #expect(traces.left == [])
    }
  }

  @Test func `bad files only end with 1 and start no desktop`() async throws {
    try folder.file("empty.wav", "")
    let program = try run(["\(folder.path)/empty.wav", "\(folder.path)/none"])
    defer { program.kill() }
    #expect(try await program.exitStatus() == 1)
    #expect(program.errorLines.count == 2)
    #expect(program.standardOutput.isEmpty)
  }
}

/// The processes and the folder of a private desktop that a program has started.
struct DesktopTraces {
  let processes: [pid_t]
  let folder: String

  /// Waits until the desktop's servers run, on a thread of its own: on a busy machine the tasks of the tests may get no
  /// turn in the seconds in which they do.
  static func wait(of program: RunningProgram) async throws -> DesktopTraces {
    let found = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let deadline = ContinuousClock.now + .seconds(60)
        var traces: DesktopTraces?
        while traces == nil, ContinuousClock.now < deadline {
          traces = now(of: program)
          usleep(3_000)
        }
        continuation.resume(returning: traces)
      }
    }
    guard let found else {
      throw TestFailure(
        "the private desktop's servers did not start\n\(program.standardOutput)\n\(program.standardError)")
    }
    return found
  }

  /// `nil` until two servers run.
  private static func now(of program: RunningProgram) -> DesktopTraces? {
    guard
      let shell = program.children.first(where: { words($0).contains("afterlock-desktop") })
    else { return nil }
    let servers = RunningProgram.children(of: shell)
    guard servers.count >= 2 else { return nil }
    return DesktopTraces(processes: [shell] + servers, folder: words(shell).last ?? "")
  }

  /// What is still there.
  var left: [String] {
    let alive = processes.filter { kill($0, 0) == 0 }.map { "process \($0)" }
    return alive + (FileManager.default.fileExists(atPath: folder) ? [folder] : [])
  }

  static func words(_ pid: pid_t) -> [String] {
    let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
    return line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
