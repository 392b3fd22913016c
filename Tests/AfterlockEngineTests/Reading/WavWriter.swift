import AfterlockCore
/// How samples stand in a WAV file.
enum WavSampleType: String, CaseIterable, Sendable {
  case u8, s16, s24, s32, f32, f64

  var bytes: Int {
    switch self {
    case .u8: 1
    case .s16: 2
    case .s24: 3
    case .s32, .f32: 4
    case .f64: 8
    }
  }
  var isFloat: Bool { self == .f32 || self == .f64 }
}

/// Noise with its samples known, as a WAV file and as the floats that a reader must give for it.
struct Noise {
  var channels: Int
  var rate: Int
  var type: WavSampleType
  /// Interleaved, as they must be read.
  private(set) var samples: [Float] = []
  private var data: [UInt8] = []

  /// - Parameter smoothing: 0 for white noise, near 1 for a dull sound that lossy encoders keep well.
  init(
    frames: Int, channels: Int = 2, rate: Int = 44_100, type: WavSampleType = .s16, smoothing: Double = 0,
    seed: UInt64 = 1
  ) {
    self.channels = channels
    self.rate = rate
    self.type = type
    var generator = SeededGenerator(seed: seed)
    var held = [Double](repeating: 0, count: channels)
    samples.reserveCapacity(frames * channels)
    data.reserveCapacity(frames * channels * type.bytes)
    for index in 0..<(frames * channels) {
      let channel = index % channels
      let fresh = Double(Int64(bitPattern: generator.next())) / 9.3e18
      held[channel] = held[channel] * smoothing + fresh * (1 - smoothing)
      append(held[channel] * (smoothing > 0 ? min(1 / (1 - smoothing) / 4, 1.5) : 1))
    }
  }

  private mutating func append(_ value: Double) {
    switch type {
    case .u8:
      let sample = Int(value * 127)
      append(sample + 128, 1)
      samples.append(Float(sample) / 128)
    case .s16:
      let sample = Int(value * 32767)
      append(sample, 2)
      samples.append(Float(sample) / 32768)
    case .s24:
      let sample = Int(value * 8_388_607)
      append(sample, 3)
      samples.append(Float(sample) / 8_388_608)
    case .s32:
      let sample = Int(value * 2_147_483_647)
      append(sample, 4)
      samples.append(Float(sample) / 2_147_483_648)
    case .f32:
      append(Int(Float(value).bitPattern), 4)
      samples.append(Float(value))
    case .f64:
      append(Int(bitPattern: UInt(value.bitPattern)), 8)
      samples.append(Float(value))
    }
  }

  private mutating func append(_ value: Int, _ bytes: Int) { data.append(littleEndian: value, bytes) }

  /// A WAV file.
  /// - Parameters:
  ///   - mask: positions by WAVEFORMATEXTENSIBLE; without it the plain header is written.
  ///   - claimedBytes: what the data chunk says that it has, when that is not the truth.
  ///   - extraChunks: whole chunks to put before the data.
  func wav(mask: Int? = nil, claimedBytes: Int? = nil, extraChunks: [UInt8] = []) -> [UInt8] {
    var format: [UInt8] = []
    let tag = type.isFloat ? 3 : 1
    format.append(littleEndian: mask == nil ? tag : 0xFFFE, 2)
    format.append(littleEndian: channels, 2)
    format.append(littleEndian: rate, 4)
    format.append(littleEndian: rate * channels * type.bytes, 4)
    format.append(littleEndian: channels * type.bytes, 2)
    format.append(littleEndian: type.bytes * 8, 2)
    if let mask {
      format.append(littleEndian: 22, 2)
      format.append(littleEndian: type.bytes * 8, 2)
      format.append(littleEndian: mask, 4)
      format.append(littleEndian: tag, 2)
      format += [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71]
    }
    var body = Array("WAVE".utf8) + Self.chunk("fmt ", format) + extraChunks
    body += Array("data".utf8)
    body.append(littleEndian: claimedBytes ?? data.count, 4)
    body += data
    if data.count % 2 == 1 { body.append(0) }
    var file = Array("RIFF".utf8)
    file.append(littleEndian: min(body.count, Int(UInt32.max)), 4)
    return file + body
  }

  /// One chunk of RIFF, padded.
  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    var chunk = Array(name.utf8)
    chunk.append(littleEndian: body.count, 4)
    return chunk + body + (body.count % 2 == 1 ? [0] : [])
  }
}

extension [UInt8] {
  mutating func append(littleEndian value: Int, _ bytes: Int) {
    for byte in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
  }
  mutating func append(bigEndian value: Int, _ bytes: Int) {
    for byte in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
  }
}
