/// Tags and pictures written byte by byte, since no program writes what other programs got wrong.
enum TagWriter {
  /// One frame of ID3v2: an identifier and its body, encoding byte included.
  struct Frame {
    var id: String
    var body: [UInt8]

    static func latin1(_ id: String, _ bytes: [UInt8]) -> Frame { Frame(id: id, body: [0] + bytes) }
    static func utf8(_ id: String, _ text: String) -> Frame { Frame(id: id, body: [3] + Array(text.utf8)) }
    static func utf16(_ id: String, _ text: String) -> Frame {
      Frame(id: id, body: [1, 0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    }
    static func picture(_ bytes: [UInt8], mimeType: String, kind: UInt8 = 3) -> Frame {
      Frame(id: "APIC", body: [0] + Array(mimeType.utf8) + [0, kind, 0] + bytes)
    }
  }

  /// A tag of version 2.3 or 2.4.
  static func id3v2(_ frames: [Frame], version: UInt8 = 4) -> [UInt8] {
    var body: [UInt8] = []
    for frame in frames {
      body += Array(frame.id.utf8)
      if version == 4 {
        body += syncSafe(frame.body.count)
      } else {
        body.append(bigEndian: frame.body.count, 4)
      }
      body += [0, 0] + frame.body
    }
    return Array("ID3".utf8) + [version, 0, 0] + syncSafe(body.count) + body
  }

  private static func syncSafe(_ number: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) }
  }

  /// The 128 bytes at the end of a file.
  static func id3v1(title: [UInt8], artist: [UInt8], track: UInt8) -> [UInt8] {
    func field(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
      Array(bytes.prefix(length)) + [UInt8](repeating: 0, count: max(length - bytes.count, 0))
    }
    return Array("TAG".utf8) + field(title, 30) + field(artist, 30) + field(Array("Album".utf8), 30)
      + field(Array("1999".utf8), 4) + field([], 28) + [0, track, 17]
  }

  /// A FLAC file with further metadata blocks behind the first one.
  static func flac(_ file: [UInt8], adding blocks: [(kind: UInt8, body: [UInt8])]) -> [UInt8] {
    var added: [UInt8] = []
    for block in blocks {
      added.append(block.kind)
      added.append(bigEndian: block.body.count, 3)
      added += block.body
    }
    return Array(file[..<42]) + added + Array(file[42...])
  }

  /// The body of a comment block; each comment is "KEY=value" in any bytes.
  static func comments(_ comments: [[UInt8]]) -> [UInt8] {
    var body: [UInt8] = []
    body.append(littleEndian: 4, 4)
    body += Array("test".utf8)
    body.append(littleEndian: comments.count, 4)
    for comment in comments {
      body.append(littleEndian: comment.count, 4)
      body += comment
    }
    return body
  }

  /// The body of a picture block.
  static func flacPicture(_ bytes: [UInt8], mimeType: String, kind: Int = 3) -> [UInt8] {
    var body: [UInt8] = []
    body.append(bigEndian: kind, 4)
    body.append(bigEndian: mimeType.utf8.count, 4)
    body += Array(mimeType.utf8)
    body.append(bigEndian: 0, 4)
    for number in [1, 1, 24, 0] { body.append(bigEndian: number, 4) }
    body.append(bigEndian: bytes.count, 4)
    return body + bytes
  }

  /// The smallest PNG there is: one pixel.
  static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00,
    0x0D, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0xF8, 0xCF, 0xC0, 0xF0, 0x1F, 0x00, 0x05, 0x00, 0x01, 0xFF, 0x89,
    0x99, 0x3D,
    0x1D, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]
}
