import Afterlock
import AfterlockDesktop
import AfterlockTestSupport
import Testing

@Suite("A player whose session manager goes away, and its sinks with it (L6)")
struct ManagerLossTests {
  @Test("it goes on by itself where it was when there is another one, each time")
  func goesOn() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.wav", MediaFiles.wav16(Signals.ramp16(frames: 48_000 * 60)))
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open([QueueItem(file)])
        try await waitUntil("it sounds") { player.position.time > .milliseconds(500) }
        // The first one may be lucky: a stream that was refused meanwhile is made anew anyway.
        for _ in 0..<3 {
          try await live.desktop.killSessionManager()
          await wait(for: player, "the loss is seen") { $0.suppression.contains(.routeLost) }
          let before = player.position.time
          try await live.desktop.restartSessionManager()
          let capture = try await SinkCapture.start(on: live.desktop)
          try await waitUntil("it goes on") { player.position.time > before + .milliseconds(200) }
          let first = Duration.frames(try await capture.heardRamp(from: 0).first, rate: 48_000)
          #expect(first >= before - .milliseconds(50) && first <= player.position.time)
        }
      }
    }
  }

  @Test("who has paused, or was paused by the loss of a headset, is not played on by another one (L5)")
  func startsNothing() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.wav", MediaFiles.wav16(Signals.ramp16(frames: 48_000 * 60)))
    let headset = VirtualSink(name: "head", properties: ["device.form-factor": "headset"])
    try await withLiveDesktop(.init(sinks: [headset])) { live in
      try await withPlayer(on: live) { player in
        await player.open([QueueItem(file)])
        for isPaused in [false, true] {
          player.send(.play)
          let start = player.position.time
          try await waitUntil("it sounds") { player.position.time > start + .milliseconds(300) }
          if isPaused {
            player.send(.pause)
            await wait(for: player, "paused") { $0.lastRateChange?.rate == 0 }
          }
          try await live.desktop.killSessionManager()
          let causes: PlaybackSuppression = isPaused ? .routeLost : [.routeLost, .sinkLost]
          await wait(for: player, "the loss is seen") { $0.suppression == causes }
          let before = player.position.time
          if !isPaused { expectNear(before, try await live.lastFrame()) }
          try await live.desktop.restartSessionManager()
          let capture = try await SinkCapture.start(on: live.desktop)
          try await live.desktop.waitForGraph("the stream to be linked") { graph in
            guard let stream = graph.node(named: "Afterlock") else { return false }
            return graph.links.contains { $0.outputNode == stream.id }
          }
          await capture.wait(frames: 24_000)
          #expect(try await capture.soFar().samples.allSatisfy { $0 == 0 })
          #expect(player.position.time == before)
        }
      }
    }
  }
}
