/// Completions for zsh, to be found by `compinit` in a folder of `fpath`. Pure.
enum ZshCompletion {
  static func text(_ program: ProgramDescription) -> String {
    """
    #compdef \(program.name)
    # \(Completions.about(program, .zsh))
    _\(program.name)() {
      local curcontext=$curcontext state line
      typeset -A opt_args
    \(choice(among: program.commands, options: program.options, program, indent: 2))}

    _\(program.name) "$@"

    """
  }

  /// Completes the word that says which command, and then what follows that command.
  private static func choice(
    among commands: [CommandDescription], options: [OptionDescription], _ program: ProgramDescription,
    indent: Int
  ) -> String {
    let names = commands.map { command in
      "      \(quoted(escaped(command.name) + ":" + Completions.brief(command.abstract)))\n"
    }.joined()
    let text = """
      _arguments -C \\
      \(options.map { "  \(specification($0, program, isLast: true)) \\\n" }.joined())\
        '1: :->command' \\
        '*:: :->rest' && return
      case $state in
        command)
          local -a commands=(
      \(names)    )
          _describe command commands
          ;;
        rest)
          case $line[1] in
      \(commands.map { branch($0, program) }.joined())    esac
          ;;
      esac

      """
    return indented(text, by: indent)
  }

  private static func branch(_ command: CommandDescription, _ program: ProgramDescription) -> String {
    let body: String
    if command.subcommands.isEmpty {
      var specifications = command.options.map { specification($0, program, isLast: $0.long == "help") }
      if let operands = command.operands { specifications += self.operands(operands, program) }
      let arguments = specifications.map { " \\\n            \($0)" }.joined()
      body = "          _arguments -s -S\(arguments)\n"
    } else {
      body = choice(among: command.subcommands, options: command.options, program, indent: 10)
    }
    return "        \(command.name))\n\(body)          ;;\n"
  }

  private static func indented(_ text: String, by count: Int) -> String {
    let margin = String(repeating: " ", count: count)
    return text.split(separator: "\n").map { "\(margin)\($0)\n" }.joined()
  }

  /// - Parameter isLast: nothing else is given with it.
  private static func specification(
    _ option: OptionDescription, _ program: ProgramDescription, isLast: Bool
  ) -> String {
    let names = Completions.names(option)
    let others = isLast ? "(- : *)" : names.count > 1 ? "(\(names.joined(separator: " ")))" : ""
    let typed = names.map { option.value == nil ? $0 : $0.hasPrefix("--") ? $0 + "=" : $0 + "+" }
    let braces = typed.count > 1 ? "{\(typed.joined(separator: ","))}" : typed[0]
    var what = "[\(escaped(Completions.brief(option.help)))]"
    if let value = option.value { what += ":\(escaped(value.placeholder)):\(action(value.kind, program))" }
    return (others.isEmpty ? "" : quoted(others)) + braces + quoted(what)
  }

  private static func operands(_ operands: OperandDescription, _ program: ProgramDescription) -> [String] {
    let name = escaped(operands.placeholder)
    guard operands.kind == .file else {
      let rest = operands.count.upperBound > 1 ? ["'*:VALUE: '"] : []
      return [quoted("1:\(name):\(action(operands.kind, program))")] + rest
    }
    let most = operands.count.upperBound
    return [quoted((most > 1 ? "*" : "1") + ":\(name):_files")]
  }

  private static func action(_ kind: ValueKind, _ program: ProgramDescription) -> String {
    if kind == .file { return "_files" }
    // A space shows what is wanted, and offers nothing.
    return Completions.words(kind, of: program).map { "(\($0.joined(separator: " ")))" } ?? " "
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "[]:\\".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
