/// A shell whose completions are made from the description of the options.
enum Shell: String, Hashable, Sendable, CaseIterable {
  case bash, zsh, fish

  /// The completions as this shell reads them.
  func completions(of program: ProgramDescription) -> String {
    switch self {
    case .bash: BashCompletion.text(program)
    case .zsh: ZshCompletion.text(program)
    case .fish: FishCompletion.text(program)
    }
  }
}

/// What the shells' generators share.
enum Completions {
  /// The first line's words, as a comment.
  static func about(_ program: ProgramDescription, _ shell: Shell) -> String {
    "Completions of \(program.name) for \(shell.rawValue), made from the description of its options."
  }

  /// The words that an operand or a value may be; `nil` where they cannot be listed.
  static func words(_ kind: ValueKind, of program: ProgramDescription) -> [String]? {
    switch kind {
    case .choice(let words): words
    case .command: program.commands.map(\.name)
    case .text, .file, .number, .time: nil
    }
  }

  /// The first sentence without its full stop.
  static func brief(_ text: String) -> String {
    var words: [Substring] = []
    for word in text.split(separator: " ") {
      words.append(word)
      if word.hasSuffix(".") { break }
    }
    let sentence = words.joined(separator: " ")
    return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }

  /// The names of an option as they are typed.
  static func names(_ option: OptionDescription) -> [String] {
    (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.long)"]
  }
}
