import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI
@testable import AfterlockDesktop

@Suite("Playing where sinks come and go")
struct SinkLiveTests {
  @Test func `without a sink it says what it waits for, and nothing of playing`() async throws {
    let folder = try ByteNamedFolder()
    try folder.wav("a.wav", frames: 48_000)
    try await withBareDesktop(.init(sinks: [])) { desktop in
      let program = try RunningProgram("play", "\(folder.path)/a.wav", environment: desktop.environment)
      defer { program.kill() }
      try await program.waitForOutput("\n")
      #expect(program.standardOutput == "Held: waiting for a sink\n")
      try await desktop.addSink(VirtualSink())
      #expect(try await program.exitStatus() == 0)
      #expect(program.standardOutput == "Held: waiting for a sink\nPlaying: a.wav (0:01)\n")
    }
  }

  /// A line of the log, as far as these tests look at it.
  private struct LogLine: Decodable {
    let event: String
    let rate: Double?
    let reason: String?
    let origin: String
    let position: Double
    let track: String?
  }

  private func lines(of log: String) throws -> [LogLine] {
    try log.split(separator: "\n").map { try JSONDecoder().decode(LogLine.self, from: Data($0.utf8)) }
  }

  @Test func `the log ends at the track's length`() async throws {
    let folder = try ByteNamedFolder()
    try folder.wav("a.wav", frames: 48_001)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        "play", "--log", "-", "\(folder.path)/a.wav", environment: live.environment)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 0)
      let lines = try lines(of: program.standardOutput)
      for reason in ["endOfQueue", "queueEnded"] {
        let end = try #require(lines.last { $0.reason == reason })
        #expect(abs(end.position - 48_001.0 / 48_000) < 1e-6, "\(reason) at \(end.position)")
      }
    }
  }

  @Test(arguments: [(SIGINT, "viewer"), (SIGTERM, "system")])
  func `the log of a run that is ended tells of the end of the sound`(signal: Int32, origin: String)
    async throws
  {
    let folder = try ByteNamedFolder()
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        "play", "--log", "-", "\(folder.path)/a.wav", environment: live.environment)
      defer { program.kill() }
      try await program.waitForOutput("\"rate\":1")
      await live.capture.wait(frames: 24_000)
      program.signal(signal)
      #expect(try await program.exitStatus() == 128 + signal)
      let last = try #require(try lines(of: program.standardOutput).last { $0.event == "rateChange" })
      #expect(last.rate == 0 && last.origin == origin, "\(last)")
      let told = try #require(try lines(of: program.standardOutput).last { $0.reason == "pause" })
      #expect(last.position >= told.position && last.position < told.position + 1, "\(told) \(last)")
      #expect(last.track == "\(folder.path)/a.wav")
    }
  }

  @Test func `the log names the sink, and each that takes its place`() async throws {
    let folder = try ByteNamedFolder()
    try folder.wav("a.wav", frames: 8_000 * 60, rate: 8_000, channels: 1)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        "play", "--log", "-", "\(folder.path)/a.wav", environment: live.environment)
      defer { program.kill() }
      let first = "sink: \(live.sink.name)\""
      try await program.waitForOutput(first)
      // A program that leaves while the session manager owes it an answer: from then on PipeWire 0.3.65 tells nobody of
      // another default.
      let manager = try #require(await live.desktop.processIDs["wireplumber"])
      kill(manager, SIGSTOP)
      #expect(try await live.run("pw-dump", [], limit: .milliseconds(300)).timedOut)
      kill(manager, SIGCONT)
      try await live.desktop.addSink(VirtualSink(name: "second"))
      let graph = try await live.desktop.graph()
      let id = try #require(graph.node(named: "second")).id
      let otherID = try #require(graph.node(named: live.sink.name)).id
      // WirePlumber does not act on a choice that comes before it knows the new sink, nor on the same choice once more.
      try await waitUntil("the log to name the second sink", limit: .seconds(60)) {
        _ = try await live.run("wpctl", ["set-default", "\(otherID)"])
        _ = try await live.run("wpctl", ["set-default", "\(id)"])
        let patience = ContinuousClock.now + .seconds(1)
        while !program.standardOutput.contains("sink: second\""), ContinuousClock.now < patience {
          try await Task.sleep(for: .milliseconds(10))
        }
        return program.standardOutput.contains("sink: second\"")
      }
      let start = program.outputCount
      try await live.desktop.removeSink(named: "second")
      try await program.waitForOutput(first, after: start)
    }
  }

  @Test func `a server that is back without a sink is said to have none`() async throws {
    let folder = try ByteNamedFolder()
    try folder.wav("a.wav", frames: 8_000 * 60, rate: 8_000, channels: 1)
    try await withBareDesktop(.init(sinks: [])) { desktop in
      // A sink that the desktop does not know of, and does not bring back.
      let made = try await Command.run(
        "pw-cli", ["create-node", "adapter", VirtualSink(name: "once").nodeProperties],
        environment: desktop.environment)
      #expect(made.status == .code(0), "\(made.errorText)")
      let program = try RunningProgram(
        "play", "--log", "-", "\(folder.path)/a.wav", environment: desktop.environment)
      defer { program.kill() }
      try await program.waitForOutput("sink: once\"")
      try await desktop.restartServer()
      try await program.waitForOutput("\"there is no sink\"")
      #expect(!program.standardOutput.contains("unknown"))
    }
  }
}
