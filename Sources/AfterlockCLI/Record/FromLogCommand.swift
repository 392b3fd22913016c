import AfterlockCore
import AfterlockScenarios
import Glibc

/// What `afterlock scenario from-log` is asked for.
struct FromLogRequest: Hashable, Sendable {
  /// The log; `nil` for standard input.
  var log: [UInt8]?
  /// The file that is written; `nil` for standard output.
  var destination: MediaPath?

  init(_ arguments: ParsedArguments) {
    let operand = arguments.operands.first ?? []
    log = operand == [UInt8(ascii: "-")] ? nil : operand
    destination = arguments.bytes("to").map { MediaPath(bytes: $0) }
  }
}

/// `afterlock scenario from-log`: the session that a log tells of, as a scenario.
enum FromLogCommand {
  static func run(_ request: FromLogRequest) -> Int32 {
    do {
      let destination = try request.destination.map { try ScenarioDestination($0, option: "--to") }
      let log = try read(request.log)
      for line in log.broken.prefix(mostNamed) {
        StandardStream.complain("\(log.name):\(line): no line of a log, passed over")
      }
      if log.broken.count > mostNamed {
        StandardStream.complain("\(log.name): \(log.broken.count - mostNamed) more such lines")
      }
      guard let session = RecordedSession(log.lines) else {
        StandardStream.complain(
          log.lines.isEmpty ? "\(log.name) is empty" : "nothing happened in \(log.name)")
        return 1
      }
      for omission in session.omissions { StandardStream.complain("the scenario leaves out \(omission)") }
      guard let destination else {
        StandardStream.output.write(session.scenario.json5)
        return 0
      }
      guard let cause = destination.write(session.scenario.json5) else { return 0 }
      StandardStream.complain("the scenario \(destination.display) cannot be written: \(cause)")
      return 1
    } catch let error as UsageError {
      StandardStream.complain(error.message)
      return 2
    } catch let error as LogError {
      StandardStream.complain(error.message)
    } catch {
      StandardStream.complain("\(error)")
    }
    return 1
  }

  /// So many broken lines are named one by one.
  private static let mostNamed = 10

  private static func read(_ path: [UInt8]?) throws(LogError) -> WholeLog {
    guard let path else { return try WholeLog(STDIN_FILENO, name: "standard input") }
    let name = MediaPath(bytes: path).display
    let descriptor = open(path.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LogError(message: "the log \(name) cannot be read: \(cause(errno))") }
    defer { close(descriptor) }
    return try WholeLog(descriptor, name: name)
  }

  private static func cause(_ code: Int32) -> String { FileSystemError(code: code).cause }
}

/// The lines of a log from its beginning, as many as a scenario tells of.
struct WholeLog: Hashable, Sendable {
  /// What messages call it.
  let name: String
  /// The lines that could be read, in order.
  private(set) var lines: [PlaybackLogLine] = []
  /// Numbers, from 1, of whole lines that are none of a log.
  private(set) var broken: [Int] = []
  private var number = 0

  /// The longest that a line of a log may be: longer ones are of something else, such as /dev/zero.
  private static let mostBytes = 1 << 20

  /// Reads what a descriptor leads to. Blocks as long as a pipe is open.
  init(_ descriptor: Int32, name: String) throws(LogError) {
    self.name = name
    var rest: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while lines.count <= RecordedSession.mostLines {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        let cause = errno == EISDIR ? "it is a folder" : FileSystemError(code: errno).cause
        throw LogError(message: "the log \(name) cannot be read: \(cause)")
      }
      // What has no newline behind it is still being written, or was cut off.
      if count == 0 { break }
      rest += chunk[..<count]
      take(&rest)
      guard rest.count <= Self.mostBytes, broken.count < 100_000 || !lines.isEmpty else {
        throw LogError(message: "\(name) is no log of afterlock")
      }
    }
    if lines.isEmpty, !broken.isEmpty || !rest.isEmpty {
      throw LogError(message: "\(name) is no log of afterlock")
    }
  }

  /// Takes whole lines out of the bytes.
  private mutating func take(_ bytes: inout [UInt8]) {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      number += 1
      let line = bytes[start..<end]
      if let line = PlaybackLogLine(json: line) {
        lines.append(line)
      } else if !line.isEmpty {
        broken.append(number)
      }
      start = end + 1
    }
    bytes.removeSubrange(..<start)
  }
}
