import AfterlockDesktop
import AfterlockPipeWire
import AfterlockRealtime
import AfterlockTestSupport
import Testing

@Suite struct PauseTests {
  private static let fade = 240

  @Test func `Pause, skip, play: not one old frame, and the new from its first frame`() async throws {
    let old = Signals.noise(frames: 48_000 * 4, seed: 1)
    let new = Signals.noise(frames: 30_000, seed: 2)
    try await withRingPlayer(playing: old, fadeFrames: Self.fade, after: 24_000) { live, player in
      player.ring.requestPause()
      try await player.wait(for: .paused)
      player.stream.setActive(false)
      player.ring.skip(fadesIn: false)
      player.ring.applyPendingWhileIdle()
      player.write(new)
      player.ring.requestResume(fadesIn: false)
      player.stream.setActive(true)
      try await player.finishAndDrain()
      let heard = try await live.captured()
      try expectFadeThenSilence(heard, of: old)
      let newStart = try #require(heard.lastFrame) + 1 - new.frameCount
      let report = CaptureAnalysis.compare(heard.part(newStart..<heard.frameCount), with: new)
      #expect(report.equalsSource, "\(report)")
      // Between the end of the fade and the new there is only silence.
      let between = heard.part(try fadeEnd(heard, of: old)..<newStart)
      #expect(between.firstFrame == nil, "\(between.frameCount) frames between hold sound")
    }
  }

  @Test func `A stream that is held at once gives nothing of the old after a skip`() async throws {
    let old = Signals.ramp(frames: 48_000 * 4)
    let new = Signals.ramp(frames: 30_000, from: 1_000_000)
    try await withRingPlayer(playing: old, fadeFrames: 0, after: 24_000) { live, player in
      player.stream.setActive(false)
      player.ring.skip(fadesIn: false)
      player.ring.applyPendingWhileIdle()
      await live.capture.wait(frames: 4_096)
      let before = try await live.capture.soFar().frameCount
      player.write(new)
      player.stream.setActive(true)
      try await player.finishAndDrain()
      let heard = try await live.captured()
      let report = CaptureAnalysis.compare(heard.part(before..<heard.frameCount), with: new)
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test func `A skip while it plays fades the old within the fade and starts the new exactly`() async throws {
    let old = Signals.noise(frames: 48_000 * 4, seed: 1)
    let new = Signals.noise(frames: 30_000, seed: 2)
    try await withRingPlayer(playing: old, fadeFrames: Self.fade, after: 24_000) { live, player in
      player.ring.skip(fadesIn: false)
      player.write(new)
      try await player.finishAndDrain()
      let heard = try await live.captured()
      let newStart = try #require(heard.lastFrame) + 1 - new.frameCount
      #expect(CaptureAnalysis.compare(heard.part(newStart..<heard.frameCount), with: new).equalsSource)
      #expect(try fadeEnd(heard, of: old) <= newStart)
    }
  }

  @Test func `A pause and its resume lose only the fade, and the sine has no click`() async throws {
    try await withLiveDesktop { live in
      let sine = Signals.sine(frames: 48_000 * 3)
      let player = try RingPlayer(on: live.desktop, fadeFrames: Self.fade)
      defer { player.output.close() }
      player.write(sine)
      player.stream.setActive(true)
      for second in 1...2 {
        try await waitUntil("sound") { player.ring.readIndex > Int64(second) * 30_000 }
        player.ring.requestPause()
        try await player.wait(for: .paused)
        player.stream.setActive(false)
        player.ring.requestResume(fadesIn: true)
        player.stream.setActive(true)
      }
      try await player.finishAndDrain()
      let heard = try await live.captured()
      let start = try #require(heard.firstFrame)
      // A 440 Hz sine of 0.5 moves by at most 0.0288 from frame to frame, and the fade adds 0.5 / 240. The end is cut
      // where the file is.
      let sounding = heard.part(start..<(try #require(heard.lastFrame)) + 1)
      #expect(sounding.largestStep < 0.0288 + 0.0025, "\(sounding.largestStep)")
      // Nothing was dropped besides the frames at gain 0 that end each fade.
      #expect(player.ring.readIndex == 48_000 * 3)
    }
  }

  @Test func `The judge of clicks sees a click`() {
    var sine = Signals.sine(frames: 1000)
    #expect(sine.largestStep < 0.0288 + 0.0025)
    for index in 1000..<sine.samples.count { sine.samples[index] = 0 }
    #expect(sine.largestStep > 0.1)
  }

  /// Where the fade of the old ends in the capture: the frame after its last sound.
  private func fadeEnd(_ heard: SoundClip, of old: SoundClip) throws -> Int {
    let start = try #require(heard.firstFrame)
    var frame = start
    while frame < heard.frameCount, heard.frame(frame) == old.frame(frame - start) { frame += 1 }
    // From here on it is quieter than the old, for no longer than the fade.
    let fadeStart = frame
    while frame < heard.frameCount, frame < fadeStart + Self.fade, frame - start < old.frameCount,
      heard.isSoftened(frame, from: old, at: frame - start)
    {
      frame += 1
    }
    return frame
  }

  private func expectFadeThenSilence(_ heard: SoundClip, of old: SoundClip) throws {
    let end = try fadeEnd(heard, of: old)
    #expect(heard.frame(end).allSatisfy { $0 == 0 }, "sound goes on after the fade")
  }
}

extension SoundClip {
  fileprivate func frame(_ index: Int) -> ArraySlice<Float> {
    samples[index * channels..<(index + 1) * channels]
  }

  /// Whether a frame is one of the source at a gain below 1, not silent.
  fileprivate func isSoftened(_ frame: Int, from source: SoundClip, at sourceFrame: Int) -> Bool {
    let gains = (0..<channels).map {
      samples[frame * channels + $0] / source.samples[sourceFrame * channels + $0]
    }
    return gains[0] > 0 && gains[0] < 1 && gains.allSatisfy { abs($0 - gains[0]) < 1e-3 }
  }

  /// The largest change from one frame to the next.
  fileprivate var largestStep: Float {
    var largest: Float = 0
    samples.withUnsafeBufferPointer { samples in
      for index in channels..<max(channels, samples.count) {
        largest = max(largest, abs(samples[index] - samples[index - channels]))
      }
    }
    return largest
  }
}
