/// What a value of an option or an operand is, for parsing, for help and for completion in shells.
enum ValueKind: Hashable, Sendable {
  /// Any text.
  case text
  /// A path, taken as bytes.
  case file
  /// One of these words.
  case choice([String])
  /// The name of one of the program's commands.
  case command
  /// A number in a range, with or without a fraction; `unit` may stand behind it ("80%", "5ms").
  case number(ClosedRange<Double>, unit: String)
  /// A time: seconds, m:ss or h:mm:ss, each with or without a fraction.
  case time
}

/// One option, described once: the parser, the help, and whatever else shows options are made from this.
struct OptionDescription: Hashable, Sendable {
  /// What follows the option's name.
  struct Value: Hashable, Sendable {
    /// How help names it, in capitals.
    let placeholder: String
    let kind: ValueKind
    /// What holds when the option is not given, as it would be written.
    let fallback: String?

    init(_ placeholder: String, _ kind: ValueKind, fallback: String? = nil) {
      self.placeholder = placeholder
      self.kind = kind
      self.fallback = fallback
    }
  }

  /// The long name without its dashes.
  let long: String
  /// The letter of the short form, where there is a usual one.
  let short: Character?
  /// `nil` for a switch.
  let value: Value?
  /// One or two sentences for the help.
  let help: String

  init(_ long: String, short: Character? = nil, value: Value? = nil, _ help: String) {
    self.long = long
    self.short = short
    self.value = value
    self.help = help
  }
}

/// The words after the options.
struct OperandDescription: Hashable, Sendable {
  let placeholder: String
  let kind: ValueKind
  /// Fewest and most that are taken.
  let count: ClosedRange<Int>
  /// What is missing when there are too few: "a file, a folder, …".
  let what: String
}

/// A line to try, and what it does.
struct Example: Hashable, Sendable {
  let line: String
  let what: String
}

/// A titled list at the end of a command's help.
struct HelpSection: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    let term: String
    let meaning: String
  }
  let title: String
  let rows: [Row]
}

/// One command with everything that is to be said about it.
struct CommandDescription: Hashable, Sendable {
  let name: String
  /// The command that this one belongs to, as `run` belongs to `scenario`; `nil` for one of the program's own.
  var parent: String?
  /// One sentence without its full stop.
  let abstract: String
  /// What a reader of the help should know beside the options.
  var discussion: String = ""
  var operands: OperandDescription?
  var options: [OptionDescription]
  /// What it can be told to do; a command that has these does nothing by itself.
  var subcommands: [CommandDescription] = []
  var examples: [Example] = []
  var sections: [HelpSection] = []

  /// The words that are typed for it: "play", "scenario run".
  var words: String { parent.map { "\($0) \(name)" } ?? name }

  func subcommand(named name: String) -> CommandDescription? { subcommands.first { $0.name == name } }
}

/// The program: its commands and the options that stand before a command.
struct ProgramDescription: Hashable, Sendable {
  let name: String
  let version: String
  let abstract: String
  let options: [OptionDescription]
  let commands: [CommandDescription]

  func command(named name: String) -> CommandDescription? { commands.first { $0.name == name } }

  /// Every command, each followed by its subcommands.
  var allCommands: [CommandDescription] { commands.flatMap { [$0] + $0.subcommands } }
}
