import AfterlockCore
import AfterlockEngine
import AfterlockTestSupport
import Foundation
import Testing

/// A lossy file: how it is made, and what its header promises.
struct LossyCase: Sendable, CustomTestStringConvertible {
  var name: String
  var codec: String
  var rate = 44_100
  /// `true` when the header tells the exact length.
  var isTrimmed = true
  var isSeekExact = true
  /// The largest difference between reading on and reading after a seek.
  var seekError: Float = 0
  var command: [String]
  var testDescription: String { name }

  static let all: [LossyCase] = [
    LossyCase(name: "vbr.mp3", codec: "mp3", command: ["lame", "--quiet", "-V2", "source.wav", "vbr.mp3"]),
    LossyCase(
      name: "cbr.mp3", codec: "mp3", command: ["lame", "--quiet", "-b", "192", "source.wav", "cbr.mp3"]),
    LossyCase(
      name: "abr.mp3", codec: "mp3", command: ["lame", "--quiet", "--abr", "130", "source.wav", "abr.mp3"]),
    LossyCase(
      name: "low.mp3", codec: "mp3", rate: 22_050,
      command: ["lame", "--quiet", "--resample", "22.05", "-V5", "source.wav", "low.mp3"]),
    LossyCase(
      name: "tagless.mp3", codec: "mp3", isTrimmed: false,
      command: ["lame", "--quiet", "-t", "-b", "128", "source.wav", "tagless.mp3"]),
    LossyCase(name: "ff.mp3", codec: "mp3", command: ff("libmp3lame", "ff.mp3")),
    LossyCase(name: "in-mp4.m4a", codec: "mp3", command: ff("libmp3lame", "-f", "mp4", "in-mp4.m4a")),
    // Without noise substitution, which no two decodings agree on.
    LossyCase(name: "a.m4a", codec: "aac", command: ff("aac", "-aac_pns", "0", "a.m4a")),
    LossyCase(name: "a.mov", codec: "aac", command: ff("aac", "-aac_pns", "0", "a.mov")),
    LossyCase(
      name: "a.aac", codec: "aac", isTrimmed: false, isSeekExact: false, seekError: 2,
      command: ff("aac", "-aac_pns", "0", "a.aac")),
    LossyCase(
      name: "a.mkv", codec: "aac", isTrimmed: false, isSeekExact: false, seekError: 2,
      command: ff("aac", "a.mkv")),
    LossyCase(
      name: "oggenc.ogg", codec: "vorbis", command: ["oggenc", "-Q", "-o", "oggenc.ogg", "source.wav"]),
    LossyCase(name: "ff.ogg", codec: "vorbis", command: ff("libvorbis", "ff.ogg")),
    LossyCase(
      name: "v.webm", codec: "vorbis", isTrimmed: false, isSeekExact: false, seekError: 2,
      command: ff("libvorbis", "v.webm")),
    LossyCase(
      name: "opusenc.opus", codec: "opus", rate: 48_000, seekError: 0.01,
      command: ["opusenc", "--quiet", "source.wav", "opusenc.opus"]),
    LossyCase(
      name: "ff.opus", codec: "opus", rate: 48_000, seekError: 0.01, command: ff("libopus", "ff.opus")),
    LossyCase(name: "o.mp4", codec: "opus", rate: 48_000, seekError: 0.01, command: ff("libopus", "o.mp4")),
    LossyCase(
      name: "o.webm", codec: "opus", rate: 48_000, isSeekExact: false, seekError: 2,
      command: ff("libopus", "o.webm")),
  ]

  private static func ff(_ encoder: String, _ rest: String...) -> [String] {
    ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", "source.wav", "-c:a", encoder, "-b:a", "192k"] + rest
  }

  /// The file made of `frames` frames of dull noise, at its own rate.
  func make(_ folder: SourceFolder, frames: Int) throws -> Noise {
    let noise = Noise(frames: frames, rate: name.hasSuffix("low.mp3") ? 44_100 : rate, smoothing: 0.9)
    try folder.write(noise.wav(), to: "source.wav")
    try folder.run(command[0], Array(command.dropFirst()))
    return noise
  }
}

@Suite("Lossy files", .computesForLong)
struct LossyTests {
  @Test("give as many frames as went in, from where they went in", arguments: LossyCase.all)
  func trimmed(_ kind: LossyCase) throws {
    for frames in [1_000, 50_003, 52_940] {
      let folder = try SourceFolder()
      let noise = try kind.make(folder, frames: frames)
      let decoded = try Decoded(folder.location(kind.name))
      #expect(decoded.info.codec == kind.codec)
      #expect(decoded.info.format.rate == kind.rate)
      #expect(decoded.damage == nil, "\(frames) frames")
      guard kind.isTrimmed else { continue }
      let isResampled = kind.name == "low.mp3"
      let expected = isResampled ? (frames + 1) / 2 : frames
      #expect(abs(decoded.frames - expected) <= (isResampled ? 1 : 0))
      #expect(decoded.finalFrames == Int64(decoded.frames))
      if !kind.name.hasSuffix("webm") { #expect(decoded.info.frames == Int64(decoded.frames)) }
      guard !isResampled, frames > 10_000 else { continue }
      // The sound is where it was: the source fits better here than a few frames to either side.
      let here = Self.difference(decoded.samples, noise.samples, shift: 0)
      for shift in [-600, -40, -3, 3, 40, 600] {
        #expect(here < Self.difference(decoded.samples, noise.samples, shift: shift), "shift \(shift)")
      }
    }
  }

  /// Mean square of what differs when `b` is moved by `shift` frames of two channels.
  private static func difference(_ a: [Float], _ b: [Float], shift: Int) -> Float {
    var sum: Float = 0
    for index in stride(from: 4_000, to: min(a.count, b.count) - 4_000, by: 3) {
      let difference = a[index] - b[index + shift * 2]
      sum += difference * difference
    }
    return sum
  }

  @Test("sound after a seek as they do when read on", arguments: LossyCase.all)
  func seeks(_ kind: LossyCase) throws {
    let folder = try SourceFolder()
    _ = try kind.make(folder, frames: 200_003)
    let reader = try MediaOpener.open(folder.location(kind.name))
    defer { reader.close() }
    #expect(reader.info.isSeekExact == kind.isSeekExact)
    let whole = try reader.readAll()
    let total = whole.count / 2
    var generator = SeededGenerator(seed: 5)
    for target in [0, 1, 5_000, total - 900, total / 2, 0]
      + (0..<20).map({ _ in
        Int.random(in: 0..<(total - 900), using: &generator)
      })
    {
      let landed = try Int(reader.seek(toFrame: Int64(target)))
      if kind.isSeekExact {
        #expect(landed == target)
      } else {
        #expect(abs(landed - target) <= kind.rate / 20)
      }
      let samples = try reader.read(frames: 600)
      try #require(samples.count == 1_200, "at \(target)")
      let worst = zip(samples, whole[(landed * 2)...]).map { abs($0 - $1) }.max() ?? 0
      #expect(worst <= kind.seekError, "at \(target)")
    }
    _ = try reader.seek(toFrame: Int64(total - 5_000))
    let rest = try reader.readAll().count / 2
    if kind.isSeekExact { #expect(rest == 5_000) } else { #expect(abs(rest - 5_000) <= kind.rate / 20) }
  }

  @Test("of MP3 several hours long seek within 200 ms, wherever to")
  func longSeek() throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 44_100 * 20, channels: 1, smoothing: 0.5)
    try folder.write(noise.wav(), to: "source.wav")
    try folder.run("lame", "--quiet", "-V4", "-t", "source.wav", "piece.mp3")
    let piece = try folder.bytes(of: "piece.mp3")
    var long: [UInt8] = []
    for _ in 0..<540 { long += piece }
    try folder.write(long, to: "long.mp3")
    let reader = try MediaOpener.open(folder.location("long.mp3"))
    defer { reader.close() }
    let total = try #require(reader.info.frames)
    #expect(total > 44_100 * 60 * 60 * 2)
    for place in [0.99, 0.1, 0.5, 0.0, 0.9] {
      let target = Int64(Double(total) * place)
      let clock = ContinuousClock()
      let start = clock.now
      let landed = try reader.seek(toFrame: target)
      let time = clock.now - start
      #expect(landed == target)
      #expect(time < .milliseconds(200), "to \(place) took \(time)")
      #expect(try reader.read(frames: 1_000).count == 1_000)
    }
  }

  @Test("of AAC with iTunes' own note are trimmed by it")
  func iTunesNote() throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 50_003, smoothing: 0.9)
    try folder.write(noise.wav(), to: "source.wav")
    try folder.ffmpeg("source.wav", "-c:a", "aac", "-use_editlist", "0", "bare.m4a")
    let untrimmed = try Decoded(folder.location("bare.m4a"))
    #expect(untrimmed.frames >= 50_003 + 1_024)
    try folder.ffmpeg(
      "bare.m4a", "-c:a", "copy", "-use_editlist", "0", "-movflags", "use_metadata_tags", "-metadata",
      "iTunSMPB= 00000000 00000400 00000251 000000000000C353", "noted.m4a")
    let trimmed = try Decoded(folder.location("noted.m4a"))
    #expect(trimmed.frames == 50_003)
    let channels = trimmed.info.format.channelCount
    let isCutAtBothEnds =
      trimmed.samples[...] == untrimmed.samples.dropFirst(1_024 * channels).prefix(50_003 * channels)
    #expect(isCutAtBothEnds)
  }

  @Test("that change on their way keep the format they began with")
  func chained() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 30_000, smoothing: 0.9).wav(), to: "a.wav")
    try folder.write(Noise(frames: 24_000, channels: 1, rate: 24_000, smoothing: 0.9).wav(), to: "b.wav")
    try folder.run("oggenc", "-Q", "-o", "a.ogg", "a.wav")
    try folder.run("oggenc", "-Q", "-o", "b.ogg", "b.wav")
    let chain = try folder.bytes(of: "a.ogg") + folder.bytes(of: "b.ogg") + folder.bytes(of: "a.ogg")
    try folder.write(chain, to: "chain.ogg")
    let decoded = try Decoded(folder.location("chain.ogg"))
    #expect(decoded.info.format == AudioFormat(rate: 44_100, channels: [.frontLeft, .frontRight]))
    #expect(decoded.frames >= 30_000)
  }
}
