import Glibc

/// What text is written on: how wide it is, and whether it takes colours and more than ASCII. Pure but for `standardOutput`.
struct Paper: Hashable, Sendable {
  var columns = 80
  var style = TerminalStyle(isUnicode: true, hasColor: false)

  /// As wide as the terminal; 80 columns and no colour elsewhere.
  @MainActor static var standardOutput: Paper {
    let environment = TerminalEnvironment { name in getenv(name).map { String(cString: $0) } }
    var style = environment.style
    if !StandardStream.output.isTerminal { style.hasColor = false }
    return Paper(columns: TerminalMode.size.columns, style: style)
  }

  func bold(_ text: String) -> String { painted(text, 1) }
  func faint(_ text: String) -> String { painted(text, 2) }
  func red(_ text: String) -> String { painted(text, 31) }
  func green(_ text: String) -> String { painted(text, 32) }
  func yellow(_ text: String) -> String { painted(text, 33) }

  private func painted(_ text: String, _ code: Int) -> String {
    style.hasColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// Text from a file, fit for one line.
  func plain(_ text: String) -> String {
    let arrows = style.isUnicode ? text : text.replacing("→", with: "->").replacing("–", with: "-")
    return PlainText.line(arrows, isASCII: !style.isUnicode)
  }

  /// `text` in lines of at most `width` columns, broken at spaces; a word that is too long keeps a line of its own.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// `text` with spaces behind it, up to `width` columns.
  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
  }

  /// `text` with spaces before it, up to `width` columns.
  static func rightAligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - DisplayWidth.of(text))) + text
  }
}
