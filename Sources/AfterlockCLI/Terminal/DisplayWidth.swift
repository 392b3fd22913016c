/// How many columns text takes on a terminal.
///
/// Never less than a terminal takes: terminals differ in how they join emoji, and a line that is thought too
/// long is cut a little early, while one that is thought too short wraps and breaks the redrawing in place.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + of($1) }
  }

  static func of(_ character: Character) -> Int {
    character.unicodeScalars.reduce(0) { $0 + of($1) }
  }

  static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
    // A variation selector 16 makes the symbol before it wide.
    if value == 0xFE0F { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    // Vowels and finals of Hangul join the consonant before them.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    if scalar.properties.isEmojiPresentation { return 2 }
    return isWide(value) ? 2 : 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var (low, high) = (0, wide.count)
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }

  /// East Asian wide and full-width ranges, sorted; single emoji are found by their property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FFF, 0x17000...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F900...0x1FAFF,
    0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  /// The longest begin of `text` that takes at most `columns`, with an ellipsis when something was cut off.
  static func truncate(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
    guard of(text) > columns else { return text }
    let mark = of(ellipsis)
    guard columns >= mark else { return "" }
    var result = ""
    var used = 0
    for character in text {
      let width = of(character)
      if used + width > columns - mark { break }
      result.append(character)
      used += width
    }
    return result + ellipsis
  }
}

/// Text from files and the network made fit for one line of a terminal.
enum PlainText {
  /// Escapes whatever is no printable character, so that a tag can never send a control sequence, turn the direction
  /// of writing, or begin a new line; and what cannot be shown in ASCII when `isASCII`.
  static func line(_ text: String, isASCII: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
        result.append(contentsOf: escape(scalar))
      case .format where scalar.value != 0x200D && scalar.value != 0x200C:
        // Joiners are part of scripts and emoji; marks that turn the direction are not needed on one line.
        result.append(contentsOf: escape(scalar))
      default:
        if isASCII, !scalar.isASCII { result.append("?") } else { result.append(scalar) }
      }
    }
    return String(result)
  }

  /// Sentences as one clause that can stand behind a name: "The file is empty. Copy it again." is "the file is empty;
  /// copy it again". A name such as "FFmpeg" keeps its capitals.
  static func clause(_ sentences: String) -> String {
    var clauses: [String] = []
    for word in sentences.split(separator: " ", omittingEmptySubsequences: false) {
      let begins = word.first?.isUppercase == true
      if clauses.isEmpty || begins && clauses[clauses.count - 1].hasSuffix(".") {
        let isName = word.dropFirst().contains(where: \.isUppercase)
        clauses.append(isName ? String(word) : word.prefix(1).lowercased() + word.dropFirst())
      } else {
        clauses[clauses.count - 1] += " " + word
      }
    }
    return line(clauses.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.joined(separator: "; "))
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    switch scalar {
    case "\t": " ".unicodeScalars
    case "\n": "\\n".unicodeScalars
    case "\r": "\\r".unicodeScalars
    default: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
    }
  }
}
