import AfterlockCore
import AfterlockEngine
import AfterlockTestSupport
import Foundation
import Glibc
import Testing

@Suite("Files that cannot be played", .computesForLong)
struct BadFileTests {
  /// The failure of opening and reading to the end.
  private static func failure(_ location: MediaLocation) -> PlaybackFailure? {
    do {
      _ = try Decoded(location)
      return nil
    } catch {
      return error as? PlaybackFailure
    }
  }

  private static func fails(
    _ folder: SourceFolder, _ name: String, _ code: PlaybackFailure.Code,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let failure = failure(folder.location(name))
    #expect(failure?.code == code, "\(name): \(failure?.message ?? "played")", sourceLocation: sourceLocation)
    #expect(failure?.message.hasSuffix(".") == true || failure == nil, sourceLocation: sourceLocation)
  }

  @Test("are told apart: missing, empty, folder, no permission, pipe, device, socket")
  func notFiles() throws {
    let folder = try SourceFolder()
    Self.fails(folder, "nothing.wav", .missing)
    try folder.write([], to: "empty.flac")
    Self.fails(folder, "empty.flac", .empty)
    Self.fails(folder, "", .notMedia)
    mkfifo(folder.path("pipe.wav"), 0o600)
    Self.fails(folder, "pipe.wav", .notMedia)
    symlink("loop", folder.path("loop"))
    Self.fails(folder, "loop", .missing)
    for (path, code) in [("/dev/zero", PlaybackFailure.Code.notMedia), ("/dev/null", .notMedia)] {
      #expect(Self.failure(.file(MediaPath(path)))?.code == code)
    }
    try folder.write(Noise(frames: 10).wav(), to: "file.wav")
    Self.fails(folder, "file.wav/inside.wav", .missing)
    Self.fails(folder, String(repeating: "n", count: 300), .missing)
    // The superuser may read everything.
    try folder.write(Noise(frames: 10).wav(), to: "secret.wav")
    chmod(folder.path("secret.wav"), 0)
    if geteuid() != 0 { Self.fails(folder, "secret.wav", .notReadable) }
  }

  @Test("of other kinds are called so, whatever their name says")
  func notMedia() throws {
    let folder = try SourceFolder()
    var generator = SeededGenerator(seed: 3)
    let noise = (0..<60_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try folder.write(noise, to: "noise.mp3")
    try folder.write(Array("Just a text about music.\n".utf8), to: "text.mp3")
    try folder.write(Array(String(repeating: "A longer text. ", count: 9_000).utf8), to: "long.flac")
    try folder.write([UInt8](repeating: 0, count: 50_000), to: "zeros.wav")
    try folder.write(TagWriter.png, to: "picture.ogg")
    try folder.write(Array("<html><body>404</body></html>".utf8), to: "page.opus")
    try folder.write(Array("PK\u{3}\u{4}".utf8) + noise, to: "archive.m4a")
    try folder.write([0], to: "byte.wav")
    // What would make FFmpeg open other files.
    try folder.write(Noise(frames: 100).wav(), to: "other.wav")
    try folder.write(Array("ffconcat version 1.0\nfile other.wav\n".utf8), to: "list.mp3")
    try folder.write(
      Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nother.wav\n#EXT-X-ENDLIST\n".utf8), to: "hls.mp3")
    for name in [
      "noise.mp3", "text.mp3", "long.flac", "zeros.wav", "picture.ogg", "page.opus", "archive.m4a",
      "byte.wav",
      "list.mp3", "hls.mp3",
    ] {
      Self.fails(folder, name, .notMedia)
    }
  }

  @Test("without sound are called so")
  func noAudio() throws {
    let folder = try SourceFolder()
    for name in ["silent.mp4", "silent.mkv"] {
      try folder.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=c=red:s=64x64:d=0.2", "-c:v", "mpeg4", name)
      Self.fails(folder, name, .noAudio)
    }
    try folder.write(Noise(frames: 0).wav(), to: "none.wav")
    Self.fails(folder, "none.wav", .empty)
  }

  @Test("with only a header, or a broken one, are called damaged")
  func headers() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 60_000).wav(), to: "source.wav")
    try folder.run("flac", "-s", "-o", "a.flac", "source.wav")
    try folder.run("oggenc", "-Q", "-o", "a.ogg", "source.wav")
    try folder.ffmpeg("source.wav", "-c:a", "alac", "a.m4a")
    for name in ["a.flac", "a.ogg", "a.m4a"] {
      try folder.write(Array(folder.bytes(of: name).prefix(60)), to: "cut-\(name)")
      let failure = try #require(Self.failure(folder.location("cut-\(name)")), "\(name) played")
      #expect([.corrupt, .empty, .notMedia].contains(failure.code), "\(name): \(failure.message)")
    }
    // The index of an MP4 stands at the end: without it nothing can be found.
    try folder.write(Array(folder.bytes(of: "a.m4a").prefix(150_000)), to: "half.m4a")
    Self.fails(folder, "half.m4a", .corrupt)
  }

  @Test("in a path that is not UTF-8, with a newline in it, are opened all the same")
  func paths() throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 100)
    let base = Array(folder.path("").utf8)
    for name in [
      Array("new\nline.wav".utf8), [0x66, 0xFC, 0x72, 0x2E, 0x77, 0x61, 0x76], Array("http:x.wav".utf8),
    ] {
      let path = base + [UInt8(ascii: "/")] + name
      try folder.write(noise.wav(), to: "x.wav")
      #expect(rename(folder.path("x.wav"), path.map { CChar(bitPattern: $0) } + [0]) == 0)
      #expect(try Decoded(.file(MediaPath(bytes: path))).samples == noise.samples)
    }
  }

  @Test("leave no descriptor open, however they fail")
  func descriptors() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 60_000).wav(), to: "source.wav")
    try folder.ffmpeg("source.wav", "-c:a", "alac", "a.m4a")
    try folder.write(Array(folder.bytes(of: "a.m4a").prefix(90_000)), to: "half.m4a")
    try folder.write(Array("RIFF....WAVEnothing".utf8), to: "b.wav")
    try folder.write(Array("fLaC and no more".utf8), to: "c.flac")
    func link(_ descriptor: String) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }
    for name in ["source.wav", "a.m4a", "half.m4a", "b.wav", "c.flac"] {
      _ = Self.failure(folder.location(name))
      let reader = try? MediaOpener.open(folder.location(name))
      reader?.close()
      reader?.close()
      #expect(try reader?.read(frames: 5).isEmpty != false)
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(link)
      #expect(!open.contains { $0.hasSuffix("\(folder.url.lastPathComponent)/\(name)") }, "\(name)")
    }
  }
}

@Suite("Damaged files", .computesForLong)
struct DamagedFileTests {
  @Test(
    "that were cut off play to the cut and say so",
    arguments: [
      "a.wav", "a.flac", "a.m4a", "a.mp3", "a.wv", "a.aiff", "a.caf", "a.ogg", "a.opus", "a.oga",
      "a.mka", "a.mkv", "a.webm", "film.mkv",
    ])
  func truncated(_ name: String) throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 120_000, smoothing: 0.9)
    try folder.write(noise.wav(), to: "source.wav")
    switch name {
    case "a.wav": try folder.write(noise.wav(), to: name)
    case "a.flac": try folder.run("flac", "-s", "-o", name, "source.wav")
    case "a.mp3": try folder.run("lame", "--quiet", "source.wav", name)
    case "a.wv": try folder.run("wavpack", "-q", "source.wav", "-o", name)
    case "a.m4a": try folder.ffmpeg("source.wav", "-c:a", "alac", "-movflags", "faststart", name)
    case "a.ogg": try folder.run("oggenc", "-Q", "-o", name, "source.wav")
    case "a.opus": try folder.run("opusenc", "--quiet", "source.wav", name)
    case "a.oga": try folder.run("flac", "-s", "--ogg", "-o", name, "source.wav")
    case "a.mka": try folder.ffmpeg("source.wav", "-c:a", "flac", name)
    case "a.mkv": try folder.ffmpeg("source.wav", "-c:a", "aac", name)
    case "a.webm": try folder.ffmpeg("source.wav", "-c:a", "libopus", name)
    case "film.mkv":
      try folder.run(
        "ffmpeg", "-v", "error", "-i", "source.wav", "-f", "lavfi", "-i", "color=c=red:s=64x64:d=2.5", "-c:v",
        "mpeg4", "-c:a", "flac", name)
    default: try folder.ffmpeg("source.wav", name)
    }
    let whole = try folder.bytes(of: name)
    try folder.write(Array(whole.prefix(whole.count * 6 / 10)), to: "cut-\(name)")
    let decoded = try Decoded(folder.location("cut-\(name)"))
    // Ogg comes in pages of up to a second, and a page that is not whole is not played.
    #expect(decoded.frames > 40_000)
    #expect(decoded.frames < 84_000)
    #expect(decoded.damage != nil)
    #expect(decoded.damage?.code == .truncated || decoded.damage?.code == .corrupt)
    #expect(decoded.finalFrames == Int64(decoded.frames))
    if !["a.mp3", "a.ogg", "a.opus", "a.mkv", "a.webm"].contains(name) {
      #expect(decoded.samples.prefix(120_000) == noise.samples.prefix(120_000))
    }
  }

  @Test("of Ogg that were cut off anywhere say so, and whole ones do not")
  func cutPages() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 60_000, smoothing: 0.9).wav(), to: "source.wav")
    try folder.run("oggenc", "-Q", "-o", "a.ogg", "source.wav")
    let whole = try folder.bytes(of: "a.ogg")
    let pages = whole.indices.filter { Array(whole[$0...].prefix(4)) == Array("OggS".utf8) }
    let page = try #require(pages.dropFirst(4).first)
    for length in [page - 1, page + 1, page + 4, page + 26, page + 27, page + 40, whole.count - 1] {
      try folder.write(Array(whole.prefix(length)), to: "cut.ogg")
      let decoded = try Decoded(folder.location("cut.ogg"))
      #expect(decoded.damage?.code == .truncated, "after \(length) of \(whole.count), page at \(page)")
    }
    // Behind the last page players leave tags of their own.
    for bytes in [whole, whole + Array("TAG".utf8), Array(whole.prefix(page))] {
      try folder.write(bytes, to: "a.ogg")
      #expect(try Decoded(folder.location("a.ogg")).damage == nil, "\(bytes.count) bytes of \(whole.count)")
    }
  }

  @Test("say where they are damaged to the millisecond")
  func milliseconds() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 100_000).wav(), to: "source.wav")
    try folder.run("flac", "-s", "-o", "a.flac", "source.wav")
    let whole = try folder.bytes(of: "a.flac")
    try folder.write(Array(whole.prefix(whole.count / 2)), to: "a.flac")
    let message = try #require(try Decoded(folder.location("a.flac")).damage?.message)
    let number = try #require(message.firstMatch(of: /after ([0-9]+\.[0-9]+) s/), "\(message)").1
    #expect(number.split(separator: ".")[1].count <= 3, "\(message)")
    #expect(Duration.milliseconds(278.639455).secondsText == "0.279")
    #expect(Duration.milliseconds(4_999.9).secondsText == "5")
  }

  @Test(
    "with a hole in the middle play on behind it and say so",
    arguments: ["a.flac", "a.mp3", "a.m4a", "a.ogg", "a.wv"])
  func hole(_ name: String) throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 120_000, smoothing: 0.9).wav(), to: "source.wav")
    switch name {
    case "a.flac": try folder.run("flac", "-s", "-o", name, "source.wav")
    case "a.mp3": try folder.run("lame", "--quiet", "source.wav", name)
    case "a.ogg": try folder.run("oggenc", "-Q", "-o", name, "source.wav")
    case "a.wv": try folder.run("wavpack", "-q", "source.wav", "-o", name)
    default: try folder.ffmpeg("source.wav", "-c:a", "alac", name)
    }
    var bytes = try folder.bytes(of: name)
    var generator = SeededGenerator(seed: 8)
    for index in (bytes.count / 2)..<(bytes.count / 2 + 3_000) {
      bytes[index] = UInt8.random(in: 0...255, using: &generator)
    }
    try folder.write(bytes, to: name)
    let decoded = try Decoded(folder.location(name))
    #expect(decoded.frames > 90_000, "\(name) stopped after \(decoded.frames)")
    // Ogg and MP3 have no check that tells every hole.
    if ["a.flac", "a.m4a", "a.wv"].contains(name) { #expect(decoded.damage != nil) }
  }

  @Test("of WavPack with one wrong bit say so")
  func wavPackSum() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 120_000, smoothing: 0.9).wav(), to: "source.wav")
    try folder.run("wavpack", "-q", "source.wav", "-o", "a.wv")
    var bytes = try folder.bytes(of: "a.wv")
    bytes[bytes.count / 2] ^= 4
    try folder.write(bytes, to: "a.wv")
    #expect(try Decoded(folder.location("a.wv")).damage?.code == .corrupt)
  }

  @Test("of Matroska whose rest cannot be found any more say so, and whole ones do not")
  func matroskaHole() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 240_000, smoothing: 0.9).wav(), to: "source.wav")
    try folder.ffmpeg("source.wav", "-c:a", "flac", "a.mka")
    try folder.ffmpeg("source.wav", "-c:a", "libopus", "a.webm")
    for name in ["a.mka", "a.webm"] {
      #expect(try Decoded(folder.location(name)).damage == nil, "\(name)")
      var bytes = try folder.bytes(of: name)
      for index in (bytes.count / 2)..<bytes.count { bytes[index] = 0xFF }
      try folder.write(bytes, to: name)
      #expect(try Decoded(folder.location(name)).damage != nil, "\(name)")
    }
    // A film may go on behind its sound.
    try folder.run(
      "ffmpeg", "-v", "error", "-i", "source.wav", "-f", "lavfi", "-i", "color=c=red:s=64x64:d=9", "-c:v",
      "mpeg4",
      "-c:a", "flac", "film.mkv")
    #expect(try Decoded(folder.location("film.mkv")).damage == nil)
    // What is sent as it comes about has no length.
    try folder.run("sh", "-c", "ffmpeg -v error -i source.wav -c:a flac -f matroska - > live.mka")
    #expect(try Decoded(folder.location("live.mka")).damage == nil)
  }

  @Test("whose length was never written play to their end", arguments: [0, 0xFFFF_FFFF, 0x7FFF_FFFF])
  func unknownLength(_ claimed: Int) throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 5_000)
    try folder.write(noise.wav(claimedBytes: claimed), to: "a.wav")
    let decoded = try Decoded(folder.location("a.wav"))
    #expect(decoded.samples == noise.samples)
    #expect(decoded.damage == nil)
  }

  @Test("of FLAC from a pipe, without a length, play whole")
  func flacFromPipe() throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 50_000)
    try folder.write(noise.wav(), to: "source.wav")
    try folder.run("flac", "-s", "-o", "a.flac", "source.wav")
    var bytes = try folder.bytes(of: "a.flac")
    for index in 21...25 { bytes[index] = index == 21 ? bytes[index] & 0xF0 : 0 }
    try folder.write(bytes, to: "a.flac")
    let decoded = try Decoded(folder.location("a.flac"))
    #expect(decoded.samples == noise.samples)
    #expect(decoded.finalFrames == 50_000)
    #expect(decoded.damage == nil)
  }
}
