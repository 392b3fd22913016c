/// Help made from the description of the options, at most 80 columns wide.
enum HelpText {
  static let width = 80

  /// What `afterlock --help` prints.
  static func program(_ program: ProgramDescription) -> String {
    var text = "\(program.abstract)\n\nUsage: \(program.name) COMMAND [options]\n\nCommands:\n"
    text += rows(program.commands.map { ($0.name, $0.abstract + ".") })
    text += "\nOptions:\n" + rows(program.options.map { (term($0), $0.help) })
    text += "\nExamples:\n"
    text += examples(program.commands.compactMap(\.examples.first))
    text += "\n\"\(program.name) help COMMAND\" tells more about each command.\n"
    return text
  }

  /// What `afterlock play --help` prints.
  static func command(_ command: CommandDescription, of program: ProgramDescription) -> String {
    var text = wrapped(command.abstract + ".", indent: 0) + "\nUsage: \(usage(command, of: program))\n"
    if !command.discussion.isEmpty { text += "\n" + wrapped(command.discussion, indent: 0) }
    if !command.subcommands.isEmpty {
      text += "\nCommands:\n" + rows(command.subcommands.map { ($0.name, $0.abstract + ".") })
    }
    text += "\nOptions:\n" + rows(command.options.map { (term($0), help($0)) })
    if !command.examples.isEmpty { text += "\nExamples:\n" + examples(command.examples) }
    for section in command.sections {
      text += "\n\(section.title):\n" + rows(section.rows.map { ($0.term, $0.meaning) })
    }
    if !command.subcommands.isEmpty {
      text += "\n\"\(program.name) help \(command.name) COMMAND\" tells more about each command.\n"
    }
    return text
  }

  static func usage(_ command: CommandDescription, of program: ProgramDescription) -> String {
    var text = "\(program.name) \(command.words)"
    if !command.subcommands.isEmpty { text += " COMMAND" }
    if !command.options.isEmpty { text += " [options]" }
    if let operands = command.operands {
      let repeats = operands.count.upperBound > 1 ? "…" : ""
      text +=
        operands.count.lowerBound > 0
        ? " \(operands.placeholder)\(repeats)" : " [\(operands.placeholder)\(repeats)]"
    }
    return text
  }

  /// "-l, --loop MODE".
  static func term(_ option: OptionDescription) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--\(option.long)" + (option.value.map { " \($0.placeholder)" } ?? "")
  }

  static func help(_ option: OptionDescription) -> String {
    guard let value = option.value else { return option.help }
    var text = option.help
    if case .choice(let words) = value.kind { text += " One of \(words.joined(separator: ", "))." }
    if let fallback = value.fallback { text += " Default: \(fallback)." }
    return text
  }

  private static func examples(_ examples: [Example]) -> String {
    examples.map { "  # \($0.what)\n  \($0.line)\n" }.joined(separator: "\n")
  }

  private static func rows(_ rows: [(term: String, text: String)]) -> String {
    // A term that is too long has a line of its own, and moves the others no further in.
    let column = rows.map { $0.term.count + 4 }.filter { $0 <= 26 }.max() ?? 26
    return rows.map { row in
      var lines = wrapped(row.text, indent: column)
      if row.term.count + 3 < column {
        lines.removeFirst(column)
        return "  \(row.term)" + String(repeating: " ", count: column - row.term.count - 2) + lines
      }
      return "  \(row.term)\n" + lines
    }.joined()
  }

  /// Breaks text into lines at spaces; every line begins with `indent` spaces and ends with a newline.
  static func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.map { margin + $0 + "\n" }.joined()
  }
}
