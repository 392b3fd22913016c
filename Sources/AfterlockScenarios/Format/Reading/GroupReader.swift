import AfterlockCore

/// Reads the members of one group in `{ }`; what is wrong with them goes to the collector.
///
/// A member that is missing or wrong is `nil`.
struct GroupReader {
  /// The longest time that a file may name, in seconds: eleven days. Beyond it a number is a slip, and arithmetic with
  /// it would end in a trap.
  static let longestTime = 1_000_000.0
  /// How many elements a list may have: what anybody reads, and what runs in seconds.
  static let mostElements = 5_000

  let members: [String: FileValue]
  let path: FilePath
  let problems: ProblemCollector

  /// Takes a group; `what` says what it has to be when it is none.
  init?(_ value: FileValue, at path: FilePath, _ problems: ProblemCollector, what: String) {
    guard case .object(let members) = value else {
      problems.add("is \(value.words), and has to be \(what)", at: path)
      return nil
    }
    self.members = members
    self.path = path
    self.problems = problems
  }

  /// Whether the group has the key.
  func has(_ key: String) -> Bool { members[key] != nil }

  /// Says of each key that is none of `keys` that it is unknown; `explain` may know better.
  func allow(_ keys: [String], explain: (String) -> String? = { _ in nil }) {
    for key in members.keys.sorted() where !keys.contains(key) {
      let message =
        explain(key) ?? "unknown key '\(key.quotedForMessage)'\(WordMessage.hint(key, among: keys))"
      problems.add(message, atKey: key, of: path)
    }
  }

  /// Says that a key is missing, unless it is there.
  func require(_ key: String, example: String) {
    guard !has(key) else { return }
    problems.add("'\(key)' is missing; for example: \(key): \(example)", at: path)
  }

  /// Says that the value of `key` is wrong.
  func refuse(_ key: String, _ message: String) { problems.add(message, at: path[key]) }

  private func refuse(_ key: String, _ value: FileValue, _ what: String) {
    refuse(key, "is \(value.words), and has to be \(what)")
  }

  /// A text; with `isFilled` one that says something.
  func text(_ key: String, isFilled: Bool = true) -> String? {
    guard let value = members[key] else { return nil }
    guard case .text(let text) = value else {
      refuse(key, value, "a text in quotes")
      return nil
    }
    guard !isFilled || !text.allSatisfy(\.isWhitespace) else {
      refuse(key, "is an empty text, and has to say something")
      return nil
    }
    return text
  }

  /// `true` or `false`.
  func flag(_ key: String) -> Bool? {
    guard let value = members[key] else { return nil }
    guard case .bool(let flag) = value else {
      refuse(key, value, "true or false")
      return nil
    }
    return flag
  }

  /// A number, which may have to be in a range.
  func number(_ key: String, in range: ClosedRange<Double>? = nil, _ what: String) -> Double? {
    guard let value = members[key] else { return nil }
    guard case .number(let number) = value else {
      refuse(key, value, what)
      return nil
    }
    if let range, !range.contains(number) {
      refuse(key, value, "\(what) from \(range.lowerBound.words) to \(range.upperBound.words)")
      return nil
    }
    return number
  }

  /// A whole number in a range.
  func whole(_ key: String, in range: ClosedRange<Int>) -> Int? {
    let what = "a whole number"
    guard let number = number(key, in: Double(range.lowerBound)...Double(range.upperBound), what) else {
      return nil
    }
    guard let whole = Int(exactly: number) else {
      refuse(key, .number(number), what)
      return nil
    }
    return whole
  }

  /// A position of the volume's slider in percent.
  func percent(_ key: String) -> Double? {
    number(key, in: 0...(Volume.maximum * 100), "a number of percent")
  }

  /// A time in seconds, to the nanosecond.
  func time(_ key: String) -> Duration? {
    guard let value = members[key] else { return nil }
    guard case .number(let seconds) = value else {
      refuse(key, value, "a number of seconds")
      return nil
    }
    guard seconds.isFinite, seconds <= Self.longestTime else {
      refuse(key, value, "a number of seconds up to \(Self.longestTime.words)")
      return nil
    }
    guard seconds >= 0 else {
      refuse(key, "is \(value.words), and a time cannot be negative")
      return nil
    }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }

  /// One of the words of an enumeration; `noun` is what they are words for.
  func word<Word: RawRepresentable & CaseIterable>(_ key: String, _ noun: String) -> Word?
  where Word.RawValue == String {
    closedWord(key, noun, among: Word.allCases.map(\.rawValue)).flatMap(Word.init(rawValue:))
  }

  /// One of these words.
  func closedWord(_ key: String, _ noun: String, among words: [String]) -> String? {
    guard let value = members[key] else { return nil }
    return closedWord(value, at: path[key], noun, among: words)
  }

  /// One of these words; `value` stands at `path`.
  func closedWord(_ value: FileValue, at path: FilePath, _ noun: String, among words: [String]) -> String? {
    guard case .text(let word) = value else {
      problems.add(
        "is \(value.words), and has to be \(WordMessage.list(words.map { "\"\($0)\"" }))", at: path)
      return nil
    }
    guard words.contains(word) else {
      problems.add(
        "unknown \(noun) '\(word.quotedForMessage)'\(WordMessage.hint(word, among: words))", at: path)
      return nil
    }
    return word
  }

  /// Some of these words: one, or a list of them.
  func words(_ key: String, _ noun: String, among words: [String]) -> Set<String>? {
    guard case .list(let elements)? = members[key] else {
      return closedWord(key, noun, among: words).map { [$0] }
    }
    return Set(
      elements.enumerated().compactMap { closedWord($1, at: path[key][$0], noun, among: words) })
  }

  /// A word of an open kind: one that is not known is taken unless a known one is near, since then it is a slip.
  func openWord(_ value: FileValue, at path: FilePath, _ noun: String, known: [String]) -> String? {
    guard case .text(let word) = value, !word.isEmpty else {
      problems.add("is \(value.words), and has to be the name of \(noun) in quotes", at: path)
      return nil
    }
    if !known.contains(word), let nearest = NearestWord.find(word, among: known) {
      problems.add("unknown \(noun) '\(word.quotedForMessage)'; did you mean '\(nearest)'?", at: path)
      return nil
    }
    return word
  }

  /// The elements of a list, each with its path.
  func list(_ key: String, of what: String) -> [(value: FileValue, path: FilePath)]? {
    guard let value = members[key] else { return nil }
    guard case .list(let elements) = value else {
      refuse(key, value, "a list of \(what) in [ ]")
      return nil
    }
    guard elements.count <= Self.mostElements else {
      refuse(key, "has \(elements.count) \(what), and may have \(Self.mostElements)")
      return nil
    }
    return elements.enumerated().map { ($1, path[key][$0]) }
  }
}
