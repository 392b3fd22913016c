/// What the environment says about the terminal; a value, so that tests need no terminal.
struct TerminalEnvironment: Hashable, Sendable {
  /// `TERM`, empty when not set.
  var term = ""
  /// `NO_COLOR` as no-color.org has it: any value that is not empty.
  var hasNoColor = false
  /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty.
  var locale = ""

  init(_ variable: (String) -> String?) {
    term = variable("TERM") ?? ""
    hasNoColor = !(variable("NO_COLOR") ?? "").isEmpty
    locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
  }

  /// Whether a line can be redrawn in place.
  var canRedraw: Bool { !term.isEmpty && term != "dumb" }

  var style: TerminalStyle {
    let charset = locale.split(separator: "@")[safe: 0]?.split(separator: ".")[safe: 1] ?? ""
    let folded = charset.lowercased().filter { $0 != "-" }
    return TerminalStyle(isUnicode: folded == "utf8", hasColor: canRedraw && !hasNoColor)
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
