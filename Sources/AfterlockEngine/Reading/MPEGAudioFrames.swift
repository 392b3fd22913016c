import AfterlockCore

/// The header of one frame of MPEG sound (MP3 and its older layers).
struct MPEGAudioHeader: Equatable {
  var version: Int
  var layer: Int
  var rate: Int
  var isMono: Bool
  /// Bytes of the frame, header included.
  var length: Int
  /// Samples of each channel in it.
  var samples: Int

  /// `nil` when the four bytes are no header, or one of free format, whose length it does not tell.
  init?(_ word: UInt32) {
    guard word & 0xFFE0_0000 == 0xFFE0_0000 else { return nil }
    let versionBits = Int(word >> 19) & 3
    let layerBits = Int(word >> 17) & 3
    let bitrateIndex = Int(word >> 12) & 15
    let rateIndex = Int(word >> 10) & 3
    guard versionBits != 1, layerBits != 0, bitrateIndex != 0, bitrateIndex != 15, rateIndex != 3 else {
      return nil
    }
    // 1, 2 or 25 for MPEG 2.5
    version = versionBits == 3 ? 1 : versionBits == 2 ? 2 : 25
    layer = 4 - layerBits
    rate = [44_100, 48_000, 32_000][rateIndex] / (version == 1 ? 1 : version == 2 ? 2 : 4)
    isMono = word >> 6 & 3 == 3
    let padding = Int(word >> 9) & 1
    let bitrate = Self.bitrate(isFirstVersion: version == 1, layer: layer, index: bitrateIndex) * 1000
    switch layer {
    case 1:
      samples = 384
      length = (12 * bitrate / rate + padding) * 4
    case 3 where version != 1:
      samples = 576
      length = 72 * bitrate / rate + padding
    default:
      samples = 1152
      length = 144 * bitrate / rate + padding
    }
  }

  private static func bitrate(isFirstVersion: Bool, layer: Int, index: Int) -> Int {
    switch (isFirstVersion, layer) {
    case (true, 1): 32 * index
    case (true, 2): [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384][index]
    case (true, _): [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][index]
    case (false, 1): [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256][index]
    case (false, _): [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][index]
    }
  }
}

/// Where each frame of an MP3 file stands, found out as far as it is asked for.
///
/// FFmpeg seeks in such files by the table of the Xing header or by the bit rate, and is off by up to seconds where the
/// rate varies, or reads every packet up to the target. Headers alone are read at the speed of the disk cache: three
/// hours take well under 100 ms, and the frame that is found is the right one.
final class MPEGAudioFrames {
  /// The first frame's header.
  let first: MPEGAudioHeader
  /// Samples to leave out at the start and the end by the word of the LAME header, the decoder's own delay counted.
  private(set) var startTrim: Int64 = 0
  private(set) var endTrim: Int64 = 0
  /// Frames of MPEG sound that the Xing or VBRI header announces.
  private(set) var announcedCount: Int64?

  private let file: MediaFile
  /// Where the first frame of sound stands.
  let start: Int64
  /// Offsets from `start`.
  private var offsets: [UInt32] = []
  private var scanOffset: Int64
  private(set) var isComplete = false
  private let pattern: UInt32
  /// Bytes of a frame by the bits of bit rate, rate and padding of its header; 0 for what is no header.
  private let lengths: [Int]
  private var block: [UInt8] = []
  private var blockStart: Int64 = 0

  /// Decoders of MPEG sound give their first sample this late.
  private static let decoderDelay: Int64 = 528 + 1

  /// `nil` when the file does not begin with MPEG sound, after any ID3 tags.
  init?(_ file: MediaFile) {
    self.file = file
    let offset = ID3v2Tag.lengthOfAll(file)
    let head = file.bytes(at: offset, count: 4)
    let word = UInt32(head.bigEndian(at: 0, count: 4))
    guard file.size < Int64(UInt32.max), let header = MPEGAudioHeader(word) else { return nil }
    first = header
    pattern = word & Self.constantBits
    let others = word & ~(0x7F << 9)
    lengths = (0..<UInt32(0x80)).map { MPEGAudioHeader(others | $0 << 9)?.length ?? 0 }
    let announces = Self.announcement(file.bytes(at: offset, count: min(header.length, 1024)), header)
    start = announces == nil ? offset : offset + Int64(header.length)
    scanOffset = start
    if let announces {
      if announces.frames > 0 { announcedCount = Int64(announces.frames) }
      if let delay = announces.delay {
        startTrim = Int64(delay) + Self.decoderDelay
        endTrim = max(Int64(announces.padding) - Self.decoderDelay, 0)
      }
    }
  }

  /// Frames of sound that the headers promise, trimmed; `nil` without such a header.
  var announcedSamples: Int64? {
    announcedCount.map { max($0 * Int64(first.samples) - startTrim - endTrim, 0) }
  }

  private static func announcement(
    _ frame: [UInt8], _ header: MPEGAudioHeader
  ) -> (frames: Int, delay: Int?, padding: Int)? {
    guard header.layer == 3 else { return nil }
    if frame.has("VBRI", at: 36) { return (frame.bigEndian(at: 50, count: 4), nil, 0) }
    var at = 4 + (header.version == 1 ? (header.isMono ? 17 : 32) : (header.isMono ? 9 : 17))
    guard frame.has("Xing", at: at) || frame.has("Info", at: at) else { return nil }
    let flags = frame.bigEndian(at: at + 4, count: 4)
    at += 8
    let frames = flags & 1 != 0 ? frame.bigEndian(at: at, count: 4) : 0
    for (bit, size) in [(1, 4), (2, 4), (4, 100), (8, 4)] where flags & bit != 0 { at += size }
    guard frame.has("LAME", at: at) || frame.has("Lavf", at: at) || frame.has("Lavc", at: at) else {
      return (frames, nil, 0)
    }
    let trims = frame.bigEndian(at: at + 21, count: 3)
    return (frames, trims >> 12, trims & 0xFFF)
  }

  /// Number of frames in the file; reads it to the end.
  func countAll() -> Int {
    _ = offset(of: .max)
    return offsets.count
  }

  /// Where frame `number` stands; the last frame's place when there are not so many.
  func offset(of number: Int) -> Int64? {
    while offsets.count <= number, !isComplete { scanMore() }
    guard let last = offsets.last else { return nil }
    return start + Int64(number < offsets.count ? offsets[max(number, 0)] : last)
  }

  /// The number of the frame that stands at `offset` or is the first behind it.
  func number(at offset: Int64) -> Int {
    var (low, high) = (0, offsets.count)
    while low < high {
      let middle = (low + high) / 2
      if start + Int64(offsets[middle]) < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Reads on: all frames in the block at hand, or a search behind what is no frame.
  private func scanMore() {
    let before = offsets.count
    scanBlock()
    if offsets.count == before { resynchronize() }
  }

  /// Follows the headers within one block. The work for each frame is a load and two look-ups, since files of hours
  /// have hundreds of thousands.
  private func scanBlock() {
    if scanOffset < blockStart || scanOffset + 4 > blockStart + Int64(block.count) {
      loadBlock(at: scanOffset)
    }
    var index = Int(scanOffset - blockStart)
    let base = Int(blockStart - start)
    let last = block.count - 4
    block.withUnsafeBytes { bytes in
      while index <= last {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self).bigEndian
        guard word & Self.constantBits == pattern else { break }
        let length = lengths[Int(word >> 9) & 0x7F]
        if length == 0 { break }
        offsets.append(UInt32(base + index))
        index += length
      }
    }
    scanOffset = blockStart + Int64(index)
  }

  /// Goes to the next place where two headers follow each other.
  private func resynchronize() {
    let limit = min(scanOffset + 1 << 20, file.size - 4)
    var offset = scanOffset + 1
    while offset < limit {
      if let length = length(at: offset) {
        let next = offset + Int64(length)
        if next >= file.size || self.length(at: next) != nil { break }
      }
      offset += 1
    }
    if offset >= limit { isComplete = true } else { scanOffset = offset }
  }

  /// The length of a frame like the first at `offset`; `nil` when there is none.
  private func length(at offset: Int64) -> Int? {
    if offset < blockStart || offset + 4 > blockStart + Int64(block.count) { loadBlock(at: offset) }
    let word = UInt32(truncatingIfNeeded: block.bigEndian(at: Int(offset - blockStart), count: 4))
    guard word & Self.constantBits == pattern else { return nil }
    let length = lengths[Int(word >> 9) & 0x7F]
    return length > 0 ? length : nil
  }

  private func loadBlock(at offset: Int64) {
    block = file.bytes(at: offset, count: 256 << 10)
    blockStart = offset
  }

  /// Sync, version, layer and rate: the same in all frames of a file.
  private static let constantBits: UInt32 = 0xFFFE_0C00
}
