import AfterlockCore

/// Builds `MediaTags` out of keys and raw values, whatever container they come from.
///
/// Values arrive as bytes, since files lie about their encoding: what is not valid UTF-8 is taken as Windows-1252,
/// which covers the Latin-1 of ID3v1 and RIFF. Lengths are bounded, so a tag of megabytes does not travel through the
/// player.
struct TagCollector {
  /// The longest text that comes through, in bytes of UTF-8.
  static let longestText = 64 << 10
  /// The most values of one kind.
  static let mostValues = 64

  private(set) var tags = MediaTags()

  /// Adds a value under a key of Vorbis comments or FFmpeg's common names; letter case does not matter.
  /// - Parameter isJoined: `true` when several values may stand in one, with semicolons between (FFmpeg joins so).
  mutating func add(key: String, value: some Collection<UInt8>, isJoined: Bool = false) {
    switch key.uppercased() {
    case "TITLE": set(\.title, value)
    case "ARTIST", "ARTISTS": append(\.artists, value, isJoined)
    case "ALBUM": set(\.album, value)
    case "ALBUMARTIST", "ALBUM ARTIST", "ALBUM_ARTIST": append(\.albumArtists, value, isJoined)
    case "COMPOSER": append(\.composers, value, isJoined)
    case "GENRE": append(\.genres, value, isJoined)
    case "COMMENT", "DESCRIPTION": set(\.comment, value)
    case "DATE", "YEAR": set(\.date, value)
    case "TRACKNUMBER", "TRACK": set(\.trackNumber, value)
    case "DISCNUMBER", "DISC": set(\.discNumber, value)
    default: break
    }
  }

  /// Takes what is still missing from another reading of the same file.
  mutating func fill(from other: MediaTags) {
    tags.title = tags.title ?? other.title
    tags.album = tags.album ?? other.album
    tags.comment = tags.comment ?? other.comment
    tags.date = tags.date ?? other.date
    tags.trackNumber = tags.trackNumber ?? other.trackNumber
    tags.discNumber = tags.discNumber ?? other.discNumber
    if tags.artists.isEmpty { tags.artists = other.artists }
    if tags.albumArtists.isEmpty { tags.albumArtists = other.albumArtists }
    if tags.composers.isEmpty { tags.composers = other.composers }
    if tags.genres.isEmpty { tags.genres = other.genres }
  }

  private mutating func set(_ path: WritableKeyPath<MediaTags, String?>, _ value: some Collection<UInt8>) {
    guard tags[keyPath: path] == nil, let text = Self.text(value.prefix { $0 != 0 }) else { return }
    tags[keyPath: path] = text
  }

  private mutating func set(_ path: WritableKeyPath<MediaTags, Int?>, _ value: some Collection<UInt8>) {
    guard tags[keyPath: path] == nil, let number = Self.leadingNumber(value) else { return }
    tags[keyPath: path] = number
  }

  private mutating func append(
    _ path: WritableKeyPath<MediaTags, [String]>, _ value: some Collection<UInt8>, _ isJoined: Bool
  ) {
    let semicolon = UInt8(ascii: ";")
    for part in value.split(whereSeparator: { $0 == 0 || (isJoined && $0 == semicolon) }) {
      guard tags[keyPath: path].count < Self.mostValues, let text = Self.text(part) else { continue }
      if !tags[keyPath: path].contains(text) { tags[keyPath: path].append(text) }
    }
  }

  /// "3/12" is 3; `nil` for 0 and for what begins with no digit.
  static func leadingNumber(_ value: some Collection<UInt8>) -> Int? {
    let digits = value.drop { $0 == UInt8(ascii: " ") }.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(9)
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return number > 0 ? number : nil
  }

  /// Valid text without control characters and outer white space, at most `longestText` bytes; `nil` when nothing is
  /// left.
  static func text(_ value: some Collection<UInt8>) -> String? {
    var bytes = Array(value.prefix(longestText + 1))
    if bytes.count > longestText {
      bytes.removeLast()
      // Cut before the scalar that the limit would split, not within it.
      while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
      if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    }
    var cleaned = String.UnicodeScalarView()
    for scalar in decode(bytes).unicodeScalars where isKept(scalar) { cleaned.append(scalar) }
    let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
    let trimmed = cleaned.drop(while: isSpace)
    guard let end = trimmed.lastIndex(where: { !isSpace($0) }) else { return nil }
    var text = String(trimmed[...end])
    // Windows-1252 grows when it becomes UTF-8.
    if text.utf8.count > longestText {
      var length = 0
      text.unicodeScalars = String.UnicodeScalarView(
        text.unicodeScalars.prefix {
          length += UTF8.width($0)
          return length <= longestText
        })
    }
    return text
  }

  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F..<0xA0, 0xFEFF: false
    default: true
    }
  }

  private static func decode(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    // A text that is UTF-8 for the most part has one broken place; otherwise each high byte is a letter of its own.
    let repaired = String(decoding: bytes, as: UTF8.self)
    let (broken, whole) = repaired.unicodeScalars.reduce(into: (0, 0)) { counts, scalar in
      if scalar.value == 0xFFFD { counts.0 += 1 } else if scalar.value > 0x7F { counts.1 += 1 }
    }
    if whole > broken { return repaired }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let value = byte >= 0x80 && byte < 0xA0 ? windows1252[Int(byte) - 0x80] : UInt32(byte)
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return String(text)
  }

  /// What Windows-1252 has where Latin-1 has control characters.
  private static let windows1252: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D,
    0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A,
    0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
