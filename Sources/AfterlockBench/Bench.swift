internal import AfterlockDesktop
internal import Foundation
internal import Glibc

/// How much is measured.
struct BenchOptions {
  /// Starts of each player.
  var starts = 10
  /// Runs of each player for CPU and memory.
  var usageRuns = 3
  var flacSeconds = 60.0
  var flacRounds = 3
  var loadSeconds = 20.0
  /// Pauses and plays that are asked of each player over the bus.
  var commands = 20
  var json: String?
  /// The figures that are measured; all of them unless some are named.
  var parts = Set(Part.allCases)

  enum Part: String, CaseIterable {
    case start, usage, flac, remote, restart, load
  }

  static let help = """
    Measures afterlock beside pw-play, mpv and ffplay, whichever are installed, on a private desktop.

    Usage: swift run -c release afterlock-bench [--quick] [--only PART]… [--json FILE]

      --quick      fewer and shorter runs; the ratios are rough
      --only PART  only this: start, usage, flac, remote, restart or load; may be
                   given again
      --json FILE  also writes the figures as JSON
      --help       shows this

    Each figure is the median of runs that were made in turns, player after player, in this one run; for FLAC all
    play at once, each on a desktop of its own. Leave the machine alone meanwhile. The exit status is 0 when every target holds, 1 when one does not, 2 for wrong usage.
    """

  init(_ arguments: [String]) throws(BenchFailure) {
    var rest = arguments[...]
    var only: Set<Part> = []
    while let word = rest.popFirst() {
      switch word {
      case "--quick":
        (starts, usageRuns, flacSeconds, flacRounds, loadSeconds, commands) = (3, 1, 20, 1, 8, 5)
      case "--only":
        guard let part = rest.popFirst().flatMap(Part.init) else {
          throw BenchFailure("--only wants one of: " + Part.allCases.map(\.rawValue).joined(separator: ", "))
        }
        only.insert(part)
      case "--json":
        guard let file = rest.popFirst() else { throw BenchFailure("--json wants a file") }
        json = file
      default: throw BenchFailure("unknown option \(word); see --help")
      }
    }
    if !only.isEmpty { parts = only }
  }
}

/// One run of the benchmark: a private desktop, the peers, and the figures one after the other.
final class Bench {
  let options: BenchOptions
  let peers: [Peer]
  let folder: String
  var rows: [Row] = []

  init(_ options: BenchOptions) throws {
    self.options = options
    peers = try Peer.installed()
    var template = Array("/tmp/afterlock-bench.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchFailure("cannot make a folder in /tmp") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func run() async throws -> Table {
    say("players: " + peers.map(\.name).joined(separator: ", "))
    if options.parts.contains(.start) { rows += try await startAndCompleteness() }
    if options.parts.contains(.usage) { rows += try await usage() }
    if options.parts.contains(.flac) { rows.append(try await flacUsage()) }
    if options.parts.contains(.remote) { rows += try await remoteControl() }
    if options.parts.contains(.restart) { rows += try await restart() }
    if options.parts.contains(.load) { rows.append(try await load()) }
    return Table(peers: peers.map(\.name), rows: rows)
  }

  /// Progress, on standard error so that the table can be piped.
  func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  /// A desktop and a monitor of its sink, for one measurement.
  func withDesktop<Result>(
    seconds: Int, _ body: (PrivateDesktop, SinkMonitor) async throws -> Result
  ) async throws -> Result {
    let desktop = try await PrivateDesktop.start(.init(quantum: nil))
    do {
      let monitor = try SinkMonitor(
        sink: desktop.configuration.sinks[0].name, runtimeFolder: desktop.runtimeDirectory, seconds: seconds)
      defer { monitor.close() }
      try await wait("the monitor to hear the sink") { monitor.frameCount > 4_800 }
      let result = try await body(desktop, monitor)
      await desktop.close()
      return result
    } catch {
      await desktop.close()
      throw error
    }
  }

  func wait(_ what: String, seconds: Double = 20, until condition: () -> Bool) async throws {
    let limit = monotonicNanoseconds() + Int64(seconds * 1e9)
    while !condition() {
      guard monotonicNanoseconds() < limit else { throw BenchFailure("waited in vain for \(what)") }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Waits until the monitor has heard `seconds` more, so that what was under way has arrived.
  func settle(_ monitor: SinkMonitor, seconds: Double = 0.3) async throws {
    let target = monitor.frameCount + Int(seconds * Double(SinkMonitor.rate))
    try await wait("the monitor to go on") { monitor.frameCount >= target }
  }
}

@main
struct BenchProgram {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") || arguments.contains("-h") {
      print(BenchOptions.help)
      return
    }
    let options: BenchOptions
    do {
      options = try BenchOptions(arguments)
    } catch {
      FileHandle.standardError.write(Data("afterlock-bench: \(error)\n".utf8))
      exit(2)
    }
    do {
      let table = try await Bench(options).run()
      print(table.markdown)
      if let file = options.json {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(table.rows).write(to: URL(filePath: file))
      }
      exit(table.holds ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("afterlock-bench: \(error)\n".utf8))
      exit(1)
    }
  }
}
