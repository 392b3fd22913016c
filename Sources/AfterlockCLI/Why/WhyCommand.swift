import AfterlockCore
import AfterlockDesktop
import Glibc

/// Where `afterlock why` looks, and how it tells.
struct WhyRequest: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// A player that runs; `nil` for the one that plays.
    case player(String?)
    case standardInput
    case file([UInt8])
  }
  let source: Source
  let asJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    asJSON = arguments.has("json")
    guard let log = arguments.operands.first else {
      source = .player(arguments.text("player"))
      return
    }
    guard !arguments.has("player") else {
      throw UsageError(
        message: "--player asks a player that runs, and '\(MediaPath(bytes: log).display)' is a log",
        command: "why")
    }
    source = log == [UInt8(ascii: "-")] ? .standardInput : .file(log)
  }
}

/// `afterlock why`: what last started or stopped the sound.
enum WhyCommand {
  static func run(_ request: WhyRequest) -> Int32 {
    do {
      let (lines, volume, player) = try account(request.source)
      let explanation = Explanation(lines, volumePercent: volume, player: player) { WallClock.show($0) }
      StandardStream.output.write(
        request.asJSON ? explanation.json : PlainText.line(explanation.sentence) + "\n")
      return 0
    } catch let error as RemotePlayerError {
      StandardStream.complain(error.message)
      return error.code == .noBus ? 3 : 1
    } catch let error as LogError {
      StandardStream.complain(error.message)
    } catch {
      StandardStream.complain("\(error)")
    }
    return 1
  }

  private static func account(
    _ source: WhyRequest.Source
  ) throws -> (lines: [PlaybackLogLine], volumePercent: Double?, player: PlayerLife) {
    switch source {
    case .player(let name):
      let client = try MPRISClient(name)
      let lines = try client.past().compactMap { PlaybackLogLine(json: $0.utf8) }
      return (lines, try client.status().volumePercent, .runs)
    case .standardInput: return tell(try LogTail(STDIN_FILENO, name: "what is on standard input"))
    case .file(let path): return tell(try LogTail(path: path))
    }
  }

  private static func tell(
    _ tail: LogTail
  ) -> (lines: [PlaybackLogLine], volumePercent: Double?, player: PlayerLife) {
    if tail.brokenCount > 0 {
      StandardStream.complain("lines that are none of a log were passed over: \(tail.brokenCount)")
    }
    return (tail.lines, nil, tail.player)
  }
}
