/// Writes FLAC whose frames each have a format of their own, which no encoder does.
///
/// Each frame is one value for all samples, so that it is short however much sound it stands for.
struct FlacWriter {
  private(set) var bytes: [UInt8]
  private var samples = 0

  /// A stream whose header names this format, and no length: libsndfile leaves it to FFmpeg.
  init(rate: Int, channels: Int) {
    bytes = Array("fLaC".utf8) + [0x80, 0, 0, 34]
    Self.append(16, 2, to: &bytes)
    Self.append(65_535, 2, to: &bytes)
    Self.append(0, 6, to: &bytes)
    // Of the rate 20 bits, of the channels 3, of the sample's size 5 and of the length 36.
    Self.append(rate << 12 | (channels - 1) << 9 | 15 << 4, 4, to: &bytes)
    bytes += [UInt8](repeating: 0, count: 4 + 16)
  }

  /// Adds one frame of `count` samples at `rate`, which is below 65,536 or a multiple of 10 below 655,360.
  mutating func append(count: Int, rate: Int, channels: Int, value: Int16) {
    var frame: [UInt8] = [0xFF, 0xF9, rate < 65_536 ? 0x7D : 0x7E, UInt8((channels - 1) << 4 | 4 << 1)]
    frame += Self.coded(samples)
    Self.append(count - 1, 2, to: &frame)
    Self.append(rate < 65_536 ? rate : rate / 10, 2, to: &frame)
    frame.append(UInt8(Self.checksum(frame, width: 8, polynomial: 0x07)))
    for _ in 0..<channels {
      frame.append(0)
      Self.append(Int(UInt16(bitPattern: value)), 2, to: &frame)
    }
    Self.append(Self.checksum(frame, width: 16, polynomial: 0x8005), 2, to: &frame)
    bytes += frame
    samples += count
  }

  /// As UTF-8 would code it, which is how a frame says where it begins.
  private static func coded(_ number: Int) -> [UInt8] {
    if number < 0x80 { return [UInt8(number)] }
    // Each byte that follows has 6 bits, and the first has one fewer for each of them.
    let followers = (1...6).first { number < 1 << (6 * $0 + max(6 - $0, 0)) } ?? 6
    let first = ~0 << (7 - followers) & 0xFF | number >> (6 * followers)
    return [UInt8(first & 0xFF)]
      + (0..<followers).reversed().map { UInt8(0x80 | number >> (6 * $0) & 0x3F) }
  }

  private static func append(_ number: Int, _ count: Int, to bytes: inout [UInt8]) {
    for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }

  private static func checksum(_ bytes: [UInt8], width: Int, polynomial: Int) -> Int {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ Int(byte) << (width - 8)) { sum, _ in
        (sum << 1 ^ (sum >> (width - 1) & 1 == 1 ? polynomial : 0)) & ((1 << width) - 1)
      }
    }
  }
}
