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
      try await player.finishAndDrain()
    }
  }

  @Test func `A sink goes while another stays: the stream moves, and only its name is reported`() async throws
  {
    let sinks = [VirtualSink(name: "one"), VirtualSink(name: "two")]
    try await withRingPlayer(.init(sinks: sinks), playing: Signals.noise(frames: 48_000 * 3), after: 24_000) {
      live, player in
      try await live.desktop.removeSink(named: "one")
      try await player.finishAndDrain()
      // Which of the two is the default at first is the session manager's choice.
      let told = player.events.all
      #expect(
        told == [.connected(sink: "one"), .sinkChanged("two")] || told == [.connected(sink: "two")], "\(told)"
      )
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

@Suite struct SinkWatchTests {
  @Test func `It prefers the pinned sink, then the default, then the oldest`() {
    var watch = SinkWatch(target: nil)
    #expect(watch.add(id: 5, name: "five") == .routeRestored(sink: "five"))
    #expect(watch.add(id: 3, name: "three") == .sinkChanged("three"))
    #expect(watch.add(id: 7, name: "seven") == nil)
    #expect(watch.setDefault(json: #"{ "name": "five" }"#) == .sinkChanged("five"))
    #expect(watch.setDefault(json: #"{ "name": "five" }"#) == nil)
    #expect(watch.current == "five")
    #expect(watch.remove(id: 7) == nil)
    #expect(watch.remove(id: 5) == .sinkChanged("three"))
    #expect(watch.remove(id: 3) == .routeLost(sink: "three"))
    var pinned = SinkWatch(target: "three")
    #expect(pinned.add(id: 5, name: "five") == nil)
    #expect(pinned.add(id: 3, name: "three") == .routeRestored(sink: "three"))
    #expect(pinned.setDefault(json: #"{ "name": "five" }"#) == nil)
    #expect(pinned.remove(id: 3) == .routeLost(sink: "three"))
  }

  @Test func `A sink that a stream is linked to is the one that plays, whichever is the default`() {
    var watch = SinkWatch(target: nil)
    #expect(watch.add(id: 3, name: "three") == .routeRestored(sink: "three"))
    #expect(watch.add(id: 5, name: "five") == nil)
    #expect(watch.setDefault(json: #"{ "name": "three" }"#) == nil)
    // Somebody else's stream, and then ours.
    #expect(watch.addLink(id: 20, from: 10, to: 5) == nil)
    #expect(watch.addLink(id: 21, from: 11, to: 5) == nil)
    #expect(watch.setStreams([11]) == .sinkChanged("five"))
    // A second link to the default is no news of another sink than that one.
    #expect(watch.addLink(id: 22, from: 11, to: 3) == .sinkChanged("three"))
    #expect(watch.remove(id: 22) == .sinkChanged("five"))
    #expect(watch.remove(id: 21) == .sinkChanged("three"))
    #expect(watch.addLink(id: 21, from: 11, to: 99) == nil)
    var pinned = SinkWatch(target: "three")
    #expect(pinned.add(id: 3, name: "three") == .routeRestored(sink: "three"))
    #expect(pinned.add(id: 5, name: "five") == nil)
    #expect(pinned.setStreams([11]) == nil)
    #expect(pinned.addLink(id: 21, from: 11, to: 5) == nil)
  }

  @Test func `It reads the default's name and nothing else`() {
    #expect(SinkWatch.name(inJSON: #"{"name":"a.b-c"}"#) == "a.b-c")
    #expect(SinkWatch.name(inJSON: #"{ "name" : "x" }"#) == "x")
    #expect(SinkWatch.name(inJSON: #"{"name":""}"#) == nil)
    #expect(SinkWatch.name(inJSON: "null") == nil)
  }

  @Test func `The socket is looked for where PipeWire's own client looks`() {
    func path(_ remote: String?, _ environment: [String: String]) -> String? {
      ServerSocket(remoteName: remote) { environment[$0] }.path
    }
    #expect(path("/a/b", [:]) == "/a/b")
    #expect(path(nil, ["XDG_RUNTIME_DIR": "/run"]) == "/run/pipewire-0")
    #expect(path(nil, ["XDG_RUNTIME_DIR": "/run", "PIPEWIRE_RUNTIME_DIR": "/pw"]) == "/pw/pipewire-0")
    #expect(path(nil, ["XDG_RUNTIME_DIR": "/run", "PIPEWIRE_REMOTE": "other"]) == "/run/other")
    #expect(path(nil, [:]) == nil)
  }
}
