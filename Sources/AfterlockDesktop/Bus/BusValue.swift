/// A value as D-Bus has it: what a message carries, as a plain value that may cross isolation.
indirect enum BusValue: Hashable, Sendable {
  case boolean(Bool)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  /// Valid UTF-8 without NUL, or the bus would close the connection: see ``text(_:)``.
  case string(String)
  case objectPath(String)
  /// Elements of one type, which is told since there may be none.
  case array(of: String, [BusValue])
  /// `a{sv}`; keys once each, in the order given.
  case properties([Property])
  case structure([BusValue])
  case variant(BusValue)
  /// Something that nobody here has a use for, by its signature.
  case other(String)

  struct Property: Hashable, Sendable {
    let name: String
    let value: BusValue

    init(_ name: String, _ value: BusValue) {
      self.name = name
      self.value = value
    }
  }

  /// A string that any client can take: NUL ends a string for D-Bus, and a noncharacter may be refused.
  static func text(_ string: String) -> BusValue {
    guard string.unicodeScalars.contains(where: isRefused) else { return .string(string) }
    var allowed = String.UnicodeScalarView()
    for scalar in string.unicodeScalars { allowed.append(isRefused(scalar) ? "\u{FFFD}" : scalar) }
    return .string(String(allowed))
  }

  static func texts(_ strings: [String]) -> BusValue { .array(of: "s", strings.map(text)) }

  /// The beginning of a text as ``text(_:)`` has it, in at most so many bytes of UTF-8: cut between two characters, and
  /// within the first one where that alone is longer.
  static func allowed(_ string: String, most: Int) -> String {
    var (taken, count) = (String.UnicodeScalarView(), 0)
    for scalar in string.unicodeScalars {
      let allowed = isRefused(scalar) ? "\u{FFFD}" : scalar
      count += UTF8.width(allowed)
      guard count > most else {
        taken.append(allowed)
        continue
      }
      let piece = String(taken)
      // With what would follow, the last character is whole, and goes.
      taken.append(allowed)
      let whole = String(taken).dropLast()
      return whole.isEmpty ? piece : String(whole)
    }
    return String(taken)
  }

  /// How much of a message it takes: at least the bytes of its texts.
  var textBytes: Int {
    switch self {
    case .string(let text), .objectPath(let text): text.utf8.count
    case .array(_, let values), .structure(let values): values.reduce(0) { $0 + $1.textBytes }
    case .properties(let properties):
      properties.reduce(0) { $0 + $1.name.utf8.count + $1.value.textBytes }
    case .variant(let value): value.textBytes
    case .boolean, .int32, .uint32, .int64, .uint64, .double, .other: 0
    }
  }

  private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0 || scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
  }

  /// The type in D-Bus's letters.
  var signature: String {
    switch self {
    case .boolean: "b"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .array(let element, _): "a" + element
    case .properties: "a{sv}"
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .variant: "v"
    case .other(let signature): signature
    }
  }
}
