/// Completions for fish. Pure.
enum FishCompletion {
  static func text(_ program: ProgramDescription) -> String {
    let name = program.name
    var text = """
      # \(Completions.about(program, .fish))
      function __\(name)_words
          count (commandline -opc)
      end

      function __\(name)_command
          set -l words (commandline -opc)
          for index in (seq (count $argv))
              set -l word $words[(math $index + 1)]
              test "$word" = $argv[$index]; or return
          end
      end

      complete -c \(name) -f

      """
    let atFirst = "-n 'test (__\(name)_words) -eq 1'"
    for command in program.commands {
      text += "complete -c \(name) \(atFirst) -a \(command.name) -d \(quoted(command.abstract))\n"
    }
    for option in program.options {
      text += "complete -c \(name) \(atFirst)\(self.option(option, program))\n"
    }
    for command in program.commands {
      text += "\n" + self.command(command, program)
      for subcommand in command.subcommands { text += "\n" + self.command(subcommand, program) }
    }
    return text
  }

  private static func command(_ command: CommandDescription, _ program: ProgramDescription) -> String {
    let name = program.name
    var text = ""
    let condition = "__\(name)_command \(command.words)"
    let atFirst = "\(condition); and test (__\(name)_words) -eq \(command.parent == nil ? 2 : 3)"
    for option in command.options {
      let place = command.subcommands.isEmpty ? condition : atFirst
      text += "complete -c \(name) -n '\(place)'\(self.option(option, program))\n"
    }
    for subcommand in command.subcommands {
      text += "complete -c \(name) -n '\(atFirst)' -a \(subcommand.name) -d \(quoted(subcommand.abstract))\n"
    }
    guard let operands = command.operands else { return text }
    if operands.kind == .file {
      text += "complete -c \(name) -n '\(condition)' -F\n"
    } else if let words = Completions.words(operands.kind, of: program) {
      text += "complete -c \(name) -n '\(atFirst)' -a \(quoted(words.joined(separator: " ")))\n"
    }
    return text
  }

  private static func option(_ option: OptionDescription, _ program: ProgramDescription) -> String {
    var text = option.short.map { " -s \($0)" } ?? ""
    text += " -l \(option.long)"
    if let kind = option.value?.kind {
      text += kind == .file ? " -r -F" : " -x"
      if let words = Completions.words(kind, of: program) {
        text += " -a \(quoted(words.joined(separator: " ")))"
      }
    }
    return text + " -d \(quoted(Completions.brief(option.help)))"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
