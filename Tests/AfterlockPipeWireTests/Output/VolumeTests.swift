import AfterlockCore
import AfterlockDesktop
import AfterlockPipeWire
import AfterlockRealtime
import AfterlockTestSupport
import Testing

@Suite struct VolumeTests {
  @Test func `50 % here is 50 % in the mixer, and an eighth of the samples`() async throws {
    let clip = Signals.noise(frames: 48_000 * 2)
    try await withRingPlayer(playing: clip, volume: Volume(percent: 50)) { live, player in
      let id = try await live.streamID()
      let shown = try await live.run("wpctl", ["get-volume", String(id)])
      #expect(shown.text.contains("Volume: 0.50"), "\(shown.text)\(shown.errorText)")
      try await player.finishAndDrain()
      var quiet = clip
      for index in quiet.samples.indices { quiet.samples[index] *= 0.125 }
      let report = try await live.compare(with: quiet, tolerance: 1e-6)
      #expect(report.equalsSource, "\(report)")
      #expect(player.events.all.count == 1, "our own volume came back as a mixer's: \(player.events.all)")
    }
  }

  @Test func `A change here while it plays is seen in the mixer`() async throws {
    try await withRingPlayer { live, player in
      let id = try await live.streamID()
      for percent in [80, 30, 100] {
        player.output.setVolume(Volume(percent: Double(percent)))
        let wanted = percent == 100 ? "1.00" : "0.\(percent)"
        try await waitUntil("\(wanted) in the mixer") {
          try await live.run("wpctl", ["get-volume", String(id)]).text.contains(wanted)
        }
      }
      #expect(player.events.all.count == 1, "\(player.events.all)")
    }
  }

  @Test func `A change in the mixer is reported here as the mixer shows it, once`() async throws {
    try await withRingPlayer(volume: Volume(percent: 90)) { live, player in
      let id = try await live.streamID()
      for percent in [40, 70] {
        let before = player.events.all.count
        _ = try await live.run("wpctl", ["set-volume", String(id), "\(percent)%"])
        try await player.events.wait("\(percent) %", after: before) {
          if case .volumeChanged(let volume) = $0 {
            abs(volume.percent - Double(percent)) < 0.5
          } else {
            false
          }
        }
        #expect(player.events.all.count == before + 1, "\(player.events.all)")
      }
      // A stream made afterwards begins as the mixer wanted it.
      #expect(player.events.all.count == 3)
    }
  }

  @Test func `A mixer's mute is reported, kept by the next stream, and undone from here`() async throws {
    try await withRingPlayer(volume: Volume(percent: 90)) { live, player in
      let id = String(try await live.streamID())
      for isMuted in [true, false, true] {
        let before = player.events.all.count
        _ = try await live.run("wpctl", ["set-mute", id, isMuted ? "1" : "0"])
        try await player.events.wait("mute \(isMuted)", after: before) { $0 == .muteChanged(isMuted) }
      }
      try await live.desktop.killServer()
      try await live.desktop.restartServer()
      try await player.events.waitUntilRestored()
      let position = player.ring.readIndex
      player.stream.setActive(true)
      try await waitUntil("playing again") { player.ring.readIndex > position }
      let again = String(try await live.streamID())
      try await waitUntil("muted as before") {
        try await live.run("wpctl", ["get-volume", again]).text.contains("0.90 [MUTED]")
      }
      player.output.setVolume(Volume(percent: 80))
      try await waitUntil("heard again") {
        let shown = try await live.run("wpctl", ["get-volume", again]).text
        return shown.contains("0.80") && !shown.contains("MUTED")
      }
      player.stream.close()
      let next = try player.output.makeStream(format: player.stream.format, ring: player.ring, title: "Next")
      let place = player.ring.readIndex
      next.setActive(true)
      try await waitUntil("the next stream") { player.ring.readIndex > place }
      let third = String(try await live.streamID())
      try await waitUntil("the next stream to be heard") {
        let shown = try await live.run("wpctl", ["get-volume", third]).text
        return shown.contains("0.80") && !shown.contains("MUTED")
      }
      let mutes = player.events.all.filter { if case .muteChanged = $0 { true } else { false } }
      #expect(mutes == [.muteChanged(true), .muteChanged(false), .muteChanged(true)])
    }
  }

  @Test func `A mute that the session manager remembers does not silence the next stream`() async throws {
    try await withLiveDesktop { live in
      for turn in 1...2 {
        let player = try RingPlayer(on: live.desktop, volume: Volume(percent: 90))
        defer { player.output.close() }
        player.write(Signals.noise(frames: 48_000 * 8))
        player.stream.setActive(true)
        try await waitUntil("sound") { player.ring.readIndex > 0 }
        let id = String(try await live.streamID())
        try await waitUntil("heard in turn \(turn)") {
          let shown = try await live.run("wpctl", ["get-volume", id]).text
          return shown.contains("0.90") && !shown.contains("MUTED")
        }
        _ = try await live.run("wpctl", ["set-mute", id, "1"])
        try await player.events.wait("mute") { $0 == .muteChanged(true) }
        // What it remembers is written a second later.
        try await Task.sleep(for: .milliseconds(1200))
      }
    }
  }

  @Test func `After the server's return the volume is the viewer's`() async throws {
    try await withRingPlayer(volume: Volume(percent: 50)) { live, player in
      try await live.desktop.killServer()
      try await live.desktop.restartServer()
      try await player.events.waitUntilRestored()
      let position = player.ring.readIndex
      player.stream.setActive(true)
      try await waitUntil("sound again") { player.ring.readIndex > position }
      let id = try await live.streamID()
      try await waitUntil("0.50 in the mixer") {
        try await live.run("wpctl", ["get-volume", String(id)]).text.contains("0.50")
      }
      #expect(!player.events.all.contains { if case .volumeChanged = $0 { true } else { false } })
    }
  }
}

extension LiveDesktop {
  /// The id of our one stream, as wpctl wants it.
  fileprivate func streamID() async throws -> Int {
    let graph = try await desktop.waitForGraph("our stream to be listed") {
      $0.node(named: "Afterlock") != nil
    }
    return try #require(graph.node(named: "Afterlock")).id
  }
}
