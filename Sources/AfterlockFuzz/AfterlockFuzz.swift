import Foundation

/// Opens and decodes damaged files and pictures, looking for a crash, a hang, or memory without bound.
///
/// Cases run in a process of their own, and the supervisor goes on behind one that died. Each failure is printed with its
/// seed, its case and the command that runs it again, and its file is kept.
@main
enum AfterlockFuzz {
  static func main() {
    do {
      let options = try FuzzOptions(Array(CommandLine.arguments.dropFirst()))
      if let file = options.file {
        exit(CaseRunner(options).report(file: file))
      } else if options.isWorker {
        Worker(options).run()
      } else {
        exit(try Supervisor(options).run())
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n\(FuzzOptions.usage)\n".utf8))
      exit(2)
    }
  }
}

/// What to run, from the command line.
struct FuzzOptions {
  static let usage = """
    usage: AfterlockFuzz --corpus DIR [--seed S] [--first K] [--cases N] [--format NAME] [--time-limit SECONDS]
             [--memory MIB] [--keep DIR]
           AfterlockFuzz --file FILE     opens one file, as a case does, and says what came of it
    """

  var seed: UInt64 = 1
  var first = 0
  var cases = 2_000
  /// Only files of the corpus with this name, or ending.
  var format: String?
  var corpus = ""
  var file: String?
  var timeLimit = 10
  /// What a case may take beyond what the process had before.
  var memoryMiB = 320
  /// Where the files of failed cases are kept.
  var keep = FileManager.default.temporaryDirectory.path
  var scratch = ""
  var isWorker = false

  struct UsageError: Error, CustomStringConvertible {
    var description: String
  }

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func value(_ name: String) throws -> String {
      guard let value = rest.popFirst() else { throw UsageError(description: "\(name) needs a value") }
      return value
    }
    func number<N: FixedWidthInteger>(_ name: String, _ type: N.Type) throws -> N {
      let text = try value(name)
      guard let number = N(text) else { throw UsageError(description: "\(name) needs a number, not \(text)") }
      return number
    }
    while let name = rest.popFirst() {
      switch name {
      case "--seed": seed = try number(name, UInt64.self)
      case "--first": first = try number(name, Int.self)
      case "--cases": cases = try number(name, Int.self)
      case "--format": format = try value(name)
      case "--corpus": corpus = try value(name)
      case "--file": file = try value(name)
      case "--time-limit": timeLimit = try number(name, Int.self)
      case "--memory": memoryMiB = try number(name, Int.self)
      case "--keep": keep = try value(name)
      case "--scratch": scratch = try value(name)
      case "--worker": isWorker = true
      default: throw UsageError(description: "unknown option \(name)")
      }
    }
    if file == nil, corpus.isEmpty { throw UsageError(description: "--corpus or --file is needed") }
  }

  /// The command line of a worker for the cases from `first` on.
  func worker(from first: Int, scratch: String) -> [String] {
    var arguments = [
      "--worker", "--seed", "\(seed)", "--first", "\(first)", "--cases", "\(self.first + cases - first)",
      "--corpus", corpus, "--time-limit", "\(timeLimit)", "--memory", "\(memoryMiB)", "--scratch", scratch,
    ]
    if let format { arguments += ["--format", format] }
    return arguments
  }
}

/// Starts workers, notes which case each of them died of, and starts the next behind it.
struct Supervisor {
  let options: FuzzOptions
  /// More failures than this are the same one, most likely.
  private static let mostFailures = 10

  init(_ options: FuzzOptions) { self.options = options }

  /// - Returns: the exit status: 0 when no case failed.
  func run() throws -> Int32 {
    let scratch = FileManager.default.temporaryDirectory.appending(
      path: "afterlock-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let corpus = try Corpus(options)
    let end = options.first + options.cases
    var next = options.first
    var failures = 0
    while next < end, failures < Self.mostFailures {
      let (lastCase, cause) = try runWorker(from: next, scratch: scratch.path)
      guard let cause else { break }
      failures += 1
      try report(lastCase ?? next, cause, corpus)
      next = (lastCase ?? next) + 1
    }
    print(
      "\(next < end ? end - options.first : options.cases) cases, seed \(options.seed), \(failures) failed")
    return failures == 0 ? 0 : 1
  }

  /// - Returns: the case that ran last, and what the worker died of; `nil` when it went through.
  private func runWorker(from first: Int, scratch: String) throws -> (Int?, String?) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = options.worker(from: first, scratch: scratch)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
      separator: "\n")
    process.waitUntilExit()
    let lastCase = lines.last { $0.hasPrefix("case ") }.flatMap { Int($0.dropFirst(5)) }
    let status = process.terminationStatus
    switch (process.terminationReason, status) {
    case (.exit, 0): return (lastCase, nil)
    case (.exit, Worker.brokenPromise):
      return (lastCase, lines.last { $0.hasPrefix("broken: ") }.map(String.init))
    case (.exit, Worker.tooMuchMemory): return (lastCase, "took more than \(options.memoryMiB) MiB of memory")
    case (.uncaughtSignal, SIGALRM): return (lastCase, "was not done after \(options.timeLimit) s")
    case (.uncaughtSignal, _): return (lastCase, "died of signal \(status)")
    default: return (lastCase, "left with status \(status)")
    }
  }

  private func report(_ number: Int, _ cause: String, _ corpus: Corpus) throws {
    let (name, bytes) = corpus.file(number, seed: options.seed)
    let kept = "\(options.keep)/afterlock-fuzz-\(options.seed)-\(number)-\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: kept))
    print(
      """
      seed \(options.seed) case \(number) (\(name)): \(cause)
        the file: swift run AfterlockFuzz --file \(kept)
        the case: AFTERLOCK_FUZZ_SEED=\(options.seed) AFTERLOCK_FUZZ_FIRST=\(number) AFTERLOCK_FUZZ_CASES=1 \
      swift test --filter FuzzTests
      """)
  }
}
