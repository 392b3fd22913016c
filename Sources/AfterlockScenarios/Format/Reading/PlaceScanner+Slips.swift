import AfterlockCore

/// What people write where JSON5 has something else: the sentence that leads to the mend.
extension PlaceScanner {
  /// What is wrong with what stands where a comma belongs; `nil` when the comma is just missing.
  func wrongSeparator() -> Fault? {
    switch current {
    case UInt8(ascii: ";"): fault("found ';' where ',' has to stand between entries")
    case UInt8(ascii: ":"): clockTime()
    default: nil
    }
  }

  /// A time as a clock shows it, such as `1:30`; its first colon is the current byte.
  private func clockTime() -> Fault? {
    let (start, text) = number(around: index, with: UInt8(ascii: ":"))
    let written = text.split(separator: ":", omittingEmptySubsequences: false)
    let parts = written.compactMap { Double($0) }
    guard (2...3).contains(parts.count), parts.count == written.count else { return nil }
    let seconds = parts.reduce(0) { $0 * 60 + $1 }
    return Fault(offset: start, message: "times are seconds: write \(seconds.words) for '\(text)'")
  }

  /// A number with a comma for its point, such as `0,5`; the digit after the comma is the current byte.
  func decimalComma() -> Fault? {
    guard index > 0, bytes[index - 1] == UInt8(ascii: ",") else { return nil }
    let (start, text) = number(around: index, with: UInt8(ascii: ","))
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Double(parts.joined(separator: ".")) else { return nil }
    return Fault(
      offset: start, message: "a number has a point, and no comma: write \(number.words) for '\(text)'")
  }

  /// The digits, points and `separator`s on both sides of a place, and where they begin. A colon before them is their
  /// key's, and a comma after them their own.
  private func number(around place: Int, with separator: UInt8) -> (start: Int, text: String) {
    let isPart: (UInt8) -> Bool = { Self.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == separator }
    var start = bytes[..<place].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
    var end = bytes[place...].firstIndex { !isPart($0) } ?? bytes.count
    if start < place, bytes[start] == separator { start += 1 }
    if end > place + 1, bytes[end - 1] == separator { end -= 1 }
    return (start, String(decoding: bytes[start..<end], as: UTF8.self).quotedForMessage)
  }
}
