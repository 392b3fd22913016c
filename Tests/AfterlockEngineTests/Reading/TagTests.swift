import AfterlockCore
import AfterlockEngine
import AfterlockTestSupport
import Glibc
import Testing

@Suite("Tags", .computesForLong)
struct TagTests {
  private static let expected: MediaTags = {
    var tags = MediaTags()
    tags.title = "Größe 大 🎵"
    tags.artists = ["First", "Second"]
    tags.album = "Album"
    tags.albumArtists = ["Both"]
    tags.composers = ["Composer"]
    tags.genres = ["Jazz"]
    tags.comment = "A comment"
    tags.date = "2019-05-04"
    tags.trackNumber = 3
    tags.discNumber = 2
    return tags
  }()

  private static let vorbis = [
    "TITLE=Größe 大 🎵", "ARTIST=First", "artist=Second", "ALBUM=Album", "ALBUMARTIST=Both",
    "COMPOSER=Composer",
    "GENRE=Jazz", "COMMENT=A comment", "DATE=2019-05-04", "TRACKNUMBER=3/12", "DISCNUMBER=2/2",
  ]

  private static func source(_ folder: SourceFolder) throws {
    try folder.write(Noise(frames: 20_000, smoothing: 0.9).wav(), to: "source.wav")
  }

  @Test("of every kind of file are read whole, several values each kept")
  func everyFormat() throws {
    let folder = try SourceFolder()
    try Self.source(folder)
    let plain = [
      "title": "Größe 大 🎵", "artist": "First;Second", "album": "Album", "album_artist": "Both",
      "composer": "Composer", "genre": "Jazz", "comment": "A comment", "date": "2019-05-04", "track": "3/12",
      "disc": "2/2",
    ]
    let metadata = plain.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
    for (name, encoder) in [
      ("a.m4a", "aac"), ("a.mka", "libvorbis"), ("a.mp3", "libmp3lame"), ("a.mov", "alac"),
    ] {
      try folder.run(
        "ffmpeg", ["-v", "error", "-y", "-i", "source.wav", "-c:a", encoder] + metadata + [name])
    }
    try folder.run("flac", ["-s"] + Self.vorbis.map { "--tag=\($0)" } + ["-o", "a.flac", "source.wav"])
    try folder.run("oggenc", ["-Q"] + Self.vorbis.flatMap { ["-c", $0] } + ["-o", "a.ogg", "source.wav"])
    try folder.run(
      "opusenc", ["--quiet"] + Self.vorbis.flatMap { ["--comment", $0] } + ["source.wav", "a.opus"])
    try folder.run(
      "flac", ["-s", "--ogg"] + Self.vorbis.map { "--tag=\($0)" } + ["-o", "a.oga", "source.wav"])
    try folder.run(
      "wavpack",
      ["-q"]
        + [
          "Title=Größe 大 🎵", "Artist=First;Second", "Album=Album", "Album Artist=Both", "Composer=Composer",
          "Genre=Jazz", "Comment=A comment", "Year=2019-05-04", "Track=3/12", "Disc=2/2",
        ].flatMap { ["-w", $0] } + ["source.wav", "-o", "a.wv"])
    for name in ["a.m4a", "a.mka", "a.mp3", "a.mov", "a.flac", "a.ogg", "a.opus", "a.oga", "a.wv"] {
      var tags = try Decoded(folder.location(name)).info.tags
      // QuickTime's own atoms have no place for these.
      if name == "a.mov" {
        if tags.composers.isEmpty { tags.composers = Self.expected.composers }
        if tags.albumArtists.isEmpty { tags.albumArtists = Self.expected.albumArtists }
        if tags.trackNumber == nil { tags.trackNumber = Self.expected.trackNumber }
        if tags.discNumber == nil { tags.discNumber = Self.expected.discNumber }
      }
      #expect(tags == Self.expected, "\(name)")
    }
  }

  @Test("of a FLAC file that has them without end do not hold anybody, and the first are read")
  func endless() throws {
    let folder = try SourceFolder()
    try Self.source(folder)
    try folder.run("flac", ["-s", "-o", "a.flac", "source.wav"])
    // As libsndfile takes the file it is asked, and as FFmpeg does that reads on behind damage.
    let plain = try folder.bytes(of: "a.flac")
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
    }
    let comments = ["TITLE=First"] + Array(repeating: "COMMENT=x", count: 120_000)
    var block = number(0, 4) + number(comments.count, 4)
    for comment in comments { block += number(comment.utf8.count, 4) + Array(comment.utf8) }
    let header = [4] + number(block.count, 3).reversed()
    try folder.write(Array(plain[..<42]) + header + block + plain[42...], to: "b.flac")
    var before = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
    let decoded = try Decoded(folder.location("b.flac"))
    var after = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
    #expect(after.tv_sec - before.tv_sec < 3)
    #expect(decoded.info.tags.title == "First" && decoded.info.frames == 20_000)
    #expect(try decoded.samples == Decoded(folder.location("a.flac")).samples)
    // The header does not tell the length: libsndfile leaves it to FFmpeg.
    var unknown = Array(plain[..<42])
    for index in 22..<26 { unknown[index] = 0 }
    unknown[21] &= 0xF0
    try folder.write(unknown + header + block + plain[42...], to: "c.flac")
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
    let other = try Decoded(folder.location("c.flac"))
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
    #expect(after.tv_sec - before.tv_sec < 3)
    #expect(other.samples == decoded.samples)
  }

  @Test("of ID3 are read in all encodings, in every kind of file that carries them")
  func id3() throws {
    let folder = try SourceFolder()
    try Self.source(folder)
    let four = TagWriter.id3v2([
      .utf8("TIT2", "Größe 大 🎵"), .utf8("TPE1", "First\u{0}Second"), .utf8("TALB", "Album"),
      .utf8("TPE2", "Both"),
      .utf8("TCOM", "Composer"), .utf8("TCON", "Jazz"),
      .init(id: "COMM", body: [3] + Array("eng\u{0}A comment".utf8)), .utf8("TDRC", "2019-05-04"),
      .utf8("TRCK", "3/12"), .utf8("TPOS", "2/2"),
    ])
    let three = TagWriter.id3v2(
      [
        .utf16("TIT2", "Größe 大 🎵"), .utf16("TPE1", "Björk"), .latin1("TALB", [0x43, 0x61, 0x66, 0xE9]),
        .utf16("TRCK", "07"),
      ], version: 3)
    try folder.run("lame", "--quiet", "-t", "source.wav", "bare.mp3")
    try folder.run("flac", "-s", "-o", "bare.flac", "source.wav")
    try folder.write(four + folder.bytes(of: "bare.mp3"), to: "four.mp3")
    try folder.write(three + folder.bytes(of: "bare.mp3"), to: "three.mp3")
    try folder.write(four + folder.bytes(of: "bare.flac"), to: "four.flac")
    let noise = Noise(frames: 500)
    try folder.write(noise.wav(extraChunks: Noise.chunk("id3 ", four)), to: "four.wav")
    for name in ["four.mp3", "four.flac", "four.wav"] {
      #expect(try Decoded(folder.location(name)).info.tags == Self.expected, "\(name)")
    }
    #expect(try Decoded(folder.location("four.wav")).samples == noise.samples)
    let old = try Decoded(folder.location("three.mp3")).info.tags
    #expect(old.title == "Größe 大 🎵")
    #expect(old.artists == ["Björk"])
    #expect(old.album == "Café")
    #expect(old.trackNumber == 7)
  }

  @Test("of RIFF are read, in UTF-8 and in Latin-1")
  func riff() throws {
    let folder = try SourceFolder()
    let info =
      Array("INFO".utf8) + Noise.chunk("INAM", [0x43, 0x61, 0x66, 0xE9, 0])
      + Noise.chunk("IART", Array("Björk\u{0}".utf8)) + Noise.chunk("IPRD", Array("Album\u{0}".utf8))
      + Noise.chunk("ITRK", Array("5\u{0}".utf8)) + Noise.chunk("ICRD", Array("2001\u{0}".utf8))
      + Noise.chunk("IGNR", Array("Folk\u{0}".utf8)) + Noise.chunk("ICMT", Array("note\u{0}".utf8))
    try folder.write(Noise(frames: 500).wav(extraChunks: Noise.chunk("LIST", info)), to: "a.wav")
    let tags = try Decoded(folder.location("a.wav")).info.tags
    #expect(tags.title == "Café")
    #expect(tags.artists == ["Björk"])
    #expect(tags.album == "Album")
    #expect(tags.trackNumber == 5)
    #expect(tags.date == "2001")
    #expect(tags.genres == ["Folk"])
    #expect(tags.comment == "note")
  }

  @Test("in broken encodings become valid text without NUL or control characters")
  func brokenEncodings() throws {
    let folder = try SourceFolder()
    try Self.source(folder)
    try folder.run("flac", "-s", "--no-padding", "-o", "bare.flac", "source.wav")
    try folder.run("lame", "--quiet", "-t", "source.wav", "bare.mp3")
    func key(_ text: String, _ value: [UInt8]) -> [UInt8] { Array(text.utf8) + value }
    let comments = TagWriter.comments([
      key("TITLE=", [0x43, 0x61, 0x66, 0xE9, 0x20, 0x93, 0x78, 0x94]),
      key("ARTIST=", [0x41, 0x1B, 0x5B, 0x32, 0x4A, 0x07, 0x42]),
      key("ALBUM=", Array("大きな".utf8) + [0xFF] + Array("音".utf8)),
      key("COMMENT=", Array("before\u{0}after".utf8)),
      key("TRACKNUMBER=", Array("no number".utf8)), [0xFF, 0xFE], [], key("=", [1]),
    ])
    let flac = try folder.bytes(of: "bare.flac")
    try folder.write(TagWriter.flac(flac, adding: [(4, comments)]), to: "broken.flac")
    try folder.write(
      folder.bytes(of: "bare.mp3")
        + TagWriter.id3v1(title: [0x43, 0x61, 0x66, 0xE9], artist: [0x80], track: 9),
      to: "old.mp3")
    try folder.write(
      TagWriter.id3v2([
        .init(id: "TIT2", body: [3, 0x43, 0x61, 0x66, 0xE9]), .init(id: "TPE1", body: [1, 0xFF]),
      ])
        + folder.bytes(of: "bare.mp3"), to: "lying.mp3")
    let broken = try Decoded(folder.location("broken.flac")).info.tags
    #expect(broken.title == "Café “x”")
    #expect(broken.artists == ["A[2JB"])
    #expect(broken.album == "大きな\u{FFFD}音")
    #expect(broken.comment == "before")
    #expect(broken.trackNumber == nil)
    let old = try Decoded(folder.location("old.mp3")).info.tags
    #expect(old.title == "Café")
    #expect(old.artists == ["€"])
    #expect(old.album == "Album")
    #expect(old.trackNumber == 9)
    #expect(try Decoded(folder.location("lying.mp3")).info.tags.title?.hasPrefix("Caf") == true)
  }

  @Test("of megabytes are cut at 64 KiB, between two characters")
  func bounded() throws {
    let folder = try SourceFolder()
    try Self.source(folder)
    try folder.run("flac", "-s", "--no-padding", "-o", "bare.flac", "source.wav")
    try folder.run("lame", "--quiet", "-t", "source.wav", "bare.mp3")
    let long = [UInt8]("a".utf8) + [UInt8](repeatElement(Array("音".utf8), count: 3_300_000).joined())
    let comments = TagWriter.comments([Array("TITLE=".utf8) + long, Array("ARTIST=x".utf8)])
    try folder.write(TagWriter.flac(folder.bytes(of: "bare.flac"), adding: [(4, comments)]), to: "long.flac")
    try folder.write(
      TagWriter.id3v2([.init(id: "TIT2", body: [3] + long), .utf8("TPE1", "x")])
        + folder.bytes(of: "bare.mp3"),
      to: "long.mp3")
    for name in ["long.flac", "long.mp3"] {
      let decoded = try Decoded(folder.location(name))
      let title = try #require(decoded.info.tags.title, "\(name)")
      #expect(title.utf8.count <= 64 << 10)
      #expect(title.utf8.count > 60 << 10)
      #expect(title.unicodeScalars.dropFirst().allSatisfy { $0 == "音" })
      #expect(decoded.frames >= 20_000)
    }
  }
}

@Suite("Artwork", .computesForLong)
struct ArtworkTests {
  @Test("is found in every kind of file, as it stands there, and is no track")
  func everyFormat() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 20_000, smoothing: 0.9).wav(), to: "source.wav")
    try folder.write(TagWriter.png, to: "cover.png")
    try folder.run("flac", "-s", "-o", "bare.flac", "source.wav")
    try folder.run("lame", "--quiet", "-t", "source.wav", "bare.mp3")
    let back = TagWriter.flacPicture([1, 2, 3], mimeType: "image/jpeg", kind: 4)
    let front = TagWriter.flacPicture(TagWriter.png, mimeType: "image/png")
    let flac = try folder.bytes(of: "bare.flac")
    try folder.write(TagWriter.flac(flac, adding: [(6, back), (6, front)]), to: "a.flac")
    try folder.write(
      TagWriter.id3v2([.picture(TagWriter.png, mimeType: "image/png")]) + folder.bytes(of: "bare.mp3"),
      to: "a.mp3")
    try folder.run("opusenc", "--quiet", "--picture", "3||||cover.png", "source.wav", "a.opus")
    try folder.ffmpeg(
      "source.wav", "-i", "cover.png", "-map", "0", "-map", "1", "-c:a", "aac", "-c:v", "copy",
      "-disposition:v",
      "attached_pic", "a.m4a")
    try folder.write(
      Noise(frames: 500).wav(
        extraChunks: Noise.chunk(
          "id3 ", TagWriter.id3v2([.picture(TagWriter.png, mimeType: "image/png"), .utf8("TIT2", "x")]))),
      to: "a.wav")
    for name in ["a.flac", "a.mp3", "a.opus", "a.m4a", "a.wav"] {
      let reader = try MediaOpener.open(folder.location(name))
      defer { reader.close() }
      #expect(reader.info.hasArtwork, "\(name)")
      #expect(reader.readArtwork() == ArtworkImage(bytes: TagWriter.png, mimeType: "image/png"), "\(name)")
      #expect(try !reader.readAll().isEmpty, "\(name)")
      #expect(reader.takeDamage() == nil, "\(name)")
    }
    for name in ["bare.flac", "bare.mp3", "source.wav"] {
      let reader = try MediaOpener.open(folder.location(name))
      #expect(!reader.info.hasArtwork)
      #expect(reader.readArtwork() == nil)
    }
  }

  @Test("that says it is longer than its file is not read")
  func lyingLength() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 20_000).wav(), to: "source.wav")
    try folder.run("flac", "-s", "-o", "bare.flac", "source.wav")
    var picture = TagWriter.flacPicture(TagWriter.png, mimeType: "image/png")
    picture[8 + 9 + 4 + 16] = 0x7F
    try folder.write(TagWriter.flac(folder.bytes(of: "bare.flac"), adding: [(6, picture)]), to: "a.flac")
    let reader = try MediaOpener.open(folder.location("a.flac"))
    #expect(!reader.info.hasArtwork)
    #expect(try reader.readAll().count == 40_000)
  }
}
