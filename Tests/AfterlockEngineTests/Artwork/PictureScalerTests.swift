import AfterlockCore
import AfterlockTestSupport
import Glibc
import Testing

@testable import AfterlockEngine

@Suite("Making a picture small enough", .computesForLong)
struct PictureScalerTests {
  let folder: SourceFolder
  init() throws { folder = try SourceFolder() }

  @Test(
    "keeps its shape, also where it is odd or a pixel wide, and its kind",
    arguments: [
      ("a.jpg", 1_000, 500, "mjpeg,512,256"), ("a.jpg", 500, 1_000, "mjpeg,256,512"),
      ("a.jpg", 1_023, 767, "mjpeg,512,384"), ("a.jpg", 4_000, 3_000, "mjpeg,512,384"),
      ("a.jpg", 2_000, 2, "mjpeg,512,1"), ("a.png", 1_000, 1_000, "png,512,512"),
      ("a.png", 777, 513, "png,512,338"), ("a.png", 1, 3_000, "png,1,512"), ("a.png", 3_001, 1, "png,512,1"),
      ("a.png", 20_000, 7, "png,512,1"), ("a.bmp", 600, 300, "mjpeg,512,256"),
      ("a.webp", 600, 300, "mjpeg,512,256"), ("a.gif", 600, 300, "png,512,256"),
    ])
  func shape(_ name: String, _ width: Int, _ height: Int, _ expected: String) throws {
    let bytes = try folder.picture(name, width, height)
    let picture = PictureScaler.fit(bytes, into: 512) ?? .init(bytes: [], kind: .gif)
    let found = try folder.probe(picture.bytes)
    #expect(found.hasPrefix(expected + ",") && !found.contains("\n"), "\(found)")
    let header = PictureHeader(picture.bytes)
    #expect(header?.isWhole == true && header?.kind == picture.kind)
    #expect(header.map { "\(expected)".hasSuffix(",\($0.width),\($0.height)") } == true)
  }

  @Test("gives what is small enough as it is, without FFmpeg's hand in it", arguments: ["a.jpg", "a.png"])
  func small(_ name: String) throws {
    let bytes = try folder.picture(name, 512, 300)
    for side in [512, nil] {
      let isTheSame = PictureScaler.fit(bytes, into: side)?.bytes == bytes
      #expect(isTheSame)
    }
    // Small in pixels, and with a megabyte of something else: that is left behind.
    let light = PictureScaler.fit(Self.padded(bytes), into: 512)?.bytes ?? []
    #expect(light.count < 1 << 20)
    let found = try folder.probe(light)
    #expect(found.contains(",512,300,"))
  }

  /// Comments before the picture's own parts.
  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    guard PictureKind(bytes) == .jpeg else {
      var chunk: [UInt8] = [0, 0x20, 0, 0] + Array("prVt".utf8) + [UInt8](repeating: 7, count: 0x20_0000)
      chunk.append(bigEndian: Int(LyingPicture.crc(chunk[4...])), 4)
      return Array(bytes[..<33]) + chunk + Array(bytes[33...])
    }
    let comment = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
    return Array(bytes[..<2]) + (0..<20).flatMap { _ in comment } + Array(bytes[2...])
  }

  @Test("keeps alpha, and only alpha makes other kinds PNG")
  func alpha() throws {
    let half = ["-vf", "format=rgba,colorchannelmixer=aa=0.5"]
    let png = try folder.picture("a.png", 1_200, 600, half)
    func probe(_ bytes: [UInt8]) throws -> String {
      try folder.probe(PictureScaler.fit(bytes, into: 300)?.bytes ?? [])
    }
    #expect(try probe(png) == "png,300,150,rgba")
    let pixels = try folder.pixels(PictureScaler.fit(png, into: 300)?.bytes ?? [])
    let isHalf = stride(from: 3, to: pixels.count, by: 4).allSatisfy { (126...129).contains(pixels[$0]) }
    #expect(isHalf)
    let webp = try folder.picture("a.webp", 600, 300, half + ["-lossless", "1"])
    #expect(try probe(webp) == "png,300,150,rgba")
    let opaque = try folder.picture("b.png", 1_200, 600, ["-pix_fmt", "rgb24"])
    #expect(try probe(opaque) == "png,300,150,rgb24")
  }

  @Test(
    "looks like the picture",
    arguments: [
      ("a.jpg", []), ("a.png", ["-pix_fmt", "rgb24"]), ("a.png", ["-pix_fmt", "rgb48be"]),
      ("a.png", ["-pix_fmt", "pal8"]), ("a.webp", ["-lossless", "1"]), ("a.bmp", []),
    ] as [(String, [String])])
  func looks(_ name: String, _ options: [String]) throws {
    let bytes = try folder.picture(name, 1_600, 1_200, options)
    let scaled = PictureScaler.fit(bytes, into: 200)?.bytes ?? []
    try folder.write(bytes, to: "source")
    try folder.ffmpeg("source", "-vf", "scale=200:150:flags=area", "-pix_fmt", "rgb24", "small.png")
    let (one, other) = try (folder.pixels(scaled), folder.pixels(folder.bytes(of: "small.png")))
    #expect(one.count == other.count && one.count == 200 * 150 * 4)
    let difference = zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(difference) / Double(one.count) < 6, "\(Double(difference) / Double(one.count))")
  }

  @Test("decodes a JPEG that comes in scans, to a part of its size too", arguments: [4, 16, 32, 63])
  func progressive(_ side: Int) throws {
    #expect(PictureHeader(ProgressivePicture.bytes)?.passes == 10)
    let scaled = PictureScaler.fit(ProgressivePicture.bytes, into: side)?.bytes ?? []
    let height = (side * 48 + 32) / 64
    #expect(try folder.probe(scaled).contains(",\(side),\(height),"))
    let pixels = try folder.pixels(scaled)
    let (left, right) = (0, 4 * (side - 1))
    #expect(pixels[left] > 200 && pixels[left + 2] < 50 && pixels[right] < 50 && pixels[right + 2] > 200)
  }

  @Test("refuses what claims to be enormous at once, whatever stands behind the claim")
  func enormous() throws {
    let jpeg = try folder.picture("a.jpg", 64, 64)
    let clock = ContinuousClock()
    let began = clock.now
    for (width, height) in [(60_000, 60_000), (0x7FFF_FFFF, 0x7FFF_FFFF), (0xFFFF_FFFF, 0xFFFF_FFFF), (0, 5)]
    {
      #expect(PictureScaler.size(LyingPicture.png(width, height), into: 512) == nil, "\(width) × \(height)")
    }
    #expect(try PictureScaler.size(LyingPicture.jpeg(jpeg, width: 65_500, height: 65_500), into: 512) == nil)
    #expect(clock.now - began < .seconds(5))
    // Within the bound, and not there.
    #expect(PictureScaler.size(LyingPicture.png(9_000, 9_000), into: 512) == nil)
    #expect(try PictureScaler.size(LyingPicture.jpeg(jpeg, width: 9_000, height: 9_000), into: 512) == nil)
  }

  @Test("refuses scans without end over a large picture")
  func scans() throws {
    let bytes = try folder.picture("a.jpg", 1_600, 1_200)
    #expect(PictureHeader(bytes)?.passes == 1)
    let scan = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let more = Array(bytes[..<scan]) + (0..<600).flatMap { _ in bytes[scan..<(scan + 14)] } + bytes[scan...]
    let header = PictureHeader(more)
    #expect(header?.passes == 601 && header?.isWhole == true)
    #expect(PictureScaler.size(more, into: 512) == nil)
  }

  @Test("looks at nothing in a PNG but the picture, so that texts packed into it cost nothing")
  func packedTexts() throws {
    let plain = try folder.picture("a.png", 900, 600)
    // Each 100 MB of zeros.
    try folder.run(
      "python3",
      [
        "-c",
        """
        import zlib
        packed = zlib.compressobj(9)
        data = b"".join(packed.compress(bytes(1 << 20)) for _ in range(100)) + packed.flush()
        open("packed", "wb").write(data)
        """,
      ])
    let packed = try folder.bytes(of: "packed")
    func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      var chunk: [UInt8] = []
      chunk.append(bigEndian: contents.count, 4)
      chunk += Array(name.utf8) + contents
      chunk.append(bigEndian: Int(LyingPicture.crc(chunk[4...])), 4)
      return chunk
    }
    let text = chunk("zTXt", Array("a".utf8) + [0, 0] + packed)
    let profile = chunk("iCCP", Array("a".utf8) + [0, 0] + packed)
    let bytes = Array(plain[..<33]) + profile + (0..<10).flatMap { _ in text } + plain[33...]
    let before = threadTime
    let bomb = PictureScaler.fit(bytes, into: 300)?.bytes ?? []
    let cost = threadTime - before
    #expect(cost < .seconds(1), "\(cost)")
    let isTheSame = bomb == PictureScaler.fit(plain, into: 300)?.bytes
    #expect(isTheSame && !bomb.isEmpty)
  }

  /// What this thread has computed so far.
  private var threadTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test("keeps what a palette says is transparent")
  func palette() throws {
    try folder.run(
      "python3",
      [
        "-c",
        """
        import struct, zlib
        def chunk(name, data):
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        chunks = [(b"IHDR", struct.pack(">IIBBBBB", 900, 600, 8, 3, 0, 0, 0)), (b"PLTE", bytes([9, 99, 199]))]
        chunks += [(b"tRNS", bytes([128])), (b"IDAT", zlib.compress(bytes(901 * 600))), (b"IEND", b"")]
        data = b"".join(chunk(*each) for each in chunks)
        open("palette.png", "wb").write(bytes([137, 80, 78, 71, 13, 10, 26, 10]) + data)
        """,
      ])
    let png = try folder.bytes(of: "palette.png")
    #expect(try folder.probe(png).contains("pal8"))
    let pixels = try folder.pixels(PictureScaler.fit(png, into: 300)?.bytes ?? [])
    let isHalf = stride(from: 3, to: pixels.count, by: 4).allSatisfy { (120...136).contains(pixels[$0]) }
    #expect(isHalf && !pixels.isEmpty)
  }

  @Test("refuses what is cut off, at every length, and what is no picture", arguments: ["a.jpg", "a.png"])
  func cutOff(_ name: String) throws {
    let bytes = try folder.picture(name, 700, 400)
    #expect(PictureScaler.size(bytes, into: 512) != nil)
    for length in stride(from: 0, to: bytes.count - 1, by: 97) {
      #expect(PictureScaler.size(Array(bytes[..<length]), into: 512) == nil, "\(length)")
    }
    #expect(PictureScaler.size(Array("This is no picture.\n".utf8), into: 512) == nil)
    #expect(PictureScaler.size([UInt8](repeating: 0, count: ArtworkLimits.mostBytes + 1), into: 512) == nil)
  }

  @Test("refuses a picture that is damaged half-way")
  func damaged() throws {
    var bytes = try folder.picture("a.png", 700, 400)
    bytes[bytes.count / 2] ^= 0xFF
    #expect(PictureScaler.size(bytes, into: 512) == nil)
  }

  @Test("decodes the largest in a bounded time")
  func large() throws {
    let bytes = try folder.picture("a.jpg", 12_000, 8_000)
    let clock = ContinuousClock()
    let began = clock.now
    #expect(PictureScaler.size(bytes, into: 512) == "jpg 512 × 341")
    #expect(clock.now - began < .seconds(30))
    #expect(
      try PictureScaler.size(folder.picture("b.jpg", 12_000, 9_000), into: 512) == nil, "108 megapixels")
  }

  @Test("stops between its steps when it is told to")
  func stops() throws {
    let bytes = try folder.picture("a.jpg", 1_600, 1_200)
    var questions = 0
    let picture = PictureScaler.fit(bytes, into: 512) {
      questions += 1
      return questions == 2
    }
    #expect(picture?.kind == nil && questions == 2)
  }
}
