import AfterlockCore

/// The tag of version 2.2 to 2.4 that stands before MP3, and in chunks of WAV.
///
/// Read here and not only by FFmpeg, which keeps the first of several values; and so that a WAV or FLAC file with such a
/// tag needs no FFmpeg. Frames that are compressed, encrypted or unsynchronized are left to FFmpeg.
struct ID3v2Tag {
  private(set) var tags = TagCollector()
  private(set) var pictures: [EmbeddedPicture] = []

  /// The longest frame of text that is read.
  private static let longestText = 256 << 10

  /// Reads the tag at `start`; `nil` when there is none.
  init?(_ file: MediaFile, at start: Int64) {
    let length = Self.length(file, at: start)
    let head = file.bytes(at: start, count: 14)
    guard length > 0, head.count == 14, (2...4).contains(head[3]), head[5] & 0x80 == 0 else { return nil }
    let version = Int(head[3])
    let end = min(start + length, file.size)
    var offset = start + 10
    if version > 2, head[5] & 0x40 != 0 {
      // The size of version 2.4 counts itself.
      offset += version == 4 ? Self.syncSafe(head[10...13]) : Int64(head.bigEndian(at: 10, count: 4)) + 4
    }
    let headSize: Int64 = version == 2 ? 6 : 10
    for _ in 0..<2048 where offset + headSize < end {
      let frame = file.bytes(at: offset, count: Int(headSize))
      guard frame.count == Int(headSize), frame[0] != 0 else { return }
      let size: Int64 =
        switch version {
        case 2: Int64(frame.bigEndian(at: 3, count: 3))
        case 3: Int64(frame.bigEndian(at: 4, count: 4))
        default: Self.syncSafe(frame[4...7])
        }
      offset += headSize
      guard size >= 0, size <= end - offset else { return }
      let id = String(decoding: frame.prefix(version == 2 ? 3 : 4), as: UTF8.self)
      if version == 2 || frame[9] == 0 { read(id, file, at: offset, size: Int(size)) }
      offset += size
    }
  }

  /// Bytes of the tag at `offset`, header and footer included; 0 when there is none.
  static func length(_ file: MediaFile, at offset: Int64 = 0) -> Int64 {
    let head = file.bytes(at: offset, count: 10)
    guard head.count == 10, head.has("ID3", at: 0), head[3] != 0xFF, head[4] != 0xFF,
      head[6...9].allSatisfy({ $0 < 0x80 })
    else { return 0 }
    return syncSafe(head[6...9]) + 10 + (head[5] & 0x10 != 0 ? 10 : 0)
  }

  /// Bytes of all tags that stand one behind the other at the start of a file.
  static func lengthOfAll(_ file: MediaFile) -> Int64 {
    var offset: Int64 = 0
    for _ in 0..<8 {
      let length = length(file, at: offset)
      guard length > 0, offset + length < file.size else { break }
      offset += length
    }
    return offset
  }

  private static func syncSafe(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
  }

  private mutating func read(_ id: String, _ file: MediaFile, at offset: Int64, size: Int) {
    let key: String? =
      switch id {
      case "TIT2", "TT2": "title"
      case "TPE1", "TP1": "artist"
      case "TALB", "TAL": "album"
      case "TPE2", "TP2": "album_artist"
      case "TCOM", "TCM": "composer"
      case "TCON", "TCO": "genre"
      case "TDRC", "TYER", "TYE": "date"
      case "TRCK", "TRK": "track"
      case "TPOS", "TPA": "disc"
      default: nil
      }
    if let key {
      let body = file.bytes(at: offset, count: min(size, Self.longestText))
      guard let encoding = body.first else { return }
      let text = Self.decode(body.dropFirst(), encoding)
      // Genres by number are FFmpeg's to name.
      if key == "genre", text.first == UInt8(ascii: "(") || TagCollector.leadingNumber(text) != nil { return }
      tags.add(key: key, value: text, isJoined: true)
    } else if id == "COMM" || id == "COM" {
      readComment(file.bytes(at: offset, count: min(size, Self.longestText)))
    } else if id == "APIC" {
      readPicture(file, at: offset, size: size)
    }
  }

  /// Encoding, language, description, text. A described comment is a program's own note, not the listener's.
  private mutating func readComment(_ body: [UInt8]) {
    guard body.count > 4, body[0] <= 3 else { return }
    let text = Self.decode(body.dropFirst(4), body[0])
    guard let separator = text.firstIndex(of: 0), separator == text.startIndex else { return }
    tags.add(key: "comment", value: text.dropFirst())
  }

  private mutating func readPicture(_ file: MediaFile, at offset: Int64, size: Int) {
    guard pictures.count < 64 else { return }
    let head = file.bytes(at: offset, count: min(size, 2048))
    guard let encoding = head.first, encoding <= 3, let mimeEnd = head.dropFirst().firstIndex(of: 0),
      mimeEnd + 2 < head.count
    else { return }
    let kind = Int(head[mimeEnd + 1])
    let isWide = encoding == 1 || encoding == 2
    var index = mimeEnd + 2
    while index < head.count,
      !(head[index] == 0 && (!isWide || index + 1 < head.count && head[index + 1] == 0))
    {
      index += isWide ? 2 : 1
    }
    index += isWide ? 2 : 1
    let mime = TagCollector.text(head[1..<mimeEnd])
    guard index < size, index <= head.count, mime != "-->" else { return }
    pictures.append(
      EmbeddedPicture(
        kind: kind, mimeType: mime?.contains("/") == true ? mime : nil, offset: offset + Int64(index),
        length: size - index))
  }

  /// The text as UTF-8, or as it is where it is neither UTF-16 nor Latin-1 as it should be.
  private static func decode(_ body: some Collection<UInt8>, _ encoding: UInt8) -> [UInt8] {
    switch encoding {
    case 1, 2: utf16(Array(body), isBig: encoding == 2)
    default: Array(body)
    }
  }

  private static func utf16(_ bytes: [UInt8], isBig: Bool) -> [UInt8] {
    var isBig = isBig
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      // A mark of the byte order may stand before each of several values.
      if unit == 0xFEFF || unit == 0xFFFE {
        isBig = unit == 0xFEFF
      } else {
        units.append(isBig ? unit : unit.byteSwapped)
      }
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

/// Where a picture stands in a file, so that it can be read when it is asked for.
struct EmbeddedPicture {
  /// The kind by the list that ID3 and FLAC share; 3 is the front cover.
  var kind: Int
  var mimeType: String?
  var offset: Int64
  var length: Int

  /// The front cover, or else the first.
  static func best(_ pictures: [EmbeddedPicture]) -> EmbeddedPicture? {
    pictures.first { $0.kind == 3 } ?? pictures.first
  }

  /// The picture's bytes; `nil` when not all of them are there, or they are too many.
  func read(_ file: MediaFile) -> ArtworkImage? {
    guard length <= ArtworkLimits.mostBytes else { return nil }
    let bytes = file.bytes(at: offset, count: length)
    guard bytes.count == length else { return nil }
    return ArtworkImage(bytes: bytes, mimeType: PictureKind(bytes)?.mimeType ?? mimeType)
  }
}
