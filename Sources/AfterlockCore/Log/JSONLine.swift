/// Builds one JSON object on one line, its keys in the order in which they are added.
///
/// By hand: an encoder keeps no order, and brings its start-up with it.
package struct JSONLine {
  private var text = "{"

  /// An object without a key.
  package init() {}

  /// The finished line, newline included.
  package var line: String { text + "}\n" }

  package mutating func add(_ key: String, _ value: String?) { put(key, value.map(Self.quoted)) }
  package mutating func add(_ key: String, _ value: Bool) { put(key, value ? "true" : "false") }
  package mutating func add(_ key: String, _ values: [String]) {
    put(key, "[" + values.map(Self.quoted).joined(separator: ",") + "]")
  }

  /// A whole number without a fraction; what JSON has no number for is `null`.
  package mutating func add(_ key: String, _ value: Double?) {
    guard let value, value.isFinite else { return put(key, nil) }
    put(key, Int64(exactly: value).map(String.init) ?? value.description)
  }

  /// Seconds with six decimals; a time too long for its parts is cut.
  package mutating func add(_ key: String, _ value: Duration) {
    let (seconds, attoseconds) = value.bounded.components
    let micros = (attoseconds / 1_000_000_000_000).magnitude
    let digits = String(micros)
    let sign = value < .zero ? "-" : ""
    put(
      key, sign + String(seconds.magnitude) + "." + String(repeating: "0", count: 6 - digits.count) + digits)
  }

  package mutating func add(_ key: String, _ value: Duration?) {
    if let value { add(key, value) } else { put(key, nil) }
  }

  private mutating func put(_ key: String, _ value: String?) {
    if text.utf8.count > 1 { text += "," }
    text += Self.quoted(key) + ":" + (value ?? "null")
  }

  /// Escapes what JSON forbids, and also the two line ends that some readers break a line at.
  package static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _
      where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || scalar == "\u{2028}" || scalar == "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
