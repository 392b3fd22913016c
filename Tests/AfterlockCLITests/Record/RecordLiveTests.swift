import AfterlockCore
import AfterlockScenarios
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI
@testable import AfterlockDesktop

/// Real sessions, recorded by the real program, and played again in virtual time.
@Suite("Recording a session as a scenario")
struct RecordLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private static let headset = VirtualSink(
    name: "head", properties: ["device.form-factor": "headset", "priority.session": "2000"])
  private static let speakers = VirtualSink(name: "speakers", properties: ["priority.session": "1000"])

  private var scenarioPath: String { "\(folder.path)/s.json5" }
  private var logPath: String { "\(folder.path)/log.jsonl" }
  private var log: [PlaybackLogLine] {
    ((try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "").split(separator: "\n").compactMap {
      PlaybackLogLine(json: $0.utf8)
    }
  }

  /// Waits for a new line of the log behind the first `count`.
  private func wait(
    _ what: String, after count: Int = 0, _ holds: (PlaybackLogEntry) -> Bool
  ) async throws {
    try await waitUntil("\(what) in the log:\n\(log.map(\.json).joined())") {
      log.dropFirst(count).contains { holds($0.entry) }
    }
  }

  private func control(_ live: LiveDesktop, _ words: String...) async throws {
    _ = try await live.run("playerctl", ["-p", "afterlock"] + words)
  }

  /// Runs the scenario that was written, and expects the same decisions as in the log.
  private func expectSameDecisions() async throws {
    let scenario = try ScenarioFile.read(scenarioPath)
    let result = await ScenarioRunner().run(scenario)
    #expect(result.failures.isEmpty, "\(result.failures)\n\(scenario.json5)\n\(log.map(\.json).joined())")
    let session = try #require(RecordedSession(log))
    #expect(session.scenario.json5 == scenario.json5)
    let comparison = ReplayComparison(recorded: session.lines, replayed: result.timeline.log)
    #expect(
      comparison.firstDifference == nil,
      "\(comparison.firstDifference.map(\.description) ?? "")\n\(scenario.json5)\n\(log.map(\.json).joined())"
    )
  }

  @Test func `pauses, a lost headset and a restarted server decide the same when they are played again`()
    async throws
  {
    for name in ["a.wav", "b.wav"] { try folder.wav(name, frames: 48_000 * 60) }
    try await withLiveDesktop(.init(sinks: [Self.headset, Self.speakers])) { live in
      try await live.desktop.waitForGraph("the default sink") { $0.defaultSink == "head" }
      let program = try RunningProgram(
        playing: [
          "--record", scenarioPath, "--log", logPath, "\(folder.path)/a.wav", "\(folder.path)/b.wav",
        ], on: live)
      defer { program.kill() }
      try await wait("the first track") { $0.event == .track }
      try await wait("the sink") { $0.message == "sink: head" }
      try await waitUntil("the player on the bus") {
        try await live.run("playerctl", ["-p", "afterlock", "status"]).text.contains("Playing")
      }
      var count = log.count
      func rate(_ rate: Double) async throws {
        try await wait("rate \(rate)", after: count) { $0.event == .rateChange && $0.rate == rate }
        count = log.count
      }
      try await control(live, "pause")
      try await rate(0)
      try await control(live, "play")
      try await rate(1)
      try await control(live, "next")
      try await wait("the next track", after: count) { $0.event == .track && $0.reason == nil }
      count = log.count
      try await live.desktop.removeSink(named: "head")
      try await wait("the loss", after: count) { $0.reason == "sinkLost" }
      try await rate(0)
      try await control(live, "play")
      try await rate(1)
      try await live.desktop.killServer()
      try await rate(0)
      try await live.desktop.restartServer()
      try await rate(1)
      program.signal(SIGTERM)
      #expect(try await program.exitStatus() == 143)
      #expect(program.standardError.isEmpty, "\(program.standardError)")
      try await expectSameDecisions()
      let told = try await live.run(
        try AfterlockProgram.path(), ["scenario", "from-log", logPath])
      #expect(told.text == (try String(contentsOfFile: scenarioPath, encoding: .utf8)))
    }
  }

  @Test func `Ctrl-C writes the file, also on a private desktop, and the list's end does`() async throws {
    for name in ["a.wav", "b.wav"] { try folder.wav(name, frames: 48_000) }
    try await DesktopPermits.shared.withPermit {
      for isStopped in [true, false] {
        let more = isStopped ? ["--loop", "playlist"] : []
        let words =
          ["play", "--private", "--record", scenarioPath, "--log", logPath] + more
          + ["\(folder.path)/a.wav", "\(folder.path)/b.wav"]
        let program = try RunningProgram(words.map { Array($0.utf8) })
        defer { program.kill() }
        if isStopped {
          try await waitUntil("both tracks") { log.count { $0.entry.event == .track } > 2 }
          program.signal(SIGINT)
        }
        #expect(try await program.exitStatus() == (isStopped ? 130 : 0))
        try await expectSameDecisions()
        let scenario = try ScenarioFile.read(scenarioPath)
        #expect(scenario.expectations.last == .outcome(isStopped ? .plays : .ended))
      }
    }
  }
}
