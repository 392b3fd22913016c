import AfterlockDesktop
import AfterlockPipeWire
import AfterlockRealtime
import AfterlockTestSupport
import Glibc
import Testing

@Suite struct RoundTripTests {
  @Test func `After a round trip the server no longer waits for a stream that is held`() async throws {
    try await withLiveDesktop { live in
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      player.write(Signals.noise(frames: 48_000 * 8))
      for turn in 1...5 {
        player.ring.requestResume(fadesIn: false)
        player.stream.setActive(true)
        let position = player.ring.readIndex
        try await waitUntil("sound in turn \(turn)") { player.ring.readIndex > position }
        player.ring.requestPause()
        try await player.wait(for: .paused)
        player.stream.setActive(false)
        // PipeWire's thread stands still from the answer on, as in a program that is stopped.
        let (isAnswered, isSeen) = (Flag(), Flag())
        player.output.roundTrip {
          isAnswered.raise()
          let limit = ContinuousClock.now + .seconds(20)
          while !isSeen.isRaised, ContinuousClock.now < limit { usleep(1_000) }
        }
        defer { isSeen.raise() }
        try await waitUntil("the server's answer") { isAnswered.isRaised }
        let node = try await live.desktop.graph().node(named: "Afterlock")
        #expect(node != nil && node?.state != "running", "\(String(describing: node)) in turn \(turn)")
      }
    }
  }

  @Test func `A server that hangs has not answered, and one that goes on has`() async throws {
    try await withLiveDesktop { live in
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      try await player.events.waitUntilConnected()
      let server = try #require(await live.desktop.processIDs["pipewire"])
      kill(server, SIGSTOP)
      let isAnswered = Flag()
      player.output.roundTrip { isAnswered.raise() }
      try await Task.sleep(for: .milliseconds(100))
      #expect(!isAnswered.isRaised)
      kill(server, SIGCONT)
      try await waitUntil("the answer") { isAnswered.isRaised }
    }
  }

  @Test func `A session manager that hangs does not keep the server from a stream`() async throws {
    try await withLiveDesktop { live in
      let manager = try #require(await live.desktop.processIDs["wireplumber"])
      kill(manager, SIGSTOP)
      defer { kill(manager, SIGCONT) }
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      // Each waits until the server has said what it had to say before, and so for what that made the player ask.
      try await waitUntil("the stream's connection") { try await player.roundTrip() }
      // Long enough for the sinks to be looked for, which waits for the session manager.
      for _ in 1...5 {
        try await player.roundTrip()
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(player.events.all.isEmpty)
      kill(manager, SIGCONT)
      try await player.events.waitUntilConnected()
    }
  }

  @Test func `Nobody waits for a server that is away, goes away or is let go of`() async throws {
    try await withLiveDesktop { live in
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      try await player.events.waitUntilConnected()
      let server = try #require(await live.desktop.processIDs["pipewire"])
      kill(server, SIGSTOP)
      let isAnswered = Flag()
      player.output.roundTrip { isAnswered.raise() }
      try await live.desktop.killServer()
      try await waitUntil("the end of the wait") { isAnswered.isRaised }
      try await player.events.wait("serverLost") { $0 == .serverLost }
      try await player.roundTrip()

      try await live.desktop.restartServer()
      try await player.events.waitUntilRestored()
      kill(try #require(await live.desktop.processIDs["pipewire"]), SIGSTOP)
      let isOver = Flag()
      player.output.roundTrip { isOver.raise() }
      player.output.close()
      #expect(isOver.isRaised)
      let isAfter = Flag()
      player.output.roundTrip { isAfter.raise() }
      #expect(isAfter.isRaised)
    }
  }
}
