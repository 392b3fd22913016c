import CAfterlockShims
import CSystemd
import Glibc

/// A message of a bus, to be filled or read.
///
/// Confined to the thread of its connection. Whoever makes one or keeps one beyond a callback has it in a
/// ``KeptMessage``.
struct BusMessage {
  let library: SDBus
  let pointer: OpaquePointer

  var member: String { Self.text(library.pointee.sd_bus_message_get_member(pointer)) }
  /// The unique name of whoever sent it; "" where the bus did not say.
  var sender: String { Self.text(library.pointee.sd_bus_message_get_sender(pointer)) }

  /// The failure that this answer is; `nil` when it is a good one.
  var failure: BusError? {
    guard library.pointee.sd_bus_message_is_method_error(pointer, nil) > 0 else { return nil }
    let failure = library.pointee.sd_bus_message_get_error(pointer)?.pointee
    return BusError(Self.text(failure?.message), name: Self.text(failure?.name))
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }

  private static func letter(_ text: Unicode.Scalar) -> CChar { CChar(text.value) }

  // MARK: Filling

  func append(_ value: BusValue) throws(BusError) {
    switch value {
    case .boolean(let flag): try appendBasic("b", Int32(flag ? 1 : 0))
    case .int32(let number): try appendBasic("i", number)
    case .uint32(let number): try appendBasic("u", number)
    case .int64(let number): try appendBasic("x", number)
    case .uint64(let number): try appendBasic("t", number)
    case .double(let number): try appendBasic("d", number)
    case .string(let text): try append(text, as: "s")
    case .objectPath(let path): try append(path, as: "o")
    case .array(let element, let values):
      try container("a", element) { () throws(BusError) in
        for value in values { try append(value) }
      }
    case .properties(let properties):
      try container("a", "{sv}") { () throws(BusError) in
        for property in properties { try append(property) }
      }
    case .structure(let members):
      try container("r", members.map(\.signature).joined()) { () throws(BusError) in
        for member in members { try append(member) }
      }
    case .variant(let inner):
      try container("v", inner.signature) { () throws(BusError) in try append(inner) }
    case .other(let signature): throw BusError("values of the type \(signature) are not sent")
    }
  }

  private func append(_ property: BusValue.Property) throws(BusError) {
    try container("e", "sv") { () throws(BusError) in
      try append(property.name, as: "s")
      try append(.variant(property.value))
    }
  }

  private func append(_ text: String, as type: Unicode.Scalar) throws(BusError) {
    let result = text.withCString {
      library.pointee.sd_bus_message_append_basic(pointer, Self.letter(type), $0)
    }
    try check(result, "a text cannot be put into a message")
  }

  private func appendBasic(_ type: Unicode.Scalar, _ number: some BitwiseCopyable) throws(BusError) {
    let result = withUnsafeBytes(of: number) {
      library.pointee.sd_bus_message_append_basic(pointer, Self.letter(type), $0.baseAddress)
    }
    try check(result, "a number cannot be put into a message")
  }

  private func container(
    _ type: Unicode.Scalar, _ contents: String, _ fill: () throws(BusError) -> Void
  ) throws(BusError) {
    try check(
      library.pointee.sd_bus_message_open_container(pointer, Self.letter(type), contents),
      "a list cannot be put into a message")
    try fill()
    try check(library.pointee.sd_bus_message_close_container(pointer), "a list in a message cannot be closed")
  }

  // MARK: Reading

  /// The next value; `nil` at the end of the message or of what is being read.
  func next() throws(BusError) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let result = library.pointee.sd_bus_message_peek_type(pointer, &type, &contents)
    try check(result, "a message cannot be read")
    guard result > 0 else { return nil }
    let inner = Self.text(contents)
    switch Unicode.Scalar(UInt8(bitPattern: type)) {
    case "b": return .boolean(try read(type, Int32(0)) != 0)
    case "i": return .int32(try read(type, Int32(0)))
    case "u": return .uint32(try read(type, UInt32(0)))
    case "x": return .int64(try read(type, Int64(0)))
    case "t": return .uint64(try read(type, UInt64(0)))
    case "d": return .double(try read(type, Double(0)))
    case "s": return .string(try readText(type))
    case "o": return .objectPath(try readText(type))
    case "v":
      let members = try members("v", inner)
      return members.first.map(BusValue.variant)
    case "a" where inner == "{sv}": return .properties(try properties())
    case "a": return .array(of: inner, try members("a", inner))
    case "r": return .structure(try members("r", inner))
    case "e": return .structure(try members("e", inner))
    default:
      try check(library.pointee.sd_bus_message_skip(pointer, nil), "a message cannot be read")
      return .other(String(Character(Unicode.Scalar(UInt8(bitPattern: type)))))
    }
  }

  /// The file descriptor that comes next, as one of our own; `nil` when something else comes.
  func nextDescriptor() throws(BusError) -> HeldDescriptor? {
    var type: CChar = 0
    let result = library.pointee.sd_bus_message_peek_type(pointer, &type, nil)
    try check(result, "a message cannot be read")
    guard result > 0, type == Self.letter("h") else { return nil }
    // The message's own is closed with it.
    let copy = fcntl(try read(type, Int32(-1)), F_DUPFD_CLOEXEC, 3)
    try check(copy < 0 ? -errno : 0, "a descriptor in a message cannot be kept")
    return HeldDescriptor(copy)
  }

  /// All that is left.
  func all() throws(BusError) -> [BusValue] {
    var values: [BusValue] = []
    while let value = try next() { values.append(value) }
    return values
  }

  private func read<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) throws(BusError) -> Number {
    var number = zero
    let result = withUnsafeMutableBytes(of: &number) {
      library.pointee.sd_bus_message_read_basic(pointer, type, $0.baseAddress)
    }
    try check(result, "a number in a message cannot be read")
    return number
  }

  private func readText(_ type: CChar) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try check(
      library.pointee.sd_bus_message_read_basic(pointer, type, &text), "a text in a message cannot be read")
    return Self.text(text)
  }

  private func members(_ type: Unicode.Scalar, _ contents: String) throws(BusError) -> [BusValue] {
    try check(
      library.pointee.sd_bus_message_enter_container(pointer, Self.letter(type), contents),
      "a list in a message cannot be read")
    let values = try all()
    try check(library.pointee.sd_bus_message_exit_container(pointer), "a list in a message cannot be left")
    return values
  }

  private func properties() throws(BusError) -> [BusValue.Property] {
    try members("a", "{sv}").compactMap { entry in
      guard case .structure(let pair) = entry, pair.count == 2, case .string(let name) = pair[0],
        case .variant(let value) = pair[1]
      else { return nil }
      return BusValue.Property(name, value)
    }
  }

  private func check(_ result: Int32, _ what: String) throws(BusError) {
    if result < 0 { throw BusError("\(what): \(String(cString: strerror(-result)))") }
  }
}

/// A file descriptor of our own, closed when nobody has it any more. From any thread.
final class HeldDescriptor: Sendable {
  private let number: Int32

  /// Takes `number` over.
  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}

/// A message that is kept alive until it has been sent or answered.
///
/// Safe because it is made, used and let go of on the connection's thread only, as sd-bus's counts of references have to be
/// (the last message keeps the closed connection): it crosses isolation as a token that others hand back.
final class KeptMessage: @unchecked Sendable {
  let message: BusMessage

  /// Takes a reference of its own.
  init(keeping message: BusMessage) {
    self.message = message
    _ = message.library.pointee.sd_bus_message_ref(message.pointer)
  }

  /// Called on: the connection's thread; the last thing that is done with it.
  func release() { _ = message.library.pointee.sd_bus_message_unref(message.pointer) }
}
