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
