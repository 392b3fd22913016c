import AfterlockCore
import AfterlockDesktop
import AfterlockRealtime
import AfterlockTestSupport
import Testing

@testable import AfterlockPipeWire

@Suite struct SinkTests {
  @Test func `Without a sink it waits, and the whole sound comes when there is one`() async throws {
    try await withBareDesktop(.init(sinks: [])) { desktop in
      let clip = Signals.noise(frames: 30_000)
      let player = try RingPlayer(on: desktop)
      defer { player.output.close() }
      player.write(clip)
      try await player.events.wait("connected without a sink") { $0 == .connected(sink: nil) }
      try await desktop.addSink(VirtualSink(name: "late"))
      try await player.events.wait("the sink") { $0 == .routeRestored(sink: "late") }
      let capture = try await SinkCapture.start(of: VirtualSink(name: "late"), on: desktop)
      player.stream.setActive(true)
      try await player.finishAndDrain()
      let report = CaptureAnalysis.compare(try await capture.stop(), with: clip)
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test func `A stream that was active without a sink sounds when one comes, by itself`() async throws {
    try await withBareDesktop(.init(sinks: [])) { desktop in
      let player = try RingPlayer(on: desktop)
      defer { player.output.close() }
      player.write(Signals.noise(frames: 30_000))
      player.stream.setActive(true)
      try await player.events.wait("connected without a sink") { $0 == .connected(sink: nil) }
      try await desktop.addSink(VirtualSink(name: "late"))
      try await player.finishAndDrain()
      #expect(!player.events.all.contains { if case .failed = $0 { true } else { false } })
    }
  }

  @Test func `The only sink goes and comes back: both are reported and the sound goes on`() async throws {
    try await withRingPlayer(playing: Signals.noise(frames: 48_000 * 3), after: 24_000) { live, player in
      try await live.desktop.removeSink(named: live.sink.name)
      try await player.events.wait("routeLost") { $0 == .routeLost(sink: live.sink.name) }
      try await live.desktop.addSink(live.sink)
      try await player.events.wait("routeRestored") { $0 == .routeRestored(sink: live.sink.name) }
      player.output.allowOtherSink()
      player.stream.setActive(true)
      try await player.finishAndDrain()
    }
  }

  @Test func `A sink goes while another stays: the stream is held until it is started again (L5)`()
    async throws
  {
    let sinks = [VirtualSink(name: "one"), VirtualSink(name: "two")]
    try await withRingPlayer(.init(sinks: sinks), playing: Signals.noise(frames: 48_000 * 3), after: 24_000) {
      live, player in
      // Which of the two is the default at first is the session manager's choice.
      let graph = try await live.desktop.graph()
      let first = try #require(graph.linkedSink?.name)
      let other = first == "one" ? "two" : "one"
      try await live.desktop.removeSink(named: first)
      try await player.events.wait("the other sink") { $0 == .sinkChanged(other) }
      try await live.desktop.waitForGraph("the stream to be linked again") { $0.linkedSink?.name == other }
      let position = player.ring.readIndex
      let told: [AudioOutputEvent] = [
        .connected(sink: first), .sinkLost(SinkDescription(name: first)), .sinkChanged(other),
      ]
      #expect(player.events.all == told)
      // Whoever has not heard of the loss may start it at this moment.
      player.stream.setActive(true)
      try await Task.sleep(for: .milliseconds(300))
      #expect(player.ring.readIndex == position, "somebody else has heard it")
      player.output.allowOtherSink()
      player.stream.setActive(true)
      try await player.finishAndDrain()
      #expect(player.events.all == told)
    }
  }

  @Test func `The sink that is reported at first is the desktop's default, and not the first that is listed`()
    async throws
  {
    let sinks = [VirtualSink(name: "one"), VirtualSink(name: "two"), VirtualSink(name: "three")]
    try await withLiveDesktop(.init(sinks: sinks)) { live in
      let two = try #require(await live.desktop.graph().node(named: "two")).id
      _ = try await live.run("wpctl", ["set-default", String(two)])
      _ = try await live.desktop.waitForGraph("the default to be chosen") { $0.defaultSink == "two" }
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      try await player.events.waitUntilConnected()
      #expect(player.events.all == [.connected(sink: "two")])
    }
  }

  @Test func `A pinned sink gets the sound although another is the default, and its loss is a lost route`()
    async throws
  {
    let sinks = [VirtualSink(name: "default"), VirtualSink(name: "pinned")]
    try await withLiveDesktop(.init(sinks: sinks)) { live in
      let clip = Signals.noise(frames: 48_000, seed: 8)
      let capture = try await SinkCapture.start(of: sinks[1], on: live.desktop)
      let player = try RingPlayer(on: live.desktop) { $0.targetSink = "pinned" }
      defer { player.output.close() }
      player.write(clip)
      player.stream.setActive(true)
      try await player.finishAndDrain()
      let report = CaptureAnalysis.compare(try await capture.stop(), with: clip)
      #expect(report.equalsSource, "\(report)")
      player.ring.reopen()
      player.write(clip)
      try await live.desktop.removeSink(named: "pinned")
      try await player.events.wait("routeLost") { $0 == .routeLost(sink: "pinned") }
      try await live.desktop.addSink(sinks[1])
      try await player.events.wait("routeRestored") { $0 == .routeRestored(sink: "pinned") }
      player.output.allowOtherSink()
      player.stream.setActive(true)
      try await player.finishAndDrain()
      let other = try await live.captured()
      #expect(other.firstFrame == nil, "the other sink has heard something")
    }
  }

  @Test func `A stream that is made again still says when its last frame has left`() async throws {
    try await withRingPlayer(after: 4_800) { live, player in
      let isDrained = Flag()
      player.ring.finish()
      player.stream.drain { isDrained.raise() }
      let node = try #require(try await live.desktop.graph().node(named: "Afterlock"))
      _ = try await live.run("pw-cli", ["destroy", "\(node.id)"])
      try await waitUntil("the stream to be drained", limit: .seconds(60)) { isDrained.isRaised }
      #expect(player.ring.isReadToEnd)
    }
  }
}

extension PipeWireGraph {
  /// The sink that our stream is linked to.
  var linkedSink: Node? {
    guard let stream = node(named: "Afterlock") else { return nil }
    return sinks.first { sink in
      links.contains { $0.outputNode == stream.id && $0.inputNode == sink.id }
    }
  }
}
