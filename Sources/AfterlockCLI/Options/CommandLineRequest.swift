import AfterlockCore

/// What a whole command line asks for.
enum CommandLineRequest: Hashable, Sendable {
  case play(PlayOptions)
  case noise(NoiseOptions)
  case doctor(asJSON: Bool)
  case control(ControlRequest, player: String?)
  case why(WhyRequest)
  case install(InstallRequest)
  case scenario(ScenarioRequest)
  /// Print this and exit with 0.
  case show(String)

  /// Reads the words after the program's name.
  init(_ words: [[UInt8]], program: ProgramDescription = .afterlock) throws(UsageError) {
    guard let first = words.first else {
      throw UsageError(message: "nothing to do: name a command, such as \"afterlock play FILE\"")
    }
    let word = MediaPath(bytes: first).display
    if word.hasPrefix("-") {
      self = try Self.programOption(word, program)
      return
    }
    guard var command = program.command(named: word) else { throw Self.unknown(first, program) }
    var rest = Array(words.dropFirst())
    if !command.subcommands.isEmpty, !Self.asksForHelp(rest.first) {
      command = try Self.subcommand(rest.first, of: command, program)
      rest.removeFirst()
    }
    let arguments = try OptionParser(command).parse(rest)
    if arguments.has("help") {
      self = .show(HelpText.command(command, of: program))
      return
    }
    switch command.parent ?? command.name {
    case "play":
      if arguments.has("private"), arguments.has("output") {
        throw UsageError(
          message: "--private plays into a sink of its own, and --output names another", command: command.name
        )
      }
      self = .play(PlayOptions(arguments))
    case "noise": self = .noise(NoiseOptions(arguments))
    case "doctor": self = .doctor(asJSON: arguments.has("json"))
    case "control":
      self = .control(try ControlRequest(arguments.operands), player: arguments.text("player"))
    case "why": self = .why(try WhyRequest(arguments))
    case "install": self = .install(try InstallRequest(arguments))
    case "scenario": self = .scenario(try ScenarioRequest(command.name, arguments))
    case "man": self = .show(ManPage.text(program))
    case "completions":
      self = .show(try Self.shell(arguments.operands.first ?? []).completions(of: program))
    default: self = try Self.help(arguments.operands, program)
    }
  }

  private static func asksForHelp(_ word: [UInt8]?) -> Bool {
    word.map { ["--help", "-h"].contains(MediaPath(bytes: $0).display) } ?? false
  }

  /// What `command` is to do, by its next word.
  private static func subcommand(
    _ word: [UInt8]?, of command: CommandDescription, _ program: ProgramDescription
  ) throws(UsageError) -> CommandDescription {
    func error(_ message: String) -> UsageError { UsageError(message: message, command: command.name) }
    let line = "\(program.name) \(command.name)"
    let names = command.subcommands.map(\.name)
    guard let word else {
      throw error(
        "nothing to do: say what, as in \"\(line) \(names[0])\"; it can \(names.joined(separator: ", "))")
    }
    let shown = MediaPath(bytes: word).display
    if let found = command.subcommand(named: shown) { return found }
    if shown.hasPrefix("-") {
      let name = String(shown.drop { $0 == "-" }.prefix { $0 != "=" })
      if let owner = command.subcommands.first(where: { $0.options.contains { $0.long == name } }) {
        throw error("option --\(name) belongs after its command: \(line) \(owner.name) --\(name)")
      }
      throw error("unknown option \(shown)")
    }
    let isPath = word.contains(UInt8(ascii: "/")) || word.contains(UInt8(ascii: "."))
    let meant = isPath ? "\(names[0]) \(shown)" : NearestWord.find(shown, among: names)
    let hint =
      meant.map { "; did you mean \"\(line) \($0)\"?" } ?? "; it can \(names.joined(separator: ", "))"
    throw error("unknown command '\(command.name) \(shown)'\(hint)")
  }

  private static func programOption(
    _ word: String, _ program: ProgramDescription
  ) throws(UsageError) -> Self {
    switch word {
    case "--help", "-h": return .show(HelpText.program(program))
    case "--version", "-V": return .show("\(program.name) \(program.version)\n")
    default:
      // An option before its command is the commonest slip: `afterlock --loop track play x`.
      let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
      if let owner = program.commands.first(where: { $0.options.contains { $0.long == name } }) {
        throw UsageError(
          message: "option --\(name) belongs after its command: afterlock \(owner.name) --\(name)")
      }
      let nearest = NearestWord.find(name, among: program.options.map(\.long))
      throw UsageError(
        message: "unknown option \(word)" + (nearest.map { "; did you mean --\($0)?" } ?? ""))
    }
  }

  private static func unknown(_ word: [UInt8], _ program: ProgramDescription) -> UsageError {
    let shown = MediaPath(bytes: word).display
    let looksLikeMedia = word.contains(UInt8(ascii: "/")) || word.contains(UInt8(ascii: "."))
    let meant =
      looksLikeMedia
      ? "play \(shown)" : NearestWord.find(shown, among: program.commands.map(\.name))
    return UsageError(
      message: "unknown command '\(shown)'" + (meant.map { "; did you mean \"afterlock \($0)\"?" } ?? ""))
  }

  private static func shell(_ word: [UInt8]) throws(UsageError) -> Shell {
    let name = MediaPath(bytes: word).display
    if let shell = Shell(rawValue: name) { return shell }
    let names = Shell.allCases.map(\.rawValue)
    let meant = NearestWord.find(name, among: names).map { "; did you mean \($0)?" } ?? ""
    throw UsageError(
      message: "there are completions for \(names.joined(separator: ", ")), and not for '\(name)'\(meant)",
      command: "completions")
  }

  private static func help(_ topics: [[UInt8]], _ program: ProgramDescription) throws(UsageError) -> Self {
    guard let topic = topics.first else { return .show(HelpText.program(program)) }
    guard var command = program.command(named: MediaPath(bytes: topic).display) else {
      throw unknown(topic, program)
    }
    if topics.count > 1 {
      guard !command.subcommands.isEmpty else {
        throw UsageError(
          message: "\"\(program.name) \(command.name)\" has no commands of its own", command: command.name)
      }
      command = try subcommand(topics[1], of: command, program)
    }
    return .show(HelpText.command(command, of: program))
  }
}
