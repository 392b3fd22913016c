import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI
@testable import AfterlockDesktop

/// Judged by the captured sound, by what other programs are told, and by the log.
@Suite("Playing where a headset is pulled and the system interferes (L4, L5, L8)")
struct RouteLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private static let headset = VirtualSink(
    name: "head", properties: ["device.form-factor": "headset", "priority.session": "2000"])
  private static let speakers = VirtualSink(name: "speakers", properties: ["priority.session": "1000"])

  /// Runs the player on a minute of sound, and the body once it is on the bus and heard at the desktop's first sink.
  private func withPlayer(
    _ sinks: [VirtualSink] = [VirtualSink()], _ more: [String] = [], columns: UInt16? = nil,
    _ body: (LiveDesktop, RunningProgram) async throws -> Void
  ) async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop(.init(sinks: sinks)) { live in
      try await live.desktop.waitForGraph("the default sink") { $0.defaultSink == sinks[0].name }
      let program = try RunningProgram(playing: more + ["\(folder.path)/a.wav"], on: live, columns: columns)
      defer { program.kill() }
      try await waitUntil("the player to be on the bus and to play") {
        try await playerctl(live, "status") == "Playing"
      }
      try await waitUntil("sound") { try await live.capture.soFar().samples.contains { $0 != 0 } }
      try await body(live, program)
    }
  }

  private func playerctl(_ live: LiveDesktop, _ words: String...) async throws -> String {
    let output = try await live.run("playerctl", ["-p", "afterlock"] + words)
    return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Whether frames that come in from now on are all silence.
  private func isSilent(_ capture: SinkCapture, for frames: Int = 24_000) async throws -> Bool {
    let before = capture.framesCaptured
    await capture.wait(frames: frames)
    return try await capture.soFar().samples.dropFirst(before * capture.sink.channels.count)
      .allSatisfy { $0 == 0 }
  }

  @Test func `a headset is pulled: other programs see a pause, and playerctl's play goes on elsewhere`()
    async throws
  {
    try await withPlayer([Self.headset, Self.speakers], ["--log", "-"]) { live, program in
      let other = try await SinkCapture.start(of: Self.speakers, on: live.desktop)
      try await live.desktop.removeSink(named: "head")
      try await program.waitForOutput("the headset 'head' went away")
      try await waitUntil("the pause") { try await playerctl(live, "status") == "Paused" }
      #expect(try await isSilent(other))
      #expect(try await other.soFar().samples.allSatisfy { $0 == 0 }, "the other sink has had something")
      #expect(try await playerctl(live, "play") == "")
      #expect(try await playerctl(live, "status") == "Playing")
      try await waitUntil("sound") { try await other.soFar().samples.contains { $0 != 0 } }
    }
  }

  @Test func `the terminal says what went away, and space goes on`() async throws {
    try await withPlayer([Self.headset, Self.speakers], columns: 120) { live, program in
      let other = try await SinkCapture.start(of: Self.speakers, on: live.desktop)
      try await live.desktop.removeSink(named: "head")
      try await program.waitForOutput("the headset 'head' went away; press space to go on")
      #expect(try await isSilent(other))
      program.type(" ")
      try await waitUntil("sound") { try await other.soFar().samples.contains { $0 != 0 } }
    }
  }

  @Test func `the option to follow is obeyed`() async throws {
    try await withPlayer([Self.headset, Self.speakers], ["--on-route-loss", "follow"]) { live, _ in
      let other = try await SinkCapture.start(of: Self.speakers, on: live.desktop)
      try await live.desktop.removeSink(named: "head")
      try await waitUntil("sound") { try await other.soFar().samples.contains { $0 != 0 } }
      #expect(try await playerctl(live, "status") == "Playing")
    }
  }

  @Test func `a Pause by WirePlumber is answered when nothing runs any more, and is not the viewer's`()
    async throws
  {
    try await withPlayer([VirtualSink()], ["--log", "-"]) { live, program in
      try await SessionManager(in: folder).call("Pause", on: live)
      let state = try await live.desktop.graph().node(named: "Afterlock")?.state
      #expect(state != "running", "it had its answer before the stream was inactive")
      #expect(try await playerctl(live, "status") == "Paused")
      #expect(try await isSilent(live.capture))
      let line = try #require(
        program.standardOutput.split(separator: "\n").first { $0.contains("\"program\":\"wireplumber\"") })
      for part in [
        "\"event\":\"route\"", "\"reason\":\"routeLost\"", "\"origin\":\"system\"", "\"wantsToPlay\":true",
        "\"suppression\":[\"sinkLost\"]",
      ] { #expect(line.contains(part), "\(line)") }
      let told = try await live.run(try AfterlockProgram.path(), ["why"]).text
      #expect(
        told.contains(#/^paused by the system \(wireplumber, process \d+\): the sink went away at /#),
        "\(told)")
      try await SessionManager(in: folder).call("Play", on: live)
      #expect(try await playerctl(live, "status") == "Paused", "it is no viewer")
      #expect(try await playerctl(live, "play") == "")
      try await waitUntil("sound again") { try await !isSilent(live.capture, for: 4_800) }
    }
  }

  @Test func `a Pause by WirePlumber beside the loss of a headset pauses once`() async throws {
    try await withPlayer([Self.headset, Self.speakers], ["--log", "-"]) { live, program in
      let other = try await SinkCapture.start(of: Self.speakers, on: live.desktop)
      try await live.desktop.removeSink(named: "head")
      try await SessionManager(in: folder).call("Pause", on: live)
      try await program.waitForOutput("the headset 'head' went away")
      #expect(try await isSilent(other))
      let stops = program.standardOutput.components(separatedBy: "\"event\":\"rateChange\",\"rate\":0,")
      #expect(stops.count == 2, "\(program.standardOutput)")
      #expect(try await playerctl(live, "play") == "")
      try await waitUntil("sound") { try await other.soFar().samples.contains { $0 != 0 } }
    }
  }

  @Test func `a ducked sink leaves the viewer's volume alone, also for the next stream`() async throws {
    try await withPlayer([VirtualSink()], ["--volume", "80", "--log", "-"]) { live, program in
      let sink = try #require(try await live.desktop.graph().node(named: live.sink.name)).id
      _ = try await live.run("wpctl", ["set-volume", "\(sink)", "0.3"])
      try await waitUntil("the duck") {
        try await live.run("wpctl", ["get-volume", "\(sink)"]).text.contains("0.30")
      }
      await live.capture.wait(frames: 12_000)
      #expect(try await playerctl(live, "volume") == "0.800000")
      try await live.desktop.killServer()
      try await program.waitForOutput("\"serverLost\"")
      try await live.desktop.restartServer()
      let graph = try await live.desktop.waitForGraph("the stream") { $0.node(named: "Afterlock") != nil }
      let stream = try #require(graph.node(named: "Afterlock")).id
      try await waitUntil("80 % in the mixer") {
        try await live.run("wpctl", ["get-volume", "\(stream)"]).text.contains("0.80")
      }
      #expect(try await playerctl(live, "volume") == "0.800000")
    }
  }
}
