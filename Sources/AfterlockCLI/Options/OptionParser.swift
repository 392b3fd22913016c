import AfterlockCore

/// What is wrong with a command line, in one line for the person who wrote it.
struct UsageError: Error, Hashable, Sendable {
  let message: String
  /// The words of the command whose help tells more; `nil` for the program's own.
  var command: String?
}

/// A command line taken apart by its description; values are still bytes.
struct ParsedArguments: Hashable, Sendable {
  /// Values by long name, in the order given; a switch has an empty value.
  private(set) var values: [String: [[UInt8]]] = [:]
  private(set) var operands: [[UInt8]] = []

  func has(_ long: String) -> Bool { values[long] != nil }

  /// The last value given, as it is in GNU programs.
  func bytes(_ long: String) -> [UInt8]? { values[long]?.last }

  func text(_ long: String) -> String? { bytes(long).map { String(decoding: $0, as: UTF8.self) } }

  fileprivate mutating func add(_ long: String, _ value: [UInt8]) { values[long, default: []].append(value) }
  fileprivate mutating func add(operand: [UInt8]) { operands.append(operand) }
}

/// Takes a command line apart in the GNU way: `--name=value`, `--name value`, `-n value`, `-nvalue`, bundled
/// switches, options anywhere, and `--` before words that only look like options.
struct OptionParser: Sendable {
  let options: [OptionDescription]
  let operands: OperandDescription?
  /// For messages; `nil` for the program's own options.
  let command: String?

  init(_ command: CommandDescription) {
    options = command.options
    operands = command.operands
    self.command = command.words
  }

  private static let dash = UInt8(ascii: "-")

  func parse(_ arguments: [[UInt8]]) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == [Self.dash, Self.dash] {
        for operand in rest { parsed.add(operand: operand) }
        break
      }
      if word.starts(with: [Self.dash, Self.dash]) {
        try parseLong(word.dropFirst(2), &rest, into: &parsed)
      } else if word.first == Self.dash, word.count > 1, !isNegativeNumber(word) {
        try parseShort(word.dropFirst(), &rest, into: &parsed)
      } else {
        parsed.add(operand: word)
      }
    }
    // Somebody who asks for help has not finished the line.
    if parsed.has("help") { return parsed }
    try checkOperands(parsed.operands)
    return parsed
  }

  /// "-5" is a value and no option, for a command that takes such.
  private func isNegativeNumber(_ word: [UInt8]) -> Bool {
    guard case .choice? = operands?.kind, word.count > 1 else { return false }
    return (0x30...0x39).contains(word[1])
  }

  private func parseLong(
    _ word: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>, into parsed: inout ParsedArguments
  ) throws(UsageError) {
    let parts = word.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let name = Self.shown(parts[0])
    guard let option = options.first(where: { $0.long == name }) else {
      throw error("unknown option --\(name)", meant: name, among: options.map(\.long), prefix: "--")
    }
    let given = parts.count > 1 ? Array(parts[1]) : nil
    try take(option, shownAs: "--\(name)", given, &rest, into: &parsed)
  }

  private func parseShort(
    _ word: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>, into parsed: inout ParsedArguments
  ) throws(UsageError) {
    // One dash before a whole word is a common slip, and would be read as a bundle of letters.
    let whole = Self.shown(word.prefix { $0 != UInt8(ascii: "=") })
    if options.contains(where: { $0.long == whole }) {
      throw error("unknown option -\(whole); did you mean --\(whole)?")
    }
    var letters = word
    while let byte = letters.popFirst() {
      let letter = Character(Unicode.Scalar(byte))
      guard let option = options.first(where: { $0.short == letter }) else {
        throw error("unknown option -\(Self.shown([byte]))")
      }
      // The rest of the word belongs to an option that takes a value.
      let takesRest = option.value != nil && !letters.isEmpty
      let attached = takesRest ? Array(letters) : nil
      if takesRest { letters = [] }
      try take(option, shownAs: "-\(letter)", attached, &rest, into: &parsed)
    }
  }

  private func take(
    _ option: OptionDescription, shownAs shown: String, _ given: [UInt8]?, _ rest: inout ArraySlice<[UInt8]>,
    into parsed: inout ParsedArguments
  ) throws(UsageError) {
    guard let value = option.value else {
      guard given == nil else { throw error("option \(shown) takes no value") }
      parsed.add(option.long, [])
      return
    }
    guard let bytes = given ?? rest.popFirst() else {
      throw error("option \(shown) needs a value: \(shown) \(value.placeholder)\(Self.choices(value.kind))")
    }
    try check(bytes, value, shown)
    parsed.add(option.long, bytes)
  }

  private func check(
    _ bytes: [UInt8], _ value: OptionDescription.Value, _ shown: String
  ) throws(UsageError) {
    let text = String(decoding: bytes, as: UTF8.self)
    let quoted = "'\(MediaPath(bytes: bytes).display)'"
    switch value.kind {
    case .text, .file, .command:
      if bytes.isEmpty { throw error("option \(shown) needs a value, and '' is empty") }
    case .choice(let words):
      if words.contains(text) { return }
      let all = "option \(shown) is one of \(words.joined(separator: ", ")), not \(quoted)"
      throw error(all, meant: text, among: words, prefix: "")
    case .number(let range, let unit):
      if let number = NumberText.parse(text, unit: unit), range.contains(number) { return }
      throw error(
        "option \(shown) is a number from \(NumberText.show(range.lowerBound)) to "
          + "\(NumberText.show(range.upperBound)), not \(quoted)")
    case .time:
      if TimeText.parse(text) != nil { return }
      throw error("option \(shown) is a time such as 90, 1:30, 1:02:30 or 12.5, not \(quoted)")
    }
  }

  private func checkOperands(_ given: [[UInt8]]) throws(UsageError) {
    guard let operands else {
      guard let first = given.first else { return }
      throw error("unexpected '\(Self.shown(first))'")
    }
    if given.count < operands.count.lowerBound { throw error("nothing to do: name \(operands.what)") }
    if given.count > operands.count.upperBound {
      throw error("unexpected '\(Self.shown(given[operands.count.upperBound]))'")
    }
    if given.contains([]) { throw error("'' names nothing: name \(operands.what)") }
  }

  private func error(
    _ message: String, meant word: String = "", among words: [String] = [], prefix: String = ""
  ) -> UsageError {
    guard let nearest = NearestWord.find(word, among: words) else {
      return UsageError(message: message, command: command)
    }
    return UsageError(message: "\(message); did you mean \(prefix)\(nearest)?", command: command)
  }

  private static func choices(_ kind: ValueKind) -> String {
    guard case .choice(let words) = kind else { return "" }
    return " (\(words.joined(separator: ", ")))"
  }

  private static func shown(_ bytes: some Sequence<UInt8>) -> String { MediaPath(bytes: bytes).display }
}
