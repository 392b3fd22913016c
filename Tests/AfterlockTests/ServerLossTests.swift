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

  @Test(
    "a server that ends and is started again: it goes on by itself where it was", arguments: [true, false])
  func serverRestarts(isKilled: Bool) async throws {
    try await withSoundingPlayer { live, player in
      if isKilled { try await live.desktop.killServer() } else { try await live.desktop.stopServer() }
      await wait(for: player, "the loss is seen") { $0.suppression.contains(.serverLost) }
      let (before, last) = (player.position.time, try await live.lastFrame())
      let back = try await live.desktop.restartServer()
      let capture = try await SinkCapture.start(on: live.desktop)
      let begun = capture.framesCaptured
      // What went on before the capture began is no longer than that took.
      let unheard = ContinuousClock.now - back
      await wait(for: player, "it goes on") { $0.suppression.isEmpty && $0.lastRateChange?.rate == 1 }
      await capture.wait(frames: 24_000)
      let heard = try await capture.heardRamp(from: begun)
      let first = Duration.frames(heard.first, rate: 48_000)
      #expect(first >= before - .milliseconds(50))
      #expect(first <= before + .milliseconds(50) + (heard.isFromStart ? .zero : unheard), "\(unheard)")
      expectNear(before, last)
      #expect(player.position.time > before)
    }
  }

  @Test("no server at the start is told at once, and it begins with the first frame when there is one")
  func serverComesLate() async throws {
    let folder = try TemporaryFolder()
    let file = try longFile(folder)
    try await withLiveDesktop { live in
      try await live.desktop.killServer()
      try await withPlayer(on: live) { player in
        await player.open([QueueItem(file)])
        await wait(for: player, "the loss is seen") { $0.suppression == .serverLost && $0.intent.wantsToPlay }
        #expect(await player.isConnected(within: .milliseconds(10)) == false)
        let back = try await live.desktop.restartServer()
        let capture = try await SinkCapture.start(on: live.desktop)
        let begun = capture.framesCaptured
        // What it played before the capture began is no longer than that took.
        let unheard = ContinuousClock.now - back
        await wait(for: player, "it begins") { $0.suppression.isEmpty && $0.isHeard }
        await capture.wait(frames: 24_000)
        let heard = try await capture.heardRamp(from: begun)
        let first = Duration.frames(heard.first, rate: 48_000)
        #expect(first <= (heard.isFromStart ? .zero : unheard + .milliseconds(50)), "\(first) \(unheard)")
      }
    }
  }

  @Test("a paused player stays paused over a restart of the server, and plays on from there")
  func pausedStaysPaused() async throws {
    try await withSoundingPlayer { live, player in
      player.send(.pause)
      await wait(for: player, "paused") { $0.lastRateChange?.rate == 0 }
      let before = player.position.time
      try await live.desktop.killServer()
      await wait(for: player, "the loss is seen") { $0.suppression.contains(.serverLost) && $0.sink == nil }
      try await live.desktop.restartServer()
      await wait(for: player, "the server is back") { $0.suppression.isEmpty && $0.sink != nil }
      let capture = try await SinkCapture.start(on: live.desktop)
      let begun = capture.framesCaptured
      await capture.wait(frames: 12_000)
      #expect(try await capture.soFar().samples.allSatisfy { $0 == 0 }, "a paused player made a sound")
      #expect(player.position.time == before)
      player.send(.play)
      try await waitUntil("it plays on") { player.position.time > before + .milliseconds(200) }
      let difference = Duration.frames(try await capture.heardRamp(from: begun).first, rate: 48_000) - before
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
    try await withBareDesktop(.init(sinks: [])) { desktop in
      try await withPlayer(on: desktop) { player in
        await player.open([QueueItem(file)])
        await wait(for: player, "it waits for a sink") { $0.suppression.contains(.routeLost) }
        #expect(player.position.time == .zero)
        let start = ContinuousClock.now
        try await desktop.addSink(VirtualSink())
        let capture = try await SinkCapture.start(of: VirtualSink(), on: desktop)
        let begun = capture.framesCaptured
        let unheard = ContinuousClock.now - start
        try await waitUntil("it plays") { player.position.time > .milliseconds(200) }
        let heard = try await capture.heardRamp(from: begun)
        let most = heard.isFromStart ? 0 : unheard.frames(rate: 48_000)
        #expect(heard.first <= most, "\(heard)")
      }
    }
  }

  @Test("no sink at the start, and paused meanwhile: every frame is heard from the first on")
  func noSinkAtPausedStart() async throws {
    let folder = try TemporaryFolder()
    let file = try longFile(folder)
    try await withBareDesktop(.init(sinks: [])) { desktop in
      try await withPlayer(on: desktop) { player in
        await player.open([QueueItem(file)])
        await wait(for: player, "it waits for a sink") { $0.suppression.contains(.routeLost) }
        player.send(.pause)
        try await desktop.addSink(VirtualSink())
        await wait(for: player, "it has a sink") { $0.suppression.isEmpty && $0.sink != nil }
        let capture = try await SinkCapture.start(of: VirtualSink(), on: desktop)
        let begun = capture.framesCaptured
        player.send(.play)
        try await waitUntil("it plays") { player.position.time > .milliseconds(200) }
        let heard = try await capture.heardRamp(from: begun)
        #expect(heard.isFromStart && heard.first == 0, "\(heard)")
      }
    }
  }

  @Test("the sink removed while it plays: it waits where it was, and goes on with the next sink")
  func sinkRemoved() async throws {
    try await withSoundingPlayer { live, player in
      try await live.desktop.removeSink(named: live.sink.name)
      await wait(for: player, "the loss is seen") { $0.suppression.contains(.routeLost) }
      let before = player.position.time
      let start = ContinuousClock.now
      let second = VirtualSink(name: "second")
      try await live.desktop.addSink(second)
      let capture = try await SinkCapture.start(of: second, on: live.desktop)
      let begun = capture.framesCaptured
      let unheard = ContinuousClock.now - start
      await wait(for: player, "it goes on") { $0.suppression.isEmpty && $0.lastRateChange?.rate == 1 }
      try await waitUntil("the position moves") { player.position.time > before + .milliseconds(300) }
      let heard = try await capture.heardRamp(from: begun)
      let first = Duration.frames(heard.first, rate: 48_000)
      #expect(first >= before - .milliseconds(50))
      #expect(first <= before + .milliseconds(50) + (heard.isFromStart ? .zero : unheard), "\(unheard)")
    }
  }

  @Test(
    "the sink removed, pinned or not: it goes on from what was heard last", arguments: [false, true])
  func nothingLostWithTheSink(isPinned: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = try longFile(folder)
    try await withLiveDesktop { live in
      let pinned = isPinned ? live.sink.name : nil
      try await withPlayer(on: live.desktop, configure: { $0.output.targetSink = pinned }) { player in
        await player.open([QueueItem(file)])
        try await waitUntil("it sounds") { player.position.time > .milliseconds(500) }
        try await live.desktop.removeSink(named: live.sink.name)
        await wait(for: player, "the loss is seen") { $0.suppression.contains(.routeLost) }
        let (before, last) = (player.position.time, try await live.lastFrame())
        expectNear(before, last)
        // Paused meanwhile, so that the capture has all that is heard.
        player.send(.pause)
        let next = VirtualSink(name: pinned ?? "second")
        try await live.desktop.addSink(next)
        await wait(for: player, "it has a sink") { $0.suppression.isEmpty && $0.sink == next.name }
        let capture = try await SinkCapture.start(of: next, on: live.desktop)
        let begun = capture.framesCaptured
        player.send(.play)
        try await waitUntil("it plays on") { player.position.time > before + .milliseconds(200) }
        let heard = try await capture.heardRamp(from: begun)
        #expect(heard.isFromStart)
        #expect(Duration.frames(heard.first, rate: 48_000) == before)
      }
    }
  }
}
