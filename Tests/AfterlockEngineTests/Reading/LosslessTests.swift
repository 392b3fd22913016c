import AfterlockCore
import AfterlockEngine
import AfterlockTestSupport
import Testing

/// A way to store sound without loss: how the file is made from a WAV file.
struct LosslessCase: Sendable, CustomTestStringConvertible {
  var name: String
  var type: WavSampleType
  var codec: String
  var make: @Sendable (SourceFolder, String, String) throws -> Void
  var testDescription: String { name }

  init(
    _ name: String, _ type: WavSampleType, _ codec: String,
    make: @escaping @Sendable (SourceFolder, String, String) throws -> Void
  ) {
    (self.name, self.type, self.codec, self.make) = (name, type, codec, make)
  }

  /// Encoded by ffmpeg with `arguments`.
  init(_ name: String, _ type: WavSampleType, _ codec: String, _ arguments: String...) {
    self.init(name, type, codec) { folder, source, target in
      try folder.run(
        "ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", source, "-strict", "-2"] + arguments + [target])
    }
  }

  static let wav: [LosslessCase] = WavSampleType.allCases.map { type in
    LosslessCase("\(type.rawValue).wav", type, "pcm_\(type.rawValue)\(type == .u8 ? "" : "le")") {
      try $0.write($0.bytes(of: $1), to: $2)
    }
  }

  static let all: [LosslessCase] =
    wav + [
      LosslessCase("rf64.wav", .s16, "pcm_s16le", "-rf64", "always"),
      // FFmpeg's writer counts the padding of W64 into the sound; sox does not.
      LosslessCase("a.w64", .s24, "pcm_s24le") { try $0.run("sox", $1, $2) },
      LosslessCase("s8.aiff", .u8, "pcm_s8", "-c:a", "pcm_s8"),
      LosslessCase("s16.aiff", .s16, "pcm_s16be", "-c:a", "pcm_s16be"),
      LosslessCase("s24.aiff", .s24, "pcm_s24be", "-c:a", "pcm_s24be"),
      LosslessCase("s32.aiff", .s32, "pcm_s32be", "-c:a", "pcm_s32be"),
      LosslessCase("f32.aifc", .f32, "pcm_f32be", "-c:a", "pcm_f32be", "-f", "aiff"),
      LosslessCase("s16be.caf", .s16, "pcm_s16be", "-c:a", "pcm_s16be"),
      LosslessCase("s16le.caf", .s16, "pcm_s16le", "-c:a", "pcm_s16le"),
      LosslessCase("s24.caf", .s24, "pcm_s24be", "-c:a", "pcm_s24be"),
      LosslessCase("f32.caf", .f32, "pcm_f32le", "-c:a", "pcm_f32le"),
      LosslessCase("s16.au", .s16, "pcm_s16be", "-c:a", "pcm_s16be"),
      LosslessCase("s16.flac", .s16, "flac") { try $0.run("flac", "-s", "-f", "-o", $2, $1) },
      LosslessCase("s24.flac", .s24, "flac") { try $0.run("flac", "-s", "-f", "-8", "-o", $2, $1) },
      LosslessCase("no-table.flac", .s16, "flac") {
        try $0.run("flac", "-s", "-f", "--no-seektable", "-o", $2, $1)
      },
      LosslessCase("ogg.oga", .s16, "flac", "-c:a", "flac"),
      LosslessCase("flac.mka", .s16, "flac", "-c:a", "flac"),
      LosslessCase("flac.mp4", .s16, "flac", "-c:a", "flac"),
      LosslessCase("s16.m4a", .s16, "alac", "-c:a", "alac"),
      LosslessCase("s24.m4a", .s24, "alac", "-c:a", "alac", "-sample_fmt", "s32p"),
      LosslessCase("alac.caf", .s16, "alac", "-c:a", "alac"),
      LosslessCase("alac.mkv", .s16, "alac", "-c:a", "alac"),
      LosslessCase("s16.wv", .s16, "wavpack") { try $0.run("wavpack", "-q", "-y", $1, "-o", $2) },
      LosslessCase("s24.wv", .s24, "wavpack") { try $0.run("wavpack", "-q", "-y", $1, "-o", $2) },
      LosslessCase("s32.wv", .s32, "wavpack") { try $0.run("wavpack", "-q", "-y", $1, "-o", $2) },
      LosslessCase("f32.wv", .f32, "wavpack") { try $0.run("wavpack", "-q", "-y", $1, "-o", $2) },
      LosslessCase("s16.tta", .s16, "tta", "-c:a", "tta"),
      LosslessCase("s16.mov", .s16, "pcm_s16le", "-c:a", "pcm_s16le"),
      LosslessCase("s16.mkv", .s16, "pcm_s16le", "-c:a", "pcm_s16le"),
    ]
}

@Suite("Lossless files", .computesForLong)
struct LosslessTests {
  @Test("come back sample for sample, whatever their length", arguments: LosslessCase.all)
  func exactSamples(_ kind: LosslessCase) throws {
    for frames in [1, 1_151, 4_097, 30_011] {
      let folder = try SourceFolder()
      let noise = Noise(frames: frames, type: kind.type, seed: UInt64(frames))
      try folder.write(noise.wav(), to: "source.wav")
      try kind.make(folder, "source.wav", kind.name)
      let decoded = try Decoded(folder.location(kind.name))
      #expect(decoded.info.codec == kind.codec)
      #expect(decoded.info.format == AudioFormat(rate: 44_100, channels: [.frontLeft, .frontRight]))
      #expect(decoded.frames == frames)
      #expect(decoded.samples == noise.samples, "\(kind.name) of \(frames) frames differs")
      #expect(decoded.damage == nil)
      #expect(decoded.finalFrames == Int64(frames))
    }
  }

  @Test("know their length before they are read", arguments: LosslessCase.all)
  func knownLength(_ kind: LosslessCase) throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 30_011, type: kind.type).wav(), to: "source.wav")
    try kind.make(folder, "source.wav", kind.name)
    let frames = try #require(try Decoded(folder.location(kind.name)).info.frames)
    // FFmpeg counts ALAC in CAF in whole packets when it writes; Matroska counts in milliseconds.
    let slack: Int64 =
      kind.name == "alac.caf" ? 4_096 : kind.name.contains(".mk") && kind.codec != "flac" ? 90 : 0
    #expect(abs(frames - 30_011) <= slack)
  }

  @Test(
    "keep every channel in its place, from mono to 7.1", arguments: 1...8,
    ["s16.wav", "x.wav", "a.flac", "a.wv", "a.caf", "a.aiff", "a.m4a", "a.mkv"])
  func channels(count: Int, name: String) throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 5_003, channels: count, seed: 7)
    // The usual positions as WAVEFORMATEXTENSIBLE numbers them; ALAC knows only sets of its own.
    let masks =
      name == "a.m4a"
      ? [4, 3, 7, 0x107, 0x37, 0x3F, 0x13F, 0xFF] : [4, 3, 7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]
    let mask = masks[count - 1]
    let plain = noise.wav()
    let extended = noise.wav(mask: mask)
    switch name {
    case "s16.wav": try folder.write(plain, to: name)
    case "x.wav": try folder.write(extended, to: name)
    default:
      try folder.write(extended, to: "source.wav")
      switch name {
      case "a.flac": try folder.run("flac", "-s", "-f", "-o", name, "source.wav")
      case "a.wv": try folder.run("wavpack", "-q", "-y", "source.wav", "-o", name)
      case "a.m4a": try folder.ffmpeg("source.wav", "-c:a", "alac", name)
      case "a.mkv": try folder.ffmpeg("source.wav", "-c:a", "pcm_s16le", name)
      default: try folder.ffmpeg("source.wav", name)
      }
    }
    let decoded = try Decoded(folder.location(name))
    #expect(decoded.info.format.channelCount == count)
    #expect(Set(decoded.info.format.channels).count == count)
    #expect(decoded.frames == 5_003)
    let source = (0..<32).filter { mask & (1 << $0) != 0 }.map { Self.maskPositions[$0] }
    for (index, position) in decoded.info.format.channels.enumerated() {
      let other = try #require(
        source.firstIndex(of: position) ?? source.firstIndex(of: Self.behind[position] ?? position),
        "\(position) is not in the source")
      let got = stride(from: index, to: decoded.samples.count, by: count).map { decoded.samples[$0] }
      let wanted = stride(from: other, to: noise.samples.count, by: count).map { noise.samples[$0] }
      #expect(got == wanted, "\(position)")
    }
  }

  /// The bits of WAVEFORMATEXTENSIBLE; a plain file of one channel is mono.
  private static let maskPositions: [ChannelPosition] = [
    .frontLeft, .frontRight, .mono, .lowFrequency, .rearLeft, .rearRight, .frontLeftOfCenter,
    .frontRightOfCenter, .rearCenter, .sideLeft, .sideRight,
  ]
  /// AIFF and CAF say "surround" for what is behind and for what is beside.
  private static let behind: [ChannelPosition: ChannelPosition] = [
    .sideLeft: .rearLeft, .sideRight: .rearRight, .frontCenter: .mono,
  ]

  @Test("take positions from the header rather than by habit")
  func positionsFromMask() throws {
    let folder = try SourceFolder()
    // Front left, front right, side left, side right.
    try folder.write(Noise(frames: 100, channels: 4).wav(mask: 0x603), to: "quad.wav")
    try folder.run(
      "flac", "-s", "-f", "--tag=WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x603", "-o", "quad.flac", "quad.wav")
    for name in ["quad.wav", "quad.flac"] {
      let channels = try Decoded(folder.location(name)).info.format.channels
      #expect(channels == [.frontLeft, .frontRight, .sideLeft, .sideRight], "\(name)")
    }
  }

  @Test("of more than eight channels are refused in words")
  func tooManyChannels() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 100, channels: 9).wav(), to: "nine.wav")
    let failure = #expect(throws: PlaybackFailure.self) { try MediaOpener.open(folder.location("nine.wav")) }
    #expect(failure?.code == .unsupported)
    #expect(failure?.message.contains("9 channels") == true)
  }

  @Test("of any usual rate keep it", arguments: [8_000, 22_050, 48_000, 96_000, 192_000, 384_000])
  func rates(_ rate: Int) throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 2_001, rate: rate)
    try folder.write(noise.wav(), to: "a.wav")
    try folder.run("flac", "-s", "-f", "--lax", "-o", "a.flac", "a.wav")
    try folder.ffmpeg("a.wav", "-c:a", "alac", "a.m4a")
    for name in ["a.wav", "a.flac", "a.m4a"] {
      let decoded = try Decoded(folder.location(name))
      #expect(decoded.info.format.rate == rate, "\(name)")
      #expect(decoded.samples == noise.samples, "\(name)")
    }
  }
}
