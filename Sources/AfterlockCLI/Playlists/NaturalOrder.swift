/// The order in which people number things: "2" before "10", and capitals beside small letters.
enum NaturalOrder {
  /// Whether `a` comes before `b`. A total order over bytes: only equal names are equal.
  static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool { compare(a, b) < 0 }

  /// Negative, zero or positive, as `a` comes before, with or after `b`.
  static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { b in compare(a, b) } }
  }

  private static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      if isDigit(a[i]), isDigit(b[j]) {
        let order = compareNumbers(a, &i, b, &j)
        if order != 0 { return order }
        continue
      }
      let (x, y) = (fold(a[i]), fold(b[j]))
      if x != y { return x < y ? -1 : 1 }
      i += 1
      j += 1
    }
    if (a.count - i) != (b.count - j) { return (a.count - i) - (b.count - j) }
    // Equal but for case or leading zeros: the bytes decide, so that the order is always the same.
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return a.count - b.count
  }

  private static func compareNumbers(
    _ a: UnsafeBufferPointer<UInt8>, _ i: inout Int, _ b: UnsafeBufferPointer<UInt8>, _ j: inout Int
  ) -> Int {
    while i < a.count, a[i] == UInt8(ascii: "0") { i += 1 }
    while j < b.count, b[j] == UInt8(ascii: "0") { j += 1 }
    var order = 0
    while true {
      let (hasA, hasB) = (i < a.count && isDigit(a[i]), j < b.count && isDigit(b[j]))
      guard hasA, hasB else { return hasA ? 1 : hasB ? -1 : order }
      if order == 0, a[i] != b[j] { order = a[i] < b[j] ? -1 : 1 }
      i += 1
      j += 1
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func fold(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}

/// Extensions of files with sound in them; a file named on the command line or in a playlist is tried anyhow.
enum MediaExtension {
  static let known: Set<String> = [
    "aac", "ac3", "adts", "aif", "aifc", "aiff", "alac", "amr", "ape", "au", "avi", "caf", "dts", "eac3",
    "flac",
    "flv",
    "m2ts", "m4a", "m4b", "m4r", "m4v", "mka", "mkv", "mov", "mp1", "mp2", "mp3", "mp4", "mpa", "mpc", "mpga",
    "oga",
    "ogg", "ogv", "opus", "rf64", "snd", "spx", "tta", "voc", "w64", "wav", "wave", "weba", "webm", "wma",
    "wv",
  ]

  /// The lower-case extension of a name; empty when there is none.
  static func of(_ name: [UInt8]) -> String {
    let last = name.lastIndex(of: UInt8(ascii: "/")).map { name[($0 + 1)...] } ?? name[...]
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > last.startIndex else { return "" }
    let bytes = last[(dot + 1)...]
    guard bytes.count <= 8 else { return "" }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }
}
