import Foundation

/// A JSON5 value before anything is known of its meaning.
enum FileValue: Hashable, Sendable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  /// A number that is written so that nobody can read it, such as `1.5.2` or `1e999`.
  case unreadableNumber
  case text(String)
  case list([FileValue])
  case object([String: FileValue])

  /// How deep values may be nested: a scenario needs four levels, and a decoder's stack is not endless.
  static let deepest = 32

  /// Any name of a key.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Scalars are tried first, since most values are. A text with a wrong escape is no scalar of another kind: it ends the
  /// reading.
  init(from decoder: any Decoder) throws {
    let scalar = try decoder.singleValueContainer()
    if scalar.decodeNil() {
      self = .null
    } else if let text = try Self.text(scalar) {
      self = .text(text)
    } else if let number = try? scalar.decode(Double.self) {
      self = .number(number)
    } else if let bool = try? scalar.decode(Bool.self) {
      self = .bool(bool)
    } else if decoder.codingPath.count >= Self.deepest {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "nested too deep"))
    } else if var elements = try? decoder.unkeyedContainer() {
      var list: [FileValue] = []
      while !elements.isAtEnd { list.append(try elements.decode(FileValue.self)) }
      self = .list(list)
    } else if let members = try? decoder.container(keyedBy: Key.self) {
      var object: [String: FileValue] = [:]
      for key in members.allKeys { object[key.stringValue] = try members.decode(FileValue.self, forKey: key) }
      self = .object(object)
    } else {
      self = .unreadableNumber
    }
  }

  /// The text; `nil` when it is something else.
  private static func text(_ scalar: any SingleValueDecodingContainer) throws -> String? {
    do {
      return try scalar.decode(String.self)
    } catch DecodingError.typeMismatch {
      return nil
    }
  }

  /// What it is, for a message: "the text 'five'".
  var words: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "the number \(value.words)"
    case .unreadableNumber: "a number that cannot be read"
    case .text(let text): text.isEmpty ? "an empty text" : "the text '\(text.quotedForMessage)'"
    case .list: "a list"
    case .object: "a group in { }"
    }
  }
}

extension Double {
  /// As a person writes it: "3", "0.5", "NaN", "Infinity".
  var words: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    if self == rounded(), magnitude < 1e15 { return String(Int64(self)) }
    return String(self)
  }
}
