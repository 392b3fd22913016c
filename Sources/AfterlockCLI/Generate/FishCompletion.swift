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
          test (count $words) -ge 2; and test $words[2] = $argv[1]
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
      let condition = "__\(name)_command \(command.name)"
      text += "\n"
      for option in command.options {
        text += "complete -c \(name) -n '\(condition)'\(self.option(option, program))\n"
      }
      guard let operands = command.operands else { continue }
      if operands.kind == .file {
        text += "complete -c \(name) -n '\(condition)' -F\n"
      } else if let words = Completions.words(operands.kind, of: program) {
        text += "complete -c \(name) -n '\(condition); and test (__\(name)_words) -eq 2' "
        text += "-a \(quoted(words.joined(separator: " ")))\n"
      }
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
