import Foundation

extension PlaceScanner {
  /// The byte at the current place; `nil` at the end.
  var current: UInt8? { byte(at: index) }
  private var next: UInt8? { byte(at: index + 1) }
  private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Spaces and comments.
  mutating func skipSpace() throws(Fault) {
    while let byte = current {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index += 1
      case UInt8(ascii: "/"): try skipComment()
      case UInt8(ascii: "#"): throw fault("a comment begins with '//', and not with '#'")
      default: return
      }
    }
  }

  private mutating func skipComment() throws(Fault) {
    let start = index
    switch next {
    case UInt8(ascii: "/"):
      while let byte = current, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
        index += 1
      }
    case UInt8(ascii: "*"):
      index += 2
      while current != UInt8(ascii: "*") || next != UInt8(ascii: "/") {
        guard index < bytes.count else {
          throw Fault(offset: start, message: "the comment that begins here is not closed; add '*/'")
        }
        index += 1
      }
      index += 2
    default:
      throw fault("found '/', which begins a comment only as '//' or '/*'")
    }
  }

  /// A bare or quoted key.
  mutating func scanKey() throws(Fault) -> String {
    if let byte = current, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      return try scanText()
    }
    let start = index
    while let byte = current, Self.isKeyByte(byte) { index += 1 }
    let key = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let first = key.utf8.first, !Self.isDigit(first) else {
      index = start
      throw decimalComma() ?? fault("found \(found()) where a key or '}' has to stand")
    }
    guard key.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) else {
      // Which letters of the world and which escapes can be in a bare key is the decoder's to say.
      let object = try? Self.decoder.decode([String: Int].self, from: Data("{\(key):0}".utf8))
      guard let key = object?.keys.first else {
        index = start
        throw fault("\(found()) cannot stand in a key without quotes")
      }
      return key
    }
    return key
  }

  /// A quoted text. What its escapes mean is the decoder's to say.
  mutating func scanText() throws(Fault) -> String {
    let start = index
    let quote = bytes[index]
    var hasEscapes = false
    index += 1
    while let byte = current, byte != quote {
      switch byte {
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try skipEscape()
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        index = bytes.count
      case UInt8(ascii: "\t"):
        throw fault("a text cannot have a tab in it; write \\t, or spaces")
      case 0..<0x20:
        throw fault("a text cannot have the control character U+\(Self.hexadecimal(UInt32(byte)))")
      default:
        index += 1
      }
    }
    guard index < bytes.count else {
      let mark = Character(Unicode.Scalar(quote))
      throw Fault(offset: start, message: "the text that begins here has no closing \(mark) on its line")
    }
    index += 1
    guard hasEscapes else { return String(decoding: bytes[start + 1..<index - 1], as: UTF8.self) }
    guard let text = try? Self.decoder.decode(String.self, from: Data(bytes[start..<index])) else {
      throw Fault(offset: start, message: "the text that begins here has a '\\' before what cannot follow it")
    }
    return text
  }

  /// A backslash and what it makes of a quote or of the end of a line.
  private mutating func skipEscape() throws(Fault) {
    let isReturn = next == UInt8(ascii: "\r")
    index += isReturn && byte(at: index + 2) == UInt8(ascii: "\n") ? 3 : 2
    index = min(index, bytes.count)
  }

  /// A number, or one of the words that JSON5 knows.
  mutating func scanWord() throws(Fault) {
    let start = index
    if let first = current, Self.isDigit(first) || "+-.".utf8.contains(first) {
      while let byte = current, Self.isNumberByte(byte) { index += 1 }
      return
    }
    while let byte = current, byte < 0x80, Self.isKeyByte(byte) { index += 1 }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    if ["true", "false", "null", "NaN", "Infinity"].contains(word) { return }
    index = start
    if word.first?.isLetter == true {
      throw fault("a text has to stand in quotes: \"\(word.quotedForMessage)\"")
    }
    throw fault("found \(found()) where a value has to stand")
  }

  /// Foundation's, which reads the whole file too.
  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return decoder
  }

  /// Whether the byte is one of the ten digits.
  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "\\"),
      0x80...0xFF:
      true
    default: false
    }
  }

  /// What can be in a number; whether it is one is the decoder's to say.
  private static func isNumberByte(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "_") && byte != UInt8(ascii: "$") && byte != UInt8(ascii: "\\") && byte < 0x80
      && isKeyByte(byte) || "+-.".utf8.contains(byte)
  }

  /// A fault at the current place.
  func fault(_ message: String) -> Fault { Fault(offset: index, message: message) }

  /// What stands at the current place, in words.
  func found() -> String {
    guard index < bytes.count else { return "the end of the file" }
    let rest = String(decoding: bytes[index..<min(index + 200, bytes.count)], as: UTF8.self)
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    if !word.isEmpty { return "'\(String(word).quotedForMessage)'" }
    guard let first = rest.first, let scalar = first.unicodeScalars.first else { return "nothing" }
    switch scalar.value {
    case 0x201C, 0x201D, 0x201E, 0x2018, 0x2019: return "'\(first)', which is no quote here (write \")"
    case 0xA0, 0xFEFF, 0x2028, 0x2029, 0..<0x20, 0x7F:
      return "the invisible character U+\(Self.hexadecimal(scalar.value))"
    default: return "'\(String(first).quotedForMessage)'"
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
