import AfterlockCore

/// The bytes of a playlist as lines.
enum PlaylistText {
  /// The lines without their ends and without a byte order mark; UTF-16 with a mark becomes UTF-8.
  static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var body = bytes[...]
    if body.starts(with: [0xEF, 0xBB, 0xBF]) {
      body = body.dropFirst(3)
    } else if body.starts(with: [0xFF, 0xFE]) {
      body = utf8(body.dropFirst(2), isBigEndian: false)[...]
    } else if body.starts(with: [0xFE, 0xFF]) {
      body = utf8(body.dropFirst(2), isBigEndian: true)[...]
    }
    var lines: [ArraySlice<UInt8>] = []
    var start = body.startIndex
    var index = body.startIndex
    while index < body.endIndex {
      let byte = body[index]
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        lines.append(body[start..<index])
        let next = body.index(after: index)
        let isPair = byte == UInt8(ascii: "\r") && next < body.endIndex && body[next] == UInt8(ascii: "\n")
        index = isPair ? body.index(after: next) : next
        start = index
      } else {
        index = body.index(after: index)
      }
    }
    if start < body.endIndex { lines.append(body[start...]) }
    return lines
  }

  private static func utf8(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var iterator = bytes.makeIterator()
    while let first = iterator.next(), let second = iterator.next() {
      let (high, low) = isBigEndian ? (first, second) : (second, first)
      units.append(UInt16(high) << 8 | UInt16(low))
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Text in UTF-8 when it is that, in Latin-1 otherwise: the two that playlists come in.
  static func string(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }

  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var line = line
    while let first = line.first, isSpace(first) { line = line.dropFirst() }
    while let last = line.last, isSpace(last) { line = line.dropLast() }
    return line
  }
}

/// Percent-encoding as addresses have it.
enum PercentEncoding {
  /// Every `%XX` as its byte; what is no valid escape stays as it is.
  static func decode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  /// Whether a valid `%XX` stands at the beginning.
  static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count >= 3 && bytes.first == UInt8(ascii: "%") && digit(bytes[bytes.startIndex + 1]) != nil
      && digit(bytes[bytes.startIndex + 2]) != nil
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// Cuts an item's name into what names a file and what names a place on the network.
enum ItemReference: Hashable, Sendable {
  /// A path as written.
  case path([UInt8])
  /// A path from a file URL.
  case decodedPath([UInt8])
  case address(String)
  /// Neither; the cause is given.
  case refused(String)

  init(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard let scheme = Self.scheme(bytes) else {
      self = .path(bytes)
      return
    }
    switch scheme {
    case "http", "https":
      let text = WebAddress.escaped(bytes)
      let hasHost = bytes.count > scheme.utf8.count + 3 && bytes[scheme.utf8.count + 3] != UInt8(ascii: "/")
      self = hasHost ? .address(text) : .refused("the address has no host")
    case "file": self = Self.file(bytes.dropFirst("file:".utf8.count))
    default: self = .refused("addresses of kind \(scheme): are not played; http, https and file are")
    }
  }

  /// The lower-case scheme of `scheme://…` or `file:/…`.
  private static func scheme(_ bytes: [UInt8]) -> String? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon >= 2 else { return nil }
    let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    let isScheme = name.utf8.enumerated().allSatisfy { index, byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || index > 0 && ((UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+.-".utf8.contains(byte))
    }
    guard isScheme else { return nil }
    let rest = bytes[(colon + 1)...]
    if rest.starts(with: "//".utf8) || name == "file" && rest.first == UInt8(ascii: "/") { return name }
    return nil
  }

  private static func file(_ rest: ArraySlice<UInt8>) -> Self {
    var path = rest
    if path.starts(with: "//".utf8) {
      path = path.dropFirst(2)
      let host = String(decoding: path.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
      guard host.isEmpty || host.lowercased() == "localhost" else {
        return .refused("the file is on another machine, \(MediaPath(host).display)")
      }
      path = path.dropFirst(host.utf8.count)
    }
    let decoded = PercentEncoding.decode(path)
    guard !decoded.isEmpty else { return .refused("the address names no file") }
    guard !decoded.contains(0) else { return .refused("the name of the file has a NUL in it") }
    return .decodedPath(decoded)
  }
}
