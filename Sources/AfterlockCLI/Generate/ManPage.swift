/// The man page, made from the description of the options: roff of the package "man", ASCII only. Pure.
enum ManPage {
  static func text(_ program: ProgramDescription) -> String {
    var text = """
      .TH \(program.name.uppercased()) 1 "" "\(program.name) \(program.version)" "User Commands"
      .SH NAME
      \(escaped(program.name)) \\- \(escaped(clause(program.abstract)))
      .SH SYNOPSIS

      """
    for command in program.allCommands where command.subcommands.isEmpty {
      text += "\(synopsis(command, of: program))\n.br\n"
    }
    text += ".SH DESCRIPTION\n\(line(program.abstract))\n"
    text += ".SH OPTIONS\n" + program.options.map(option).joined()
    text += ".SH COMMANDS\n" + program.allCommands.map { section($0, of: program) }.joined()
    text += ".SH SEE ALSO\n.BR playerctl (1),\n.BR pipewire (1),\n.BR systemctl (1)\n"
    return text
  }

  /// "afterlock play [options] FILE…", the words to be typed in bold.
  private static func synopsis(_ command: CommandDescription, of program: ProgramDescription) -> String {
    let usage = HelpText.usage(command, of: program)
    let words = "\(program.name) \(command.words)"
    return "\\fB\(escaped(words))\\fR" + escaped(String(usage.dropFirst(words.count)))
  }

  private static func section(_ command: CommandDescription, of program: ProgramDescription) -> String {
    var text =
      ".SS \(command.words)\n\(synopsis(command, of: program))\n.PP\n\(line(command.abstract + "."))\n"
    if !command.discussion.isEmpty { text += ".PP\n\(line(command.discussion))\n" }
    text += command.options.map(option).joined()
    for section in command.sections {
      text += ".PP\n\(line(section.title)):\n"
      text += section.rows.map { entry(bold($0.term), $0.meaning) }.joined()
    }
    if !command.examples.isEmpty {
      text += ".PP\nExamples:\n" + command.examples.map { entry(bold($0.line), $0.what) }.joined()
    }
    return text
  }

  private static func option(_ option: OptionDescription) -> String {
    let names = (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.long)"]
    let value = option.value.map { " \\fI\(escaped($0.placeholder))\\fR" } ?? ""
    return entry(names.map(bold).joined(separator: ", ") + value, HelpText.help(option))
  }

  private static func entry(_ term: String, _ meaning: String) -> String {
    ".TP\n\(term)\n\(line(meaning))\n"
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  /// A sentence without its capital and full stop.
  private static func clause(_ sentence: String) -> String {
    let body = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    return body.prefix(1).lowercased() + body.dropFirst()
  }

  /// Text at the begin of a line, where a full stop and an apostrophe are commands.
  private static func line(_ text: String) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Every character as itself: roff has typographic ideas about some, and not every encoding has the others.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\(rs"
      case "-": escaped += "\\-"
      case "~": escaped += "\\(ti"
      case "^": escaped += "\\(ha"
      case "`": escaped += "\\(ga"
      case "'": escaped += "\\(aq"
      case "\"": escaped += "\\(dq"
      case "\n": escaped += " "
      case _ where !scalar.isASCII:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
