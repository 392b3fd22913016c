import Afterlock
import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@Suite("Files shorter than a quantum on a real PipeWire")
struct ShortFilesTests {
  /// Files of noise, and which is which.
  private struct Files {
    let folder: TemporaryFolder
    var names: [String] = []
    var samples: [String: [Int16]] = [:]

    init(_ lengths: [Int]) throws {
      folder = try TemporaryFolder()
      for (number, length) in lengths.enumerated() {
        let noise = Signals.noise16(frames: length, seed: UInt64(number + 1))
        let name = try folder.write("\(number).wav", MediaFiles.wav16(noise))
        names.append(name)
        samples[name] = noise
      }
    }

    func clip(_ order: [String]) -> SoundClip {
      SoundClip(rate: 48_000, channels: 2, samples: order.flatMap { samples[$0] ?? [] })
    }
  }

  /// The files that began, in order, as the log tells.
  private func order(_ log: RecordingLog) -> [String] {
    log.lines.compactMap { line in
      let fields = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard fields?["event"] as? String == "track", fields?["reason"] as? String == nil else { return nil }
      return fields?["track"] as? String
    }
  }

  private static let lengths = (0..<50).map { [1, 3, 100, 500, 1_000][$0 % 5] }

  @Test("fifty of them reach the sink as one stretch, bit for bit, in any order", arguments: [false, true])
  func queue(isShuffled: Bool) async throws {
    let files = try Files(Self.lengths)
    let log = RecordingLog()
    try await withLiveDesktop { live in
      try await withPlayer(on: live, log: log.log) { player in
        player.send(.setShuffled(isShuffled))
        await player.open(files.names.map { QueueItem($0) })
        #expect(await player.finished().failures == [])
      }
      let heard = order(log)
      #expect(isShuffled ? heard != files.names && Set(heard) == Set(files.names) : heard == files.names)
      let report = try await live.compare(with: files.clip(heard))
      #expect(report.equalsSource && report.receivedFrames == 16_040, "\(report)")
    }
  }

  @Test(
    "a loop of them has no seam, and ends where it is told to",
    arguments: [(LoopMode.playlist, false), (.playlist, true), (.track, false)])
  func loop(mode: LoopMode, isShuffled: Bool) async throws {
    // A single one in a loop of one track, all of them in a loop of all.
    let files = try Files(mode == .track ? [100] : Self.lengths)
    let log = RecordingLog()
    try await withLiveDesktop { live in
      try await withPlayer(on: live, log: log.log) { player in
        player.send(.setLoopMode(mode))
        player.send(.setShuffled(isShuffled))
        await player.open(files.names.map { QueueItem($0) })
        try await waitUntil("three rounds") { order(log).count > 160 }
        player.send(.setLoopMode(.none))
        #expect(await player.finished().failures == [])
      }
      let heard = order(log)
      #expect(heard.count % files.names.count == 0, "it ends with a round")
      let source = files.clip(heard)
      let report = try await live.compare(with: source)
      #expect(report.equalsSource && report.receivedFrames == source.frameCount, "\(report)")
    }
  }

  @Test("a skip to them begins with the first frame and goes on without a gap")
  func skip() async throws {
    let files = try Files([480_000] + Self.lengths)
    try await withLiveDesktop { live in
      try await withPlayer(on: live) { player in
        await player.open(files.names.map { QueueItem($0) })
        try await waitUntil("the long one sounds") { player.position.time > .milliseconds(300) }
        player.send(.next)
        #expect(await player.finished().failures == [])
      }
      let capture = try await live.captured()
      // What is heard of the long one ends somewhere; the rest is whole.
      let rest = files.clip(Array(files.names.dropFirst()))
      let end = try #require(capture.samples.lastIndex { $0 != 0 }) / 2 + 1
      let tail = Array(capture.samples[max(0, end - rest.frameCount) * 2..<end * 2])
      let isWhole = tail == rest.samples
      #expect(isWhole)
    }
  }
}
