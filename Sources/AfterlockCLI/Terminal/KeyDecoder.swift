/// Turns the bytes of a terminal into keys.
///
/// A read may end anywhere, in the middle of an escape sequence or of a character: what is not whole yet waits for
/// the next bytes. A lone Escape looks like the begin of a sequence, so it becomes a key only when `flush` says that
/// nothing follows.
struct KeyDecoder: Sendable {
  private var pending: [UInt8] = []

  /// Longest sequence that is waited for; what is longer is noise.
  private static let longest = 64

  /// `true` while bytes wait for what follows: call `flush` when nothing has come for some 50 ms.
  var isWaiting: Bool { !pending.isEmpty }

  /// Takes what was read and gives the keys that are whole.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while !pending.isEmpty {
      guard let (key, length) = Self.first(pending[...]) else {
        if pending.count > Self.longest { pending.removeAll() }
        break
      }
      pending.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// Nothing more came: an Escape that waited was a press of the Escape key.
  mutating func flush() -> [Key] {
    guard let first = pending.first else { return [] }
    let isLoneEscape = first == 0x1B && pending.count == 1
    pending.removeAll()
    return [isLoneEscape ? .escape : .unknown]
  }

  /// The first key and the number of its bytes; `nil` when it is not whole yet. A length without a key is noise.
  private static func first(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
    guard let lead = bytes.first else { return nil }
    if lead == 0x1B { return escape(bytes) }
    if lead < 0x80 { return (.character(Character(Unicode.Scalar(lead))), 1) }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    guard length > 1 else { return (nil, 1) }
    let tail = bytes.dropFirst().prefix(length - 1)
    // A broken character ends where a byte comes that cannot belong to it.
    if let broken = tail.firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (nil, broken - bytes.startIndex) }
    guard tail.count == length - 1 else { return nil }
    return (String(decoding: bytes.prefix(length), as: UTF8.self).first.map(Key.character), length)
  }

  private static func escape(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
    guard bytes.count > 1 else { return nil }
    switch bytes[bytes.startIndex + 1] {
    case UInt8(ascii: "["): return controlSequence(bytes)
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return (arrow(bytes[bytes.startIndex + 2]), 3)
    case 0x1B: return (.escape, 1)
    default:
      // Alt with a key: one key that means nothing here.
      guard let (_, length) = first(bytes.dropFirst()) else { return nil }
      return (.unknown, 1 + length)
    }
  }

  /// ESC [ parameters intermediates final, as ECMA-48 has it.
  private static func controlSequence(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
    var length = 2
    for byte in bytes.dropFirst(2) {
      length += 1
      switch byte {
      case 0x20...0x3F: continue
      case UInt8(ascii: "[") where length == 3: continue  // Linux console's function keys: ESC [ [ A
      case 0x40...0x7E:
        let isFunctionKey = length > 3 && bytes[bytes.startIndex + 2] == UInt8(ascii: "[")
        return (isFunctionKey ? .unknown : arrow(byte), length)
      default: return (.unknown, length - 1)  // A control byte breaks the sequence off and stands for itself.
      }
    }
    return nil
  }

  private static func arrow(_ final: UInt8) -> Key {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: .unknown
    }
  }
}
