import AfterlockDesktop
import AfterlockPipeWire
import AfterlockRealtime
import AfterlockTestSupport
import Testing

@Suite struct WholeSoundTests {
  /// Shapes in which the sink has the stream's rate and channels, so that nothing may change on the way.
  enum Shape: CaseIterable, CustomTestStringConvertible {
    case stereo, stereo44100, mono, surround, floats, oneFrame

    var testDescription: String { "\(self)" }
    var rate: Int { self == .stereo44100 ? 44_100 : 48_000 }
    var positions: [String] {
      switch self {
      case .mono: ["MONO"]
      case .surround: ["FL", "FR", "FC", "LFE", "RL", "RR"]
      default: ["FL", "FR"]
      }
    }
    var clip: SoundClip {
      switch self {
      case .oneFrame: return Signals.noise(frames: 1)
      case .floats:
        var clip = Signals.noise(frames: 70_001, seed: 7)
        // Values that no 16-bit file has.
        for index in clip.samples.indices { clip.samples[index] *= 0.333_333_3 }
        return clip
      default: return Signals.noise(frames: 48_017, rate: rate, channels: positions.count, seed: 5)
      }
    }
  }

  /// The other tests have a longer one.
  @Test func `At the quantum that the player asks for, the sink receives every frame`() async throws {
    try await withLiveDesktop(.init(quantum: 2_048)) { live in
      let clip = Signals.noise(frames: 100_003, seed: 9)
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      player.write(clip)
      player.stream.setActive(true)
      try await live.desktop.waitForGraph("a stream that asks for 2048 frames") { graph in
        graph.nodes.contains {
          $0.mediaClass == "Stream/Output/Audio" && $0.properties["node.latency"] == "2048/48000"
        }
      }
      try await player.finishAndDrain()
      let report = try await live.compare(with: clip)
      #expect(report.equalsSource, "\(report)")
      #expect(player.ring.underrunFrames == 0)
    }
  }

  @Test(arguments: Shape.allCases)
  func `The sink receives every frame from the first to the last, unchanged`(shape: Shape) async throws {
    let sink = VirtualSink(name: "sink", rate: shape.rate, channels: shape.positions)
    try await withLiveDesktop(.init(sinks: [sink], rate: shape.rate)) { live in
      let clip = shape.clip
      let player = try RingPlayer(on: live.desktop, rate: shape.rate, channels: shape.positions.count)
      defer { player.output.close() }
      player.write(clip)
      player.stream.setActive(true)
      try await player.finishAndDrain()
      // Closed at once: what the drain promised has left must not need the stream any more.
      player.stream.close()
      let report = try await live.compare(with: clip)
      #expect(report.equalsSource, "\(report)")
      #expect(player.ring.underrunFrames == 0)
    }
  }

  @Test func `Two streams of different rate follow each other with a gap of at most a quantum`() async throws
  {
    let quantum = 2_048
    try await withLiveDesktop(.init(quantum: quantum)) { live in
      let first = Signals.noise(frames: 30_000, seed: 1)
      let second = Signals.sine(frames: 22_050, rate: 44_100)
      let player = try RingPlayer(on: live.desktop)
      defer { player.output.close() }
      let next = try player.following(rate: 44_100, clip: second)
      player.write(first)
      player.ring.finish()
      player.stream.setActive(true)
      next.stream.setActive(true)
      try await waitUntil("the second ring to be read") { next.ring.isReadToEnd }
      let isDrained = Flag()
      next.stream.drain { isDrained.raise() }
      try await waitUntil("the drain") { isDrained.isRaised }
      let heard = try await live.captured()
      let start = try #require(heard.firstFrame)
      // The resampler's ringing before the sine is no silence, so the gap is what is quiet.
      let quiet = heard.quietFrames(after: start + first.frameCount, below: 0.001)
      #expect(quiet <= quantum + 64, "the gap is \(quiet) frames")
      #expect(
        CaptureAnalysis.compare(heard.part(start..<start + first.frameCount), with: first).equalsSource)
    }
  }
}
