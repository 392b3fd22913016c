import AfterlockTestSupport
import Testing

@testable import AfterlockDesktop

@Suite("Servers of a private desktop that are killed and started again")
struct ServerDeathTests {
  @Test func `the session manager takes its sinks along, and the next one links to them`() async throws {
    try await withLiveDesktop { live in
      let before = try #require(await live.desktop.processIDs["wireplumber"])
      try await live.desktop.killSessionManager()
      #expect(!live.desktop.isRunning(before))
      #expect(try await live.desktop.graph().sinks.isEmpty)
      #expect(await live.desktop.sinks.isEmpty)
      try await live.desktop.restartSessionManager()
      #expect(await live.desktop.sinks == [live.sink])
      let pid = await live.desktop.processIDs["wireplumber"]
      #expect(pid != before)
      // Started twice there would be two.
      try await live.desktop.restartSessionManager()
      #expect(await live.desktop.processIDs["wireplumber"] == pid)
      let capture = try await SinkCapture.start(on: live.desktop)
      #expect(await capture.wait(frames: 4_800))
    }
  }

  @Test func `the session bus comes back at its address`() async throws {
    try await withLiveDesktop { live in
      let bus = "\(live.desktop.runtimeDirectory)/bus"
      try await live.desktop.killBus()
      #expect(!LocalSocket.accepts(bus))
      // Nobody takes that for a fault of the desktop's.
      _ = try await live.desktop.graph()
      try await live.desktop.restartBus()
      #expect(LocalSocket.accepts(bus))
      #expect(await live.capture.wait(frames: 4_800), "the sound has not gone with it")
    }
  }
}
