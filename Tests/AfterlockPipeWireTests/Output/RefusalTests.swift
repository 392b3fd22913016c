import AfterlockCore
import AfterlockDesktop
import AfterlockRealtime
import AfterlockTestSupport
import CPipeWire
import Glibc
import Testing

@testable import AfterlockPipeWire

@Suite struct RefusalTests {
  /// Lets the session manager refuse the stream, and the stream be made again for it.
  private func refuse(_ stream: PipeWireStream, times: Int, then last: pw_stream_state? = nil) {
    stream.connection.withLock {
      for _ in 0..<times {
        stream.stateChanged(to: PW_STREAM_STATE_ERROR, error: "refused")
        stream.stateChanged(to: PW_STREAM_STATE_PAUSED, error: nil)
      }
      if let last { stream.stateChanged(to: last, error: nil) }
    }
  }

  @Test func `A refusal that lasts is told once, though the stream is made again each time`() async throws {
    try await withLiveDesktop { live in
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      let stream = try #require(player.stream as? PipeWireStream)
      try await player.events.waitUntilConnected()
      var told: Int { player.events.all.count { $0 == .failed("refused") } }
      refuse(stream, times: 40)
      #expect(told == 0, "nobody waits for the sound of a stream that is held")
      stream.setActive(true)
      refuse(stream, times: 15, then: PW_STREAM_STATE_STREAMING)
      refuse(stream, times: 15)
      #expect(told == 0, "it sounded in between")
      refuse(stream, times: 1)
      #expect(told == 1)
      refuse(stream, times: 20)
      #expect(told == 1, "it is known")
      stream.setActive(false)
      stream.setActive(true)
      refuse(stream, times: 16)
      #expect(told == 2, "whoever tries again is told again")
    }
  }

  @Test(arguments: [false, true])
  func `A stream that could not be made is made again, also before the sinks are known`(
    isConnected: Bool
  ) async throws {
    try await withLiveDesktop { live in
      let manager = try #require(await live.desktop.processIDs["wireplumber"])
      if !isConnected { kill(manager, SIGSTOP) }
      defer { kill(manager, SIGCONT) }
      let clip = Signals.noise(frames: 20_000)
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      let stream = try #require(player.stream as? PipeWireStream)
      if isConnected {
        try await player.events.waitUntilConnected()
      } else {
        try await waitUntil("the stream's connection") { try await player.roundTrip() }
      }
      stream.connection.withLock {
        stream.destroy()
        stream.refused(EMFILE)
      }
      player.write(clip)
      player.stream.setActive(true)
      #expect(player.events.all.isEmpty == !isConnected)
      kill(manager, SIGCONT)
      try await player.finishAndDrain()
      let report = try await live.compare(with: clip)
      #expect(report.equalsSource, "\(report)")
      #expect(!player.events.all.contains { if case .failed = $0 { true } else { false } })
    }
  }

  @Test func `A stream that can never be made is told of, once`() async throws {
    try await withLiveDesktop { live in
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      try await player.events.waitUntilConnected()
      let format = AudioFormat(rate: 48_000, channels: Array(repeating: .mono, count: 65))
      let ring = SampleRing(channelCount: 65, capacityFrames: 100, fadeFrames: 0)
      let stream = try player.output.makeStream(format: format, ring: ring, title: nil)
      stream.setActive(true)
      try await player.events.wait("the refusal") { if case .failed = $0 { true } else { false } }
      #expect(player.events.all.count == 2, "\(player.events.all)")
    }
  }
}
