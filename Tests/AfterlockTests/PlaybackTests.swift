import Afterlock
import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@Suite("A player on a real PipeWire")
struct PlaybackTests {
  @Test("a queue of files of one rate reaches the sink as one stretch, bit for bit")
  func joinsLossless() async throws {
    let folder = try TemporaryFolder()
    let parts = (1...3).map { Signals.noise16(frames: 20_000 + $0 * 777, seed: UInt64($0)) }
    let wav = try folder.write("a.wav", MediaFiles.wav16(parts[0]))
    let flac = try await MediaFiles.flac(
      try folder.write("b.wav", MediaFiles.wav16(parts[1])), to: folder.file("b.flac"))
    let wavPack = try await MediaFiles.ffmpeg(
      try folder.write("c.wav", MediaFiles.wav16(parts[2])), to: folder.file("c.wv"))
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open([wav, flac, wavPack].map { QueueItem($0) })
        #expect(await player.finished().failures == [])
      }
      let all = SoundClip(rate: 48_000, channels: 2, samples: parts.flatMap(\.self))
      let report = try await live.compare(with: all)
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test(
    "lossy files are trimmed as their headers say and join without a gap", arguments: ["mp3", "opus", "m4a"])
  func joinsLossy(format: String) async throws {
    let folder = try TemporaryFolder()
    var files: [String] = []
    var expected: [Float] = []
    for seed in 1...2 {
      let samples = Signals.noise16(frames: 30_011, seed: UInt64(seed), amplitude: 6_000)
      let wav = try folder.write("\(seed).wav", MediaFiles.wav16(samples))
      let target = folder.file("\(seed).\(format)")
      files.append(
        format == "mp3"
          ? try await MediaFiles.lame(wav, to: target) : try await MediaFiles.ffmpeg(wav, to: target))
      let decoded = try await MediaFiles.decode(target, rate: 48_000, channels: 2)
      // The reference decoder leaves the padding at the end of an M4A in.
      #expect(decoded.frameCount == 30_011 || format == "m4a")
      expected += decoded.samples.prefix(30_011 * 2)
    }
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open(files.map { QueueItem($0) })
        #expect(await player.finished().failures == [])
      }
      let report = try await live.compare(
        with: SoundClip(rate: 48_000, channels: 2, samples: expected), tolerance: CaptureAnalysis.oneBitOf24)
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test("a player that is closed may still be sent anything")
  func sendsAfterClose() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.wav", MediaFiles.wav16(Signals.noise16(frames: 96_000, seed: 1)))
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open([QueueItem(file)])
        await wait(for: player, "sound") { $0.state == .playing }
        await player.close()
        for command: PlayerCommand in [
          .next, .play, .setVolume(Volume(slider: 0.5)), .seekBy(.seconds(1)), .pause,
        ] {
          player.send(command)
        }
        await player.open([QueueItem(file)])
        _ = player.position
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  @Test("a file of another rate follows within one quantum, and the first one loses nothing")
  func otherRate() async throws {
    let folder = try TemporaryFolder()
    let first = Signals.noise16(frames: 48_000, seed: 1)
    let second = Signals.noise16(frames: 44_100, seed: 2)
    let a = try folder.write("a.wav", MediaFiles.wav16(first))
    let b = try folder.write("b.wav", MediaFiles.wav16(second, rate: 44_100))
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open([QueueItem(a), QueueItem(b)])
        #expect(await player.finished().failures == [])
      }
      let capture = try await live.captured()
      let longest = CaptureAnalysis.silences(in: capture).first?.count ?? 0
      #expect(longest <= (try #require(live.desktop.configuration.quantum)), "a gap of \(longest) frames")
      let start = try #require(capture.samples.firstIndex { $0 != 0 }) / 2
      let head = SoundClip(
        rate: 48_000, channels: 2,
        samples: Array(capture.samples[start * 2..<min((start + 48_000) * 2, capture.samples.count)]))
      // A bare Bool: a difference of two such arrays would take minutes to print.
      let isWhole = head.samples == SoundClip(rate: 48_000, channels: 2, samples: first).samples
      #expect(isWhole)
      // The resampler's own length aside, the second one is as long as it should be.
      let end = try #require(capture.samples.lastIndex { $0 != 0 }) / 2 + 1
      #expect(abs(end - start - 96_000) < 2_048, "\(end - start) frames were heard")
    }
  }

  @Test("a start in the middle of a lossless file begins on the exact frame")
  func startsInTheMiddle() async throws {
    let folder = try TemporaryFolder()
    let wav = try folder.write("a.wav", MediaFiles.wav16(Signals.ramp16(frames: 60_000)))
    let flac = try await MediaFiles.flac(wav, to: folder.file("a.flac"))
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open([QueueItem(flac)], at: .milliseconds(500))
        #expect(await player.finished().failures == [])
      }
      let report = try await live.compare(with: Signals.ramp(frames: 36_000, from: 24_000))
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test("after pause, next, play, not one frame of the old track is heard", arguments: [0, 5])
  func noOldFrames(fade: Int) async throws {
    let folder = try TemporaryFolder()
    let old = try folder.write("a.wav", MediaFiles.wav16(Signals.ramp16(frames: 480_000)))
    let new = Signals.ramp16(frames: 24_000, from: 1_000_000)
    let next = try folder.write("b.wav", MediaFiles.wav16(new))
    try await withLiveDesktop { live in
      try await withPlayer(on: live, fade: .milliseconds(fade)) { player in
        await player.open([QueueItem(old), QueueItem(next)])
        try await waitUntil("the old track sounds") { player.position.time > .milliseconds(300) }
        player.send(.pause)
        await wait(for: player, "paused") { $0.state == .paused && $0.lastRateChange?.rate == 0 }
        let heard = try await live.capture.soFar()
        player.send(.next)
        player.send(.play)
        #expect(await player.finished().failures == [])
        let capture = try await live.captured()
        let report = CaptureAnalysis.compare(
          SoundClip(
            rate: 48_000, channels: 2, samples: Array(capture.samples.dropFirst(heard.samples.count))),
          with: SoundClip(rate: 48_000, channels: 2, samples: new))
        // What was still on its way to the capture when it was looked at may come first, and nothing after it.
        #expect(report.receivedFrames == 24_000 && report.missingFrames == 0, "\(report)")
        #expect(report.foreignFrames <= 4_096, "\(report)")
        #expect(lastFrame(before: 1_000_000, in: capture) < firstFrame(from: 1_000_000, in: capture))
      }
    }
  }

  private func lastFrame(before limit: Int, in clip: SoundClip) -> Int {
    (0..<clip.frameCount).last { Signals.frame(at: $0, of: clip).map { $0 < limit } ?? false } ?? -1
  }

  private func firstFrame(from limit: Int, in clip: SoundClip) -> Int {
    (0..<clip.frameCount).first { Signals.frame(at: $0, of: clip).map { $0 >= limit } ?? false } ?? .max
  }

  @Test("pause and play again lose no frame when nothing fades")
  func pauseLosesNothing() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.wav", MediaFiles.wav16(Signals.ramp16(frames: 96_000)))
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open([QueueItem(file)])
        for pause in 1...3 {
          try await waitUntil("the sound goes on") { player.position.time > .milliseconds(300 * pause) }
          player.send(.pause)
          await wait(for: player, "paused") { $0.lastRateChange?.rate == 0 }
          player.send(.play)
        }
        #expect(await player.finished().failures == [])
      }
      let report = try await live.compare(with: Signals.ramp(frames: 96_000))
      #expect(
        report.missingFrames == 0 && report.repeatedFrames == 0 && report.differingFrames == 0, "\(report)")
    }
  }

  @Test("a bad file between two good ones is named, skipped, and costs no frame of theirs")
  func badFileBetween() async throws {
    let folder = try TemporaryFolder()
    let parts = (1...2).map { Signals.noise16(frames: 48_000, seed: UInt64($0)) }
    let a = try folder.write("a.wav", MediaFiles.wav16(parts[0]))
    let bad = try folder.write("bad.wav", text: "this is no sound")
    let b = try folder.write("b.wav", MediaFiles.wav16(parts[1]))
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open([a, bad, b].map { QueueItem($0) })
        let summary = await player.finished()
        #expect(summary.failures.map(\.entry.location) == [.file(MediaPath(bad))])
      }
      let all = SoundClip(rate: 48_000, channels: 2, samples: parts.flatMap(\.self))
      let report = try await live.compare(with: all)
      #expect(report.equalsSource, "\(report)")
    }
  }
}
