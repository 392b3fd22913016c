import Afterlock
import AfterlockDesktop
import AfterlockTestSupport
import Glibc
import Testing

/// Judged by what both sinks have heard; the ramp says which frame is which.
@Suite("A player whose sink goes away while there is another (L5, L6, L8)")
struct RouteLossTests {
  /// A player that sounds on the first sink, and the captures of both.
  private struct Scene {
    let desktop: PrivateDesktop
    let player: Player
    let first: SinkCapture
    let second: SinkCapture
    let log: RecordingLog
    let file: String

    /// Takes the first sink away.
    func unplug() async throws { try await desktop.removeSink(named: first.sink.name) }
    /// Waits until the session manager has linked the stream to the second sink.
    func waitUntilRelinked() async throws {
      try await desktop.waitForGraph("the stream to be linked to the second sink") { graph in
        guard let stream = graph.node(named: "Afterlock"), let sink = graph.node(named: "speakers") else {
          return false
        }
        return graph.links.contains { $0.outputNode == stream.id && $0.inputNode == sink.id }
      }
    }
    /// What the second sink has had so far is silence.
    func expectSilence(
      _ frames: Int = 24_000, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      await second.wait(frames: frames)
      let heard = try await second.soFar().samples.count { $0 != 0 }
      #expect(heard == 0, "samples that are not silence", sourceLocation: sourceLocation)
    }
  }

  private func withScene(
    from sink: VirtualSink = .headset, _ policy: RouteLossPolicy = .auto,
    _ body: (Scene) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.wav", MediaFiles.wav16(Signals.ramp16(frames: 48_000 * 30)))
    try await withBareDesktop(.init(sinks: [sink, VirtualSink.speakers])) { desktop in
      try await desktop.waitForGraph("the first sink to be the default") { $0.defaultSink == sink.name }
      let first = try await SinkCapture.start(of: sink, on: desktop)
      let second = try await SinkCapture.start(of: VirtualSink.speakers, on: desktop)
      let log = RecordingLog()
      try await withPlayer(
        on: desktop,
        configure: {
          $0.policy.onRouteLoss = policy
          $0.log = log.log
        }
      ) { player in
        await player.open([QueueItem(file)])
        try await waitUntil("it sounds") { player.position.time > .milliseconds(500) }
        await wait(for: player, "the sink is known") { $0.sink == sink.name }
        try await body(
          Scene(desktop: desktop, player: player, first: first, second: second, log: log, file: file))
      }
    }
  }

  @Test("a headset is pulled: the other sink gets nothing before Play, and then the next frame")
  func headsetPulled() async throws {
    try await withScene { scene in
      let player = scene.player
      try await scene.unplug()
      await wait(for: player, "the loss is seen") { $0.suppression == .sinkLost && $0.sink == "speakers" }
      let snapshot = await player.coordinator.snapshot
      #expect(snapshot.intent == PlaybackIntent(wantsToPlay: true, origin: .viewer))
      #expect(snapshot.state == .paused)
      #expect(snapshot.lostSink == SinkDescription(name: "head", kind: .headset))
      try await scene.waitUntilRelinked()
      let before = player.position.time
      expectNear(before, try await scene.first.lastFrame())
      try await scene.expectSilence()
      #expect(player.position.time == before)
      #expect(
        scene.log.lines.contains {
          $0.contains(#""event":"route""#) && $0.contains("the headset 'head' went away")
        })
      #expect(
        scene.log.lines.contains {
          $0.contains(#""rate":0,"reason":"routeLost","origin":"system""#)
            && $0.contains(#""wantsToPlay":true"#)
        })
      player.send(.play)
      try await waitUntil("it plays on") { player.position.time > before + .milliseconds(200) }
      let heard = try await scene.second.heardRamp(from: 0)
      #expect(Duration.frames(heard.first, rate: 48_000) == before)
    }
  }

  @Test(
    "the sound follows to the next sink where it was an ordinary one, or the viewer said so",
    arguments: [(VirtualSink.ordinary, RouteLossPolicy.auto), (.headset, .follow)])
  func follows(sink: VirtualSink, policy: RouteLossPolicy) async throws {
    try await withScene(from: sink, policy) { scene in
      let player = scene.player
      try await scene.unplug()
      await wait(for: player, "the other sink plays") {
        $0.sink == "speakers" && $0.suppression.isEmpty && $0.lastRateChange?.reason == .routeRestored
      }
      let place = player.position.time
      try await waitUntil("it plays on") { player.position.time > place + .milliseconds(300) }
      let last = try await scene.first.lastFrame()
      let heard = try await scene.second.heardRamp(from: 0)
      #expect(heard.first <= last + 1, "\(heard.first - last - 1) frames are lost")
      expectNear(.frames(heard.first, rate: 48_000), last)
    }
  }

  @Test("who chose to pause is not played on to another sink, whatever it was that went")
  func pausesAlways() async throws {
    try await withScene(from: VirtualSink.ordinary, .pause) { scene in
      try await scene.unplug()
      await wait(for: scene.player, "the loss is seen") { $0.suppression == .sinkLost }
      try await scene.waitUntilRelinked()
      try await scene.expectSilence()
    }
  }

  @Test("the headset was the only sink: another one that comes starts nothing, the viewer does")
  func onlySink() async throws {
    try await withScene { scene in
      let player = scene.player
      try await scene.desktop.removeSink(named: "speakers")
      try await scene.unplug()
      await wait(for: player, "the loss is seen") { $0.suppression == [.sinkLost, .routeLost] }
      let before = player.position.time
      let next = VirtualSink(name: "next")
      try await scene.desktop.addSink(next)
      await wait(for: player, "it has a sink") { $0.suppression == .sinkLost && $0.sink == "next" }
      let capture = try await SinkCapture.start(of: next, on: scene.desktop)
      await capture.wait(frames: 24_000)
      #expect(try await capture.soFar().samples.allSatisfy { $0 == 0 })
      #expect(player.position.time == before)
      player.send(.play)
      try await waitUntil("it plays on") { player.position.time > before + .milliseconds(200) }
      #expect(Duration.frames(try await capture.heardRamp(from: 0).first, rate: 48_000) == before)
    }
  }

  @Test("the same headset comes back: it waits for the viewer's word all the same")
  func sameSinkReturns() async throws {
    try await withScene { scene in
      let player = scene.player
      try await scene.unplug()
      await wait(for: player, "the loss is seen") { $0.suppression == .sinkLost && $0.sink == "speakers" }
      try await scene.desktop.addSink(VirtualSink.headset)
      await wait(for: player, "it is back") { $0.sink == "head" }
      let capture = try await SinkCapture.start(of: VirtualSink.headset, on: scene.desktop)
      await capture.wait(frames: 24_000)
      #expect(try await capture.soFar().samples.allSatisfy { $0 == 0 })
      let before = player.position.time
      player.send(.togglePlayPause)
      try await waitUntil("it plays on") { player.position.time > before + .milliseconds(200) }
      #expect(Duration.frames(try await capture.heardRamp(from: 0).first, rate: 48_000) == before)
      try await scene.expectSilence(1)
    }
  }

  @Test("the viewer chooses another default: the sound goes on there, and nothing is heard twice")
  func otherDefault() async throws {
    try await withScene { scene in
      let player = scene.player
      let id = try #require(try await scene.desktop.graph().node(named: "speakers")).id
      let chosen = try await Command.run(
        "wpctl", ["set-default", "\(id)"], environment: scene.desktop.environment)
      #expect(chosen.status == .code(0), "\(chosen.errorText)")
      await wait(for: player, "the other sink plays") { $0.sink == "speakers" }
      let place = player.position.time
      try await waitUntil("it plays on") { player.position.time > place + .milliseconds(300) }
      let snapshot = await player.coordinator.snapshot
      #expect(snapshot.suppression.isEmpty && snapshot.lastRateChange?.reason == .setRateCalled)
      let last = try await scene.first.lastFrame()
      let heard = try await scene.second.heardRamp(from: 0)
      // What a cycle had taken when the session manager took the link away is nowhere to be heard: on a busy machine as
      // much as two have.
      #expect((1...4 * 2_048 + 1).contains(heard.first - last), "from \(last) to \(heard.first)")
    }
  }

  @Test("the server is restarted without the headset: nothing reaches the loudspeakers before Play (L7)")
  func serverWithoutHeadset() async throws {
    try await withScene { scene in
      let player = scene.player
      try await scene.desktop.killServer()
      await wait(for: player, "the server's loss is seen") { $0.suppression == .serverLost }
      let place = player.position.time
      // Gone with the server that made it, as a Bluetooth headset is that does not come back.
      try await scene.desktop.restartServer(without: "head")
      let capture = try await SinkCapture.start(of: VirtualSink.speakers, on: scene.desktop)
      await wait(for: player, "the loss is seen") { $0.suppression == .sinkLost && $0.sink == "speakers" }
      let before = player.position.time
      #expect(before == place, "somebody has heard it")
      await capture.wait(frames: 24_000)
      #expect(try await capture.soFar().samples.allSatisfy { $0 == 0 })
      player.send(.play)
      try await waitUntil("it plays on") { player.position.time > before + .milliseconds(200) }
      #expect(Duration.frames(try await capture.heardRamp(from: 0).first, rate: 48_000) == before)
    }
  }

  @Test("Play while the headset is waited for after the server's return: the loudspeakers have it (L5)")
  func playInsteadOfWaiting() async throws {
    try await withScene { scene in
      let player = scene.player
      try await scene.desktop.killServer()
      await wait(for: player, "the server's loss is seen") { $0.suppression == .serverLost }
      try await scene.desktop.restartServer(without: "head")
      await wait(for: player, "the headset is waited for") { $0.suppression == .routeLost }
      let capture = try await SinkCapture.start(of: VirtualSink.speakers, on: scene.desktop)
      let before = player.position.time
      player.send(.play)
      await wait(for: player, "it goes on") { $0.suppression.isEmpty && $0.sink == "speakers" }
      #expect(!scene.log.lines.contains { $0.contains("went away") }, "it was asked first")
      try await waitUntil("it plays on") { player.position.time > before + .milliseconds(200) }
      #expect(Duration.frames(try await capture.heardRamp(from: 0).first, rate: 48_000) == before)
    }
  }

  @Test(
    "the server is restarted, and the headset comes later: it goes on there by itself (L7)",
    arguments: [true, false])
  func headsetAfterServer(isKilled: Bool) async throws {
    try await withScene { scene in
      let player = scene.player
      // In good order it takes its sinks down first.
      if isKilled { try await scene.desktop.killServer() } else { try await scene.desktop.stopServer() }
      await wait(for: player, "the server's loss is seen") { $0.suppression.contains(.serverLost) }
      try await scene.desktop.restartServer(without: "head")
      let capture = try await SinkCapture.start(of: VirtualSink.speakers, on: scene.desktop)
      try await scene.desktop.addSink(VirtualSink.headset)
      await wait(for: player, "it goes on") { $0.suppression.isEmpty && $0.sink == "head" }
      let place = player.position.time
      try await waitUntil("it plays on") { player.position.time > place + .milliseconds(200) }
      #expect(try await capture.soFar().samples.allSatisfy { $0 == 0 })
    }
  }

  @Test("a sink that goes while the player is paused pauses nothing: Play plays")
  func lossWhilePaused() async throws {
    try await withScene { scene in
      let player = scene.player
      player.send(.pause)
      await wait(for: player, "paused") { $0.lastRateChange?.rate == 0 }
      let before = player.position.time
      try await scene.unplug()
      // A Play before that is as one before the loss: whoever said it could not know where it would sound.
      try await waitUntil("the loss is told") { scene.log.lines.contains { $0.contains("went away") } }
      let snapshot = await player.coordinator.snapshot
      #expect(snapshot.sink == "speakers" && snapshot.suppression.isEmpty)
      player.send(.play)
      try await waitUntil("it plays on") { player.position.time > before + .milliseconds(200) }
      #expect(Duration.frames(try await scene.second.heardRamp(from: 0).first, rate: 48_000) == before)
    }
  }

  @Test("without a session manager it says so, and waits", arguments: [true, false])
  func noSessionManager(isPlaying: Bool) async throws {
    try await withScene { scene in
      let player = scene.player
      let manager = try #require(await scene.desktop.processIDs["wireplumber"])
      if !isPlaying { await player.open([]) }
      kill(manager, SIGKILL)
      if !isPlaying {
        try await scene.desktop.waitForGraph("the session manager to be gone") { $0.defaultSink == nil }
        await player.open([QueueItem(scene.file)])
      }
      await wait(for: player, "it is told") { $0.suppression.contains(.noSessionManager) }
      let snapshot = await player.coordinator.snapshot
      #expect(snapshot.state == .playing && snapshot.intent.wantsToPlay)
      #expect(scene.log.lines.contains { $0.contains("no session manager runs") })
    }
  }

  @Test(
    "a link that the system takes away and puts back is no pause: it is told of, and not one frame is lost")
  func cork() async throws {
    try await withScene { scene in
      let player = scene.player
      let manager = try #require(await scene.desktop.processIDs["wireplumber"])
      // It would put the links back at once.
      kill(manager, SIGSTOP)
      defer { kill(manager, SIGCONT) }
      func link(_ channel: String, _ words: String...) async throws {
        let done = try await Command.run(
          "pw-link", words + ["Afterlock:output_\(channel)", "head:playback_\(channel)"],
          environment: scene.desktop.environment)
        #expect(done.status == .code(0), "\(done.errorText)")
      }
      // The left channel is the last to go and the first to come back, so it has all that is heard.
      for channel in ["FR", "FL"] { try await link(channel, "-d") }
      await wait(for: player, "the cork is seen") { $0.suppression == .corked }
      let snapshot = await player.coordinator.snapshot
      #expect(snapshot.state == .playing && snapshot.intent.wantsToPlay && snapshot.volume == .full)
      let before = player.position.time
      await scene.first.wait(frames: 24_000)
      #expect(player.position.time == before)
      for channel in ["FL", "FR"] { try await link(channel) }
      await wait(for: player, "the end of the cork is seen") { $0.suppression.isEmpty }
      try await waitUntil("it plays on") { player.position.time > before + .milliseconds(300) }
      let heard = try await scene.first.stop()
      let left = (0..<heard.frameCount).map { Int((heard.samples[$0 * 2] * 32_768).rounded()) }
        .filter { $0 != 0 }
      let breaks = zip(left, left.dropFirst()).filter { $1 != $0 % 16_384 + 1 }
      #expect(breaks.isEmpty, "\(breaks)")
      #expect(scene.log.lines.count { $0.contains("the session manager has") } == 2)
      #expect(scene.log.lines.count { $0.contains(#""event":"rateChange""#) } == 1)
    }
  }
}

extension VirtualSink {
  fileprivate static let headset = VirtualSink(
    name: "head", properties: ["device.form-factor": "headset", "priority.session": "2000"])
  fileprivate static let ordinary = VirtualSink(name: "first", properties: ["priority.session": "2000"])
  fileprivate static let speakers = VirtualSink(name: "speakers", properties: ["priority.session": "1000"])
}
