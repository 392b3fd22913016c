import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@Suite struct SinkCaptureTests {
  @Test func `the first frame of what plays is in the capture, and what follows is untouched`() async throws {
    // pw-play loses the last frames of a file, so that the file is followed by silence that may be lost. On a busy
    // machine it also feeds the server late: such gaps are the player's, and frames missing would be the capture's.
    let sound = Signals.noise16(frames: 48_000, seed: 3)
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "noise.wav", MediaFiles.wav16(sound + [Int16](repeating: 0, count: 2 * 8_192)))
    try await withLiveDesktop { live in
      let played = try await live.run("pw-play", [file])
      #expect(played.status == .code(0), "\(played.errorText)")
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: sound))
      #expect(report.isWhole, "\(report)")
    }
  }

  @Test func `what a player loses at the end is seen`() async throws {
    let sound = Signals.noise16(frames: 24_000, seed: 4)
    let folder = try TemporaryFolder()
    let file = try folder.write("noise.wav", MediaFiles.wav16(sound))
    try await withLiveDesktop { live in
      _ = try await live.run("pw-play", [file])
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: sound))
      #expect(report.trailingMissing > 0, "pw-play of Debian 12 loses its tail: \(report)")
      #expect(report.leadingMissing == 0 && report.insideMissing == 0 && report.foreignFrames == 0)
    }
  }

  @Test func `a sink of another shape is captured in its own`() async throws {
    let surround = VirtualSink(
      name: "surround", rate: 44_100, channels: ["FL", "FR", "FC", "LFE", "RL", "RR"])
    let sound = Signals.noise16(frames: 22_050, channels: 6, seed: 5)
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "noise.wav",
      MediaFiles.wav16(sound + [Int16](repeating: 0, count: 6 * 8_192), rate: 44_100, channels: 6))
    try await withLiveDesktop(.init(sinks: [surround], rate: 44_100)) { live in
      _ = try await live.run("pw-play", ["--channel-map", "FL,FR,FC,LFE,RL,RR", file])
      let report = try await live.compare(with: SoundClip(rate: 44_100, channels: 6, samples: sound))
      #expect(report.isWhole, "\(report)")
    }
  }

  @Test func `the capture's clock runs without a player`() async throws {
    try await withLiveDesktop { live in
      let start = ContinuousClock.now
      #expect(await live.capture.wait(frames: 24_000))
      let took = ContinuousClock.now - start
      #expect(took > .milliseconds(400), "24,000 frames are half a second: \(took)")
      let clip = try await live.captured()
      #expect(clip.frameCount >= 24_000)
      #expect(clip.samples.allSatisfy { $0 == 0 })
    }
  }

  @Test func `a capture ends with its server and keeps what it has`() async throws {
    try await withLiveDesktop { live in
      try await live.desktop.killServer()
      #expect(await live.capture.wait(frames: 1_000_000) == false)
      #expect(try await live.captured().frameCount > 0)
      try await live.desktop.restartServer()
      let second = try await SinkCapture.start(on: live.desktop)
      #expect(try await second.stop().frameCount > 0)
    }
  }
}

extension CaptureReport {
  /// True if every frame was captured once, in order and unchanged, whatever pauses the player made.
  fileprivate var isWhole: Bool {
    receivedFrames == soundFrames && missingFrames == 0 && repeatedFrames == 0 && differingFrames == 0
      && foreignFrames == 0
  }
}
