/// What `afterlock scenario` is asked for; paths are the bytes of the command line.
enum ScenarioRequest: Hashable, Sendable {
  /// What the scenarios happen to.
  enum Output: String, Hashable, Sendable, CaseIterable {
    /// The simulated phone and desktop, in virtual time.
    case simulated
    /// The real player on a private desktop, in real time.
    case pipewire
  }

  /// How scenarios are run, and what is made of that.
  struct Run: Hashable, Sendable {
    var paths: [[UInt8]] = []
    var output = Output.simulated
    /// Where the HTML report goes.
    var report: [UInt8]?
    var asJSON = false
    /// Only what failed is printed.
    var isQuiet = false
  }

  case run(Run)
  case list([[UInt8]])
  case check([[UInt8]])
  case show([UInt8])
  case new([UInt8])
  case matrix(report: [UInt8]?)
  case fromLog(FromLogRequest)

  /// - Parameter name: which of the subcommands.
  init(_ name: String, _ arguments: ParsedArguments) throws(UsageError) {
    let paths = arguments.operands
    switch name {
    case "list": self = .list(paths)
    case "check": self = .check(paths)
    case "show": self = .show(paths[0])
    case "new": self = .new(paths[0])
    case "from-log": self = .fromLog(FromLogRequest(arguments))
    case "matrix": self = .matrix(report: arguments.bytes("report"))
    default:
      var run = Run(paths: paths)
      run.output = arguments.text("output").flatMap(Output.init(rawValue:)) ?? .simulated
      run.report = arguments.bytes("report")
      run.asJSON = arguments.has("json")
      run.isQuiet = arguments.has("quiet")
      if run.asJSON, run.isQuiet {
        throw UsageError(
          message: "--json prints everything as one object, and --quiet asks for less",
          command: "scenario run")
      }
      self = .run(run)
    }
  }
}
