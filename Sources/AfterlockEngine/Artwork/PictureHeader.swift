import Glibc

/// The kinds of picture that are shown, told by their first bytes and never by their name.
enum PictureKind: String, Sendable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case gif = "image/gif"
  case webp = "image/webp"
  case bmp = "image/bmp"

  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.has("GIF8", at: 0) {
      self = .gif
    } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
      self = .webp
    } else if bytes.has("BM", at: 0) {
      self = .bmp
    } else {
      return nil
    }
  }

  /// The word for it on the bus and in files.
  var mimeType: String { rawValue }
  /// What names of its files end in.
  var suffix: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .gif: "gif"
    case .webp: "webp"
    case .bmp: "bmp"
    }
  }
}

/// What a picture says of itself, found without decoding it: one that claims to be enormous, or is cut off, costs a look
/// at its bytes.
struct PictureHeader: Equatable {
  let kind: PictureKind
  let width: Int
  let height: Int
  /// How often a decoder goes over the whole picture: the scans of a JPEG, else 1.
  private(set) var passes = 1
  /// Whether it is there up to its own end; known for JPEG and PNG, taken for granted else.
  private(set) var isWhole = true
  /// Whether it may say how it is to be turned, as cameras do: a JPEG with EXIF.
  private(set) var mayBeTurned = false

  /// The longer side, in pixels.
  var longestSide: Int { max(width, height) }

  /// `nil` for what is no picture, or has no size.
  init?(_ bytes: [UInt8]) {
    guard let kind = PictureKind(bytes) else { return nil }
    var size: (width: Int, height: Int)?
    switch kind {
    case .jpeg:
      let walk = JPEGWalk(bytes)
      (size, passes, isWhole) = (walk.size, max(walk.scans, 1), walk.isWhole)
      mayBeTurned = walk.hasEXIF
    case .png:
      guard bytes.has("IHDR", at: 12) else { return nil }
      size = (bytes.bigEndian(at: 16, count: 4), bytes.bigEndian(at: 20, count: 4))
      isWhole = Self.isWholePNG(bytes)
    case .gif: size = (bytes.littleEndian(at: 6, count: 2), bytes.littleEndian(at: 8, count: 2))
    case .webp: size = Self.webpSize(bytes)
    case .bmp:
      // The height is negative where the first line is the topmost.
      let height = Int(Int32(truncatingIfNeeded: bytes.littleEndian(at: 22, count: 4)))
      size = (bytes.littleEndian(at: 18, count: 4), abs(height))
    }
    guard let size, size.width > 0, size.height > 0 else { return nil }
    (self.kind, width, height) = (kind, size.width, size.height)
  }

  /// From chunk to chunk, to the last one.
  private static func isWholePNG(_ bytes: [UInt8]) -> Bool {
    var offset = 8
    while offset + 12 <= bytes.count {
      let end = offset + 12 + bytes.bigEndian(at: offset, count: 4)
      if bytes.has("IEND", at: offset + 4) { return end <= bytes.count }
      offset = end
    }
    return false
  }

  /// The chunks of a whole PNG that its pixels are decoded from. Of the others a few kilobytes may be packed so that a
  /// decoder unpacks a gigabyte of text, or of a colour profile that nobody here looks at.
  static func pixelsOfPNG(_ bytes: [UInt8]) -> [UInt8] {
    var kept = Array(bytes.prefix(8))
    var offset = 8
    while offset + 12 <= bytes.count {
      let end = offset + 12 + bytes.bigEndian(at: offset, count: 4)
      guard end <= bytes.count else { break }
      // A small first letter says that a picture can be had without it; transparency is such a chunk.
      if bytes[offset + 4] & 0x20 == 0 || bytes.has("tRNS", at: offset + 4) { kept += bytes[offset..<end] }
      if bytes.has("IEND", at: offset + 4) { break }
      offset = end
    }
    return kept
  }

  private static func webpSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    if bytes.has("VP8X", at: 12) {
      return (bytes.littleEndian(at: 24, count: 3) + 1, bytes.littleEndian(at: 27, count: 3) + 1)
    }
    if bytes.has("VP8L", at: 12) {
      let bits = bytes.littleEndian(at: 21, count: 4)
      return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
    if bytes.has("VP8 ", at: 12) {
      return (bytes.littleEndian(at: 26, count: 2) & 0x3FFF, bytes.littleEndian(at: 28, count: 2) & 0x3FFF)
    }
    return nil
  }
}

/// A walk over the segments of a JPEG file.
private struct JPEGWalk {
  var size: (width: Int, height: Int)?
  var scans = 0
  /// The end is marked.
  var isWhole = false
  var hasEXIF = false

  init(_ bytes: [UInt8]) {
    var offset = 2
    while let marker = Self.nextMarker(bytes, &offset) {
      switch marker {
      case 0xD9:
        isWhole = true
        return
      // These stand alone.
      case 0x01, 0xD0...0xD8: continue
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF where size == nil:
        size = (bytes.bigEndian(at: offset + 5, count: 2), bytes.bigEndian(at: offset + 3, count: 2))
      case 0xDA: scans += 1
      case 0xE1 where bytes.has("Exif", at: offset + 2): hasEXIF = true
      default: break
      }
      let length = bytes.bigEndian(at: offset, count: 2)
      guard length >= 2 else { return }
      offset += length
    }
  }

  /// Goes behind the next marker. Within a scan, 0xFF stands before 0 or a restart where it is no marker.
  private static func nextMarker(_ bytes: [UInt8], _ offset: inout Int) -> UInt8? {
    bytes.withUnsafeBytes { buffer in
      while offset < buffer.count {
        guard let base = buffer.baseAddress,
          let found = memchr(base + offset, 0xFF, buffer.count - offset)
        else { return nil }
        offset = UnsafeRawPointer(found) - base + 1
        while offset < buffer.count, buffer[offset] == 0xFF { offset += 1 }
        guard offset < buffer.count else { return nil }
        offset += 1
        if buffer[offset - 1] != 0 { return buffer[offset - 1] }
      }
      return nil
    }
  }
}
