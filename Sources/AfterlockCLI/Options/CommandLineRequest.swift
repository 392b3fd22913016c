import AfterlockCore

/// What a whole command line asks for.
enum CommandLineRequest: Hashable, Sendable {
  case play(PlayOptions)
  case noise(NoiseOptions)
  case doctor(asJSON: Bool)
  case control(ControlRequest, player: String?)
  case why(WhyRequest)
  case install(InstallRequest)
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
    guard let command = program.command(named: word) else { throw Self.unknown(first, program) }
    let arguments = try OptionParser(command).parse(Array(words.dropFirst()))
    if arguments.has("help") {
      self = .show(HelpText.command(command, of: program))
      return
    }
    switch command.name {
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
    case "man": self = .show(ManPage.text(program))
    case "completions":
      self = .show(try Self.shell(arguments.operands.first ?? []).completions(of: program))
    default: self = try Self.help(arguments.operands.first, program)
    }
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

  private static func help(_ topic: [UInt8]?, _ program: ProgramDescription) throws(UsageError) -> Self {
    guard let topic else { return .show(HelpText.program(program)) }
    guard let command = program.command(named: MediaPath(bytes: topic).display) else {
      throw unknown(topic, program)
    }
    return .show(HelpText.command(command, of: program))
  }
}
