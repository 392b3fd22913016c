/// Completions for bash; they need nothing but bash itself. Pure.
enum BashCompletion {
  static func text(_ program: ProgramDescription) -> String {
    let function = "_\(program.name)"
    return """
      # \(Completions.about(program, .bash))
      \(function)_files() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -P "$prefix" -f -- "$cur")
      }

      \(function)() {
        local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
        local prefix= word= words= value= rest= count=0 index first=2
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          mapfile -t COMPREPLY < <(compgen -W '\(topWords(program))' -- "$cur")
          return
        fi
      \(subcommands(program))  # What stands before: options with their values, and the other words.
        for ((index = first; index < COMP_CWORD; index++)); do
          word=${COMP_WORDS[index]}
          if [[ -n $value ]]; then
            [[ $word == = ]] || value=
          elif [[ -n $rest ]]; then
            count=$((count + 1))
          elif [[ $word == -- ]]; then
            rest=1
          elif [[ $word == -?* ]]; then
            case $command:$word in
      \(valueOptions(program))
            esac
          else
            count=$((count + 1))
          fi
        done
        # As a rule bash breaks words at "=", so that "--option=value" comes as three.
        if [[ $cur == = ]]; then
          cur=
        elif [[ $option == = ]]; then
          option=${COMP_WORDS[COMP_CWORD - 2]}
        elif [[ -z $rest$value && $cur == --*=* ]]; then
          option=${cur%%=*} prefix=${cur%%=*}= cur=${cur#*=} value=1
        fi
        if [[ -n $value ]]; then
          case $command:$option in
      \(values(program, function))
          esac
        elif [[ -z $rest && $cur == -* ]]; then
          case $command in
      \(optionWords(program))
          esac
        else
          case $command in
      \(operands(program, function))
          esac
        fi
        if [[ -n $words ]]; then
          mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "$cur")
        fi
      }

      complete -F \(function) \(program.name)

      """
  }

  private static func topWords(_ program: ProgramDescription) -> String {
    (program.commands.map(\.name) + program.options.map { "--\($0.long)" }).joined(separator: " ")
  }

  /// A command with commands of its own: what can follow it, and the two words as one from there on.
  private static func subcommands(_ program: ProgramDescription) -> String {
    let parents = program.commands.filter { !$0.subcommands.isEmpty }
    guard !parents.isEmpty else { return "" }
    let branches = parents.map { command in
      let words = command.subcommands.map(\.name) + command.options.map { "--\($0.long)" }
      return "    \(command.name)) words='\(words.joined(separator: " "))' ;;\n"
    }.joined()
    return """
        case $command in
      \(branches)  esac
        if [[ -n $words ]]; then
          if ((COMP_CWORD == 2)); then
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
            return
          fi
          command+=-${COMP_WORDS[2]} first=3 words=
        fi

      """
  }

  /// What the script calls a command: its words, joined.
  private static func key(_ command: CommandDescription) -> String {
    command.words.replacing(" ", with: "-")
  }

  /// The patterns of all options that take a value.
  private static func valueOptions(_ program: ProgramDescription) -> String {
    let patterns = program.allCommands.flatMap { command in
      command.options.filter { $0.value != nil }.map { pattern($0, command) }
    }
    return patterns.map { "        \($0)) value=1 ;;" }.joined(separator: "\n")
  }

  private static func pattern(_ option: OptionDescription, _ command: CommandDescription) -> String {
    Completions.names(option).map { "\(key(command)):\($0)" }.joined(separator: " | ")
  }

  private static func values(_ program: ProgramDescription, _ function: String) -> String {
    var lines: [String] = []
    for command in program.allCommands {
      for option in command.options {
        guard let kind = option.value?.kind else { continue }
        if kind == .file {
          lines.append("\(pattern(option, command))) \(function)_files ;;")
        } else if let words = Completions.words(kind, of: program) {
          lines.append("\(pattern(option, command))) words='\(words.joined(separator: " "))' ;;")
        }
      }
    }
    return lines.map { "      " + $0 }.joined(separator: "\n")
  }

  private static func optionWords(_ program: ProgramDescription) -> String {
    program.allCommands.filter(\.subcommands.isEmpty).map { command in
      let words = command.options.map { "--\($0.long)" }.joined(separator: " ")
      return "      \(key(command))) words='\(words)' ;;"
    }.joined(separator: "\n")
  }

  private static func operands(_ program: ProgramDescription, _ function: String) -> String {
    var lines: [String] = []
    for command in program.allCommands {
      guard let operands = command.operands else { continue }
      if operands.kind == .file {
        let most = operands.count.upperBound
        let condition = most == .max ? "" : "((count < \(most))) && "
        lines.append("\(key(command))) \(condition)\(function)_files ;;")
      } else if let words = Completions.words(operands.kind, of: program) {
        // What follows the first word is a value of its own kind.
        lines.append("\(key(command))) ((count == 0)) && words='\(words.joined(separator: " "))' ;;")
      }
    }
    return lines.map { "      " + $0 }.joined(separator: "\n")
  }
}
