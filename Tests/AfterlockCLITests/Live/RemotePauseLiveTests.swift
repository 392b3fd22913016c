import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockDesktop

/// What others' words and hands do to the sound, frame by frame: pauses from afar, and what the system does to a stream
/// without the viewer (L4, L8).
@Suite("Paused from afar, and turned down by the system")
struct RemotePauseLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private static let name = "org.mpris.MediaPlayer2.afterlock"
  private static let path = "/org/mpris/MediaPlayer2"

  private func withRun(
    _ options: [String] = [], _ body: (RampRun) async throws -> Void
  ) async throws {
    try await withLiveDesktop { live in
      let login = try MockedLogin(on: live)
      let run = try RampRun(options, in: folder, on: live, login)
      defer { run.program.kill() }
      let result = await Result {
        try await run.waitForSound()
        try await waitUntil("the player to be on the bus") {
          (try? await property("PlaybackStatus", run)) == .string("Playing")
        }
        try await body(run)
      }
      await login.close()
      try result.get()
    }
  }

  private func property(_ name: String, _ run: RampRun) async throws -> BusValue? {
    let answer = try await run.login.sessionBus.call(
      "Get", of: "org.freedesktop.DBus.Properties", at: Self.path, on: Self.name,
      [.string(MPRISFacts.player), .string(name)])
    return if case .variant(let value)? = answer.first { value } else { nil }
  }

  private func call(_ member: String, _ run: RampRun) async throws {
    try await run.login.sessionBus.call(member, of: MPRISFacts.player, at: Self.path, on: Self.name)
  }

  @Test func `who has the answer to a Pause hears nothing more, and the position is the next frame`()
    async throws
  {
    try await withRun { run in
      let capture = run.live.capture
      let quantum = try #require(run.live.desktop.configuration.quantum)
      for _ in 1...4 {
        try await call("Pause", run)
        let answered = capture.framesCaptured
        let position = try await property("Position", run)
        await capture.wait(frames: 24_000)
        let middle = capture.framesCaptured
        try await call("Play", run)
        try await run.waitForSound()
        let (end, start) = try await run.edges(around: middle)
        // The capture's file is behind the sink by a cycle or two.
        #expect(end.captured - answered <= 3 * quantum, "heard for \(end.captured - answered) frames")
        #expect(start.number == end.number + 1, "it goes on with the next frame")
        #expect(position == .int64(Duration.frames(Int64(end.number + 1), rate: 48_000).microseconds))
      }
    }
  }

  @Test func `no Pause is answered while its stream may still sound`() async throws {
    try await withRun { run in
      let server = try #require(await run.live.desktop.processIDs["pipewire"])
      kill(server, SIGSTOP)
      let before = ContinuousClock.now
      let result = await Result { try await call("Pause", run) }
      let answered = ContinuousClock.now
      kill(server, SIGCONT)
      try result.get()
      // A server that hangs does not hold the answer for ever; until then nobody knows that the stream is inactive.
      #expect(answered - before >= .milliseconds(900), "answered after \(answered - before)")
      #expect(try await property("PlaybackStatus", run) == .string("Paused"))
      #expect(try await run.isSilent())
    }
  }

  @Test func `who follows lost sinks is not paused by the session manager, and not one frame is missing`()
    async throws
  {
    try await withRun(["--on-route-loss", "follow"]) { run in
      let capture = run.live.capture
      let start = capture.framesCaptured
      try await SessionManager(in: folder).call("Pause", on: run.live)
      #expect(try await property("PlaybackStatus", run) == .string("Playing"))
      await capture.wait(frames: 24_000)
      #expect(try await run.isOnePiece(from: start, to: capture.framesCaptured))
      #expect(run.lines.contains { $0.contains("\"program\":\"wireplumber\"") }, "it is told of")
    }
  }

  @Test func `a sink that is turned down and up is no pause and no volume of the viewer's`() async throws {
    try await withRun { run in
      let (live, capture) = (run.live, run.live.capture)
      let start = capture.framesCaptured
      let sink = try #require(try await live.desktop.graph().node(named: live.sink.name)).id
      func turn(to level: String) async throws {
        _ = try await live.run("wpctl", ["set-volume", "\(sink)", level])
        try await waitUntil("the level \(level)") {
          try await live.run("wpctl", ["get-volume", "\(sink)"]).text.contains(level)
        }
        await capture.wait(frames: 24_000)
      }
      try await turn(to: "0.30")
      #expect(try await property("Volume", run) == .double(1))
      #expect(try await property("PlaybackStatus", run) == .string("Playing"))
      try await turn(to: "1.00")
      #expect(try await property("Volume", run) == .double(1))
      let clip = try await capture.soFar()
      let end = clip.frameCount - 4_096
      let (first, last) = (Signals.frame(at: start, of: clip), Signals.frame(at: end, of: clip))
      #expect(try #require(last) - #require(first) == end - start, "no frame is missing or heard twice")
      #expect((start..<end).allSatisfy { clip.samples[$0 * 2] != 0 })
    }
  }
}
