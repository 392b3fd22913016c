import Afterlock
import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@Suite("A player whose sound server or sink goes away (L6, L7)")
struct ServerLossTests {
  private func longFile(_ folder: TemporaryFolder) throws -> String {
    try folder.write("a.wav", MediaFiles.wav16(Signals.ramp16(frames: 48_000 * 30)))
  }

  /// Begins the test half a second into the long file.
  private func withSoundingPlayer(_ body: (LiveDesktop, Player) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let file = try longFile(folder)
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open([QueueItem(file)])
        try await waitUntil("it sounds") { player.position.time > .milliseconds(500) }
        try await body(live, player)
      }
    }
  }

  @Test("a killed and restarted server: it goes on by itself where it was")
  func serverRestarts() async throws {
    try await withSoundingPlayer { live, player in
      try await live.desktop.killServer()
      await wait(for: player, "the loss is seen") { $0.suppression.contains(.serverLost) }
      let before = player.position.time
      try await live.desktop.restartServer()
      let capture = try await SinkCapture.start(on: live.desktop)
      await wait(for: player, "it goes on") { $0.suppression.isEmpty && $0.lastRateChange?.rate == 1 }
      await capture.wait(frames: 24_000)
      let heard = try await capture.stop()
      let place = try #require(
        (0..<heard.frameCount).first { Signals.frame(at: $0, of: heard) != nil }, "no sound came back")
      let frames = (place..<heard.frameCount).compactMap { Signals.frame(at: $0, of: heard) }
      let isOnePiece = frames == Array(frames[0]..<frames[0] + frames.count)
      #expect(isOnePiece)
      // The capture begins when the sink is there, so the sound may have gone on a little by then.
      #expect(Duration.frames(Int64(frames[0]), rate: 48_000) >= before - .milliseconds(50))
      #expect(player.position.time > before)
    }
  }

  @Test("a paused player stays paused over a restart of the server, and plays on from there")
  func pausedStaysPaused() async throws {
    try await withSoundingPlayer { live, player in
      player.send(.pause)
      await wait(for: player, "paused") { $0.lastRateChange?.rate == 0 }
      let before = player.position.time
      try await live.desktop.restartServer()
      await wait(for: player, "the server is back") { $0.suppression.isEmpty && $0.sink != "" }
      let capture = try await SinkCapture.start(on: live.desktop)
      await capture.wait(frames: 12_000)
      #expect(try await capture.soFar().samples.allSatisfy { $0 == 0 }, "a paused player made a sound")
      #expect(player.position.time == before)
      player.send(.play)
      try await waitUntil("it plays on") { player.position.time > before + .milliseconds(200) }
      let heard = try await capture.stop()
      let first = try #require(
        (0..<heard.frameCount).lazy.compactMap { Signals.frame(at: $0, of: heard) }.first)
      let difference = Duration.frames(Int64(first), rate: 48_000) - before
      #expect(difference <= .milliseconds(50) && difference >= .milliseconds(-50), "\(difference)")
    }
  }

  @Test("what was decided is carried out when it is settled, and a server that hangs does not settle it")
  func settles() async throws {
    try await withSoundingPlayer { live, player in
      await player.coordinator.handle(.pause, origin: .viewer)
      #expect(await player.isSettled(within: .seconds(20)))
      #expect(await player.coordinator.snapshot.lastRateChange?.rate == 0)
      let server = try #require(await live.desktop.processIDs["pipewire"])
      kill(server, SIGSTOP)
      let start = ContinuousClock.now
      #expect(await !player.isSettled(within: .milliseconds(50)))
      #expect(ContinuousClock.now - start < .seconds(10))
      kill(server, SIGCONT)
      #expect(await player.isSettled(within: .seconds(20)))
    }
  }

  @Test("no sink at the start: it waits, and begins with the first frame when there is one")
  func noSinkAtStart() async throws {
    let folder = try TemporaryFolder()
    let file = try longFile(folder)
    let desktop = try await PrivateDesktop.start(.init(sinks: []))
    var configuration = Player.Configuration()
    configuration.output.remoteName = desktop.socketPath
    let player = Player(configuration)
    await player.open([QueueItem(file)])
    await wait(for: player, "it waits for a sink") { $0.suppression.contains(.routeLost) }
    #expect(player.position.time == .zero)
    try await desktop.addSink(VirtualSink())
    try await waitUntil("it plays") { player.position.time > .milliseconds(200) }
    await player.close()
    await desktop.close()
  }

  @Test("the sink removed while it plays: it waits where it was, and goes on with the next sink")
  func sinkRemoved() async throws {
    try await withSoundingPlayer { live, player in
      try await live.desktop.removeSink(named: live.sink.name)
      await wait(for: player, "the loss is seen") { $0.suppression.contains(.routeLost) }
      let before = player.position.time
      try await live.desktop.addSink(VirtualSink(name: "second"))
      await wait(for: player, "it goes on") { $0.suppression.isEmpty && $0.lastRateChange?.rate == 1 }
      try await waitUntil("the position moves") { player.position.time > before + .milliseconds(300) }
      #expect(player.position.time < before + .seconds(20), "nothing was skipped")
    }
  }
}
