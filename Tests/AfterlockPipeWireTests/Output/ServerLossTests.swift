import AfterlockCore
import AfterlockDesktop
import AfterlockRealtime
import AfterlockTestSupport
import Glibc
import Testing

@testable import AfterlockPipeWire

@Suite struct ServerLossTests {
  @Test(arguments: [true, false])
  func `A server that goes is reported, and when it is back the ring plays on where it stood`(
    isKilled: Bool
  ) async throws {
    let clip = Signals.noise(frames: 48_000 * 4, seed: 3)
    try await withRingPlayer(playing: clip, after: 48_000) { live, player in
      player.ring.finish()
      if isKilled { try await live.desktop.killServer() } else { try await live.desktop.stopServer() }
      try await player.events.wait("serverLost") { $0 == .serverLost }
      let position = player.ring.readIndex
      #expect(player.stream.latencyFrames == 0)
      // A quantum at least had been read and was on its way; it is the engine's to play it again.
      #expect(player.stream.unheardFrames >= 1_024)
      try await live.desktop.restartServer()
      try await player.events.waitUntilRestored()
      #expect(player.ring.readIndex == position, "nothing is read while there is nobody to hear it")
      #expect(player.stream.unheardFrames >= 1_024, "nobody has taken it back yet")
      let second = try await SinkCapture.start(on: live.desktop)
      player.stream.setActive(true)
      #expect(player.stream.unheardFrames == 0, "whoever starts it has taken it back")
      try await player.finishAndDrain()
      let heard = try await second.stop()
      let rest = clip.part(Int(position)..<clip.frameCount)
      #expect(CaptureAnalysis.compare(heard, with: rest).equalsSource)
    }
  }

  @Test func `What was on its way is known though the stream went before the server`() async throws {
    try await withRingPlayer(after: 48_000) { live, player in
      let node = try #require(try await live.desktop.graph().node(named: "Afterlock"))
      _ = try await live.run("pw-cli", ["destroy", "\(node.id)"])
      // A server that ends takes its nodes down first. The stream is made again, and nobody is left to link it.
      kill(try #require(await live.desktop.processIDs["wireplumber"]), SIGSTOP)
      try await Task.sleep(for: .milliseconds(600))
      try await live.desktop.killServer()
      try await player.events.wait("serverLost") { $0 == .serverLost }
      #expect(player.stream.unheardFrames >= 1_024)
    }
  }

  @Test func `A server that has sounded is lost, though it had not listed its sinks`() async throws {
    try await withLiveDesktop { live in
      // The sinks are asked for long after the first frame.
      let player = try RingPlayer(on: live.desktop) { $0.watchDelay = .seconds(300) }
      defer { player.output.close() }
      player.write(Signals.noise(frames: 48_000))
      player.stream.setActive(true)
      try await waitUntil("the first frames") { player.ring.readIndex > 0 }
      #expect(player.events.all.isEmpty)
      try await live.desktop.killServer()
      try await player.events.wait("serverLost") { $0 == .serverLost }
      #expect(player.stream.unheardFrames > 0)
    }
  }

  /// How soon, the benchmark measures.
  @Test func `Sound goes on by itself after the server is back`() async throws {
    try await withRingPlayer(after: 10_000) { live, player in
      try await live.desktop.killServer()
      try await player.events.wait("serverLost") { $0 == .serverLost }
      let position = player.ring.readIndex
      async let back = live.desktop.restartServer()
      try await player.events.waitUntilRestored()
      player.stream.setActive(true)
      try await waitUntil("sound again") { player.ring.readIndex > position }
      _ = try await back
    }
  }

  @Test func `Without a server it waits, and connects when there is one`() async throws {
    try await withLiveDesktop { live in
      try await live.desktop.stopServer()
      let clip = Signals.noise(frames: 20_000)
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      player.write(clip)
      player.stream.setActive(true)
      try await player.events.wait("serverMissing") { $0 == .serverMissing }
      try await live.desktop.restartServer()
      try await player.events.waitUntilConnected()
      try await player.finishAndDrain()
      #expect(player.ring.isReadToEnd)
      #expect(!player.events.all.contains(.serverLost), "there was none to lose")
    }
  }

  @Test func `A server that goes before it has listed its sinks is no news, and the next one gets the sound`()
    async throws
  {
    try await withLiveDesktop { live in
      let manager = try #require(await live.desktop.processIDs["wireplumber"])
      kill(manager, SIGSTOP)
      let clip = Signals.noise(frames: 48_000)
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      player.stream.setActive(true)
      try await waitUntil("the stream's connection") { try await player.roundTrip() }
      let isDrained = Flag()
      player.stream.drain { isDrained.raise() }
      #expect(player.events.all.isEmpty)
      try await live.desktop.killServer()
      try await waitUntil("the loss to be seen") { try await !player.roundTrip() }
      try await live.desktop.restartServer()
      try await player.events.waitUntilConnected()
      #expect(!player.events.all.contains(.serverLost), "nobody knew of it")
      let capture = try await SinkCapture.start(on: live.desktop)
      player.write(clip)
      player.ring.finish()
      try await waitUntil("the stream to be drained", limit: .seconds(60)) { isDrained.isRaised }
      let report = CaptureAnalysis.compare(try await capture.stop(), with: clip)
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test func `Any error of the connection is the server's loss, and no other error is`() async throws {
    try await withLiveDesktop { live in
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      let connection = try #require(player.stream as? PipeWireStream).connection
      try await player.events.waitUntilConnected()
      for (id, error) in [(0, ENOENT), (0, EINVAL), (0, EPERM), (7, EPIPE)] as [(UInt32, Int32)] {
        connection.withLock { connection.coreError(id: id, result: -error) }
        #expect(try await player.roundTrip(), "\(id), \(error)")
      }
      #expect(player.events.all.count == 1)
      for error in [EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN, EBADF, EPROTO] {
        let told = player.events.all.count
        connection.withLock { connection.coreError(id: 0, result: -error) }
        try await player.events.wait("the loss after error \(error)", after: told) { $0 == .serverLost }
        try await player.events.wait("the server after error \(error)", after: told) {
          if case .serverRestored = $0 { true } else { false }
        }
      }
    }
  }

  @Test func `Streams can be used on other threads while the output is closed`() async throws {
    try await withLiveDesktop { live in
      for _ in 1...20 {
        let player = try RingPlayer(on: live.desktop)
        try await waitUntil("the stream's connection") { try await player.roundTrip() }
        let isOver = Flag()
        async let use: Void = withTaskGroup(of: Void.self) { group in
          for _ in 1...2 {
            group.addTask {
              while !isOver.isRaised {
                player.stream.setTitle("Other")
                player.output.setVolume(.full)
                player.stream.setActive(true)
                await Task.yield()
              }
            }
          }
        }
        try await Task.sleep(for: .milliseconds(1))
        player.output.close()
        isOver.raise()
        await use
      }
    }
  }

  @Test func `It can be closed while the server is away, and twice`() async throws {
    try await withRingPlayer(playing: Signals.noise(frames: 48_000)) { live, player in
      try await live.desktop.killServer()
      try await player.events.wait("serverLost") { $0 == .serverLost }
      player.output.close()
      let count = player.events.all.count
      player.output.close()
      player.stream.close()
      try await live.desktop.restartServer()
      #expect(player.events.all.count == count, "nothing is reported after close")
      player.stream.setActive(true)
      player.stream.setTitle("Late")
      player.stream.drain {}
      player.output.setVolume(.full)
      _ = try player.output.makeStream(format: player.stream.format, ring: player.ring, title: nil)
      player.output.close()
      #expect(player.events.all.count == count, "nothing is reported after close")
    }
  }
}
