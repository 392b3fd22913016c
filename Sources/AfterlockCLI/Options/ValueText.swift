/// Numbers as people write them on a command line; no locale.
enum NumberText {
  /// Reads digits with an optional fraction and an optional `unit` behind them; no sign, no exponent.
  static func parse(_ text: String, unit: String = "") -> Double? {
    var body = text[...]
    if !unit.isEmpty, body.hasSuffix(unit) { body = body.dropLast(unit.count) }
    guard isPlain(body) else { return nil }
    return Double(body)
  }

  /// Digits, at most one point, at least one digit, and few enough for a person to have meant them.
  static func isPlain(_ text: Substring) -> Bool {
    let digits = text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let points = text.utf8.count { $0 == UInt8(ascii: ".") }
    return digits >= 1 && digits <= 15 && points <= 1 && digits + points == text.utf8.count
  }

  /// Without ".0" behind a whole number.
  static func show(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
  }
}

/// Times as people write and read them.
enum TimeText {
  /// Reads seconds, m:ss or h:mm:ss; the last part may have a fraction, and the parts after the first are below 60.
  static func parse(_ text: String) -> Duration? {
    var text = text[...]
    if !text.contains(":"), text.hasSuffix("s") { text = text.dropLast() }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last else { return nil }
    var seconds: Int64 = 0
    for (index, part) in parts.dropLast().enumerated() {
      guard NumberText.isPlain(part), !part.contains("."), let value = Int64(part) else { return nil }
      guard value <= 1_000_000_000, index == 0 || value < 60 else { return nil }
      seconds = seconds * 60 + value
    }
    guard NumberText.isPlain(last), let tail = fraction(last) else { return nil }
    if parts.count > 1, tail >= .seconds(60) { return nil }
    return .seconds(seconds * (parts.count > 1 ? 60 : 1)) + tail
  }

  /// Decimal digits to a duration, exact to the nanosecond.
  private static func fraction(_ text: Substring) -> Duration? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts[0].isEmpty ? 0 : Int64(parts[0]), whole <= 1_000_000_000 else { return nil }
    guard parts.count == 2 else { return .seconds(whole) }
    let digits = parts[1].prefix(9)
    guard !digits.isEmpty else { return .seconds(whole) }
    let padded = digits + String(repeating: "0", count: 9 - digits.count)
    return Int64(padded).map { .seconds(whole) + .nanoseconds($0) }
  }

  /// "3:21", "1:02:03"; fractions are cut off, as clocks do.
  static func show(_ time: Duration) -> String {
    let all = max(0, time.components.seconds)
    let (hours, minutes, seconds) = (all / 3600, all / 60 % 60, all % 60)
    let tail = twoDigits(seconds)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
  }

  /// Milliseconds with at most three digits behind the point: "21.333 ms".
  static func showMilliseconds(_ time: Duration) -> String {
    let micro = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
    let rest = abs(micro % 1000)
    guard rest != 0 else { return "\(micro / 1000) ms" }
    var digits = String(rest)
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(micro / 1000).\(digits) ms"
  }

  private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
}
