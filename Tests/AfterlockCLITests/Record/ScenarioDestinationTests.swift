import AfterlockCore
import AfterlockScenarios
import AfterlockTestSupport
import Foundation
import Glibc
import Testing

@testable import AfterlockCLI

@Suite("Where a recorded scenario is written")
struct ScenarioDestinationTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private let scenario = Scenario(
    name: "a", queue: [ScenarioItem(title: "a", duration: .seconds(1))],
    timeline: [.init(at: .zero, .play)], expectations: [.outcome(.plays)])

  private func destination(_ name: String) throws -> ScenarioDestination {
    try ScenarioDestination(MediaPath(bytes: folder.bytes(name)), option: "--record")
  }

  @Test func `is a new file, an empty one, or a scenario, and what is there is whole`() throws {
    try folder.file("empty.json5", "")
    try folder.file("old.json5", scenario.json5)
    for name in ["new.json5", "empty.json5", "old.json5"] {
      let destination = try destination(name)
      #expect(destination.write("text of \(name)") == nil)
      #expect(try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) == "text of \(name)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(left) == ["new.json5", "empty.json5", "old.json5"], "nothing else stays")
  }

  @Test func `is nothing else, and what is there stays as it is`() throws {
    try folder.file("song.flac", "fLaC")
    try folder.file("other.json5", "{ a: 1 }")
    mkdir("\(folder.path)/sub", 0o755)
    for (name, words) in [
      ("song.flac", "is there and is no scenario"), ("other.json5", "is there and is no scenario"),
      ("sub", "is a folder"), ("none/a.json5", "cannot be written: No such file"),
    ] {
      let error = #expect(throws: UsageError.self) { _ = try destination(name) }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    #expect(try String(contentsOfFile: "\(folder.path)/song.flac", encoding: .utf8) == "fLaC")
  }

  @Test func `is what a link leads to`() throws {
    try folder.file("old.json5", "")
    symlink("\(folder.path)/old.json5", "\(folder.path)/link.json5")
    #expect(try destination("link.json5").write("x") == nil)
    #expect(try String(contentsOfFile: "\(folder.path)/old.json5", encoding: .utf8) == "x")
  }
}

@Suite("A log from its beginning")
struct WholeLogTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private let line = PlaybackLogLine(
    time: .seconds(1), date: nil,
    entry: PlaybackLogEntry(
      event: .intentChange, rate: 1, reason: "play", origin: .viewer, wantedToPlay: false, wantsToPlay: true,
      position: .zero, decided: ["start(setRateCalled)"]))

  private func read(_ text: String) throws -> WholeLog {
    let path = try folder.file("log", text)
    let descriptor = open(path.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return try WholeLog(descriptor, name: "log")
  }

  @Test func `names lines that are none, and passes over the one that is being written`() throws {
    let log = try read(line.json + "nothing\n\n" + line.json + "{\"a\":1}\n" + line.json.dropLast(9))
    #expect(log.lines == [line, line] && log.broken == [2, 5])
    #expect(try read("").lines.isEmpty)
  }

  @Test(arguments: ["no log\n", "no newline", String(repeating: "x", count: 2_000_000)])
  func `is refused where no line is one`(text: String) throws {
    let error = #expect(throws: LogError.self) { _ = try read(text) }
    #expect(error?.message == "log is no log of afterlock")
  }

  @Test func `is told as a scenario, and an empty one is an error`() throws {
    func request(_ name: String) -> FromLogRequest {
      var request = FromLogRequest(ParsedArguments())
      request.log = folder.bytes(name)
      request.destination = MediaPath(bytes: folder.bytes("s.json5"))
      return request
    }
    try folder.file("empty", "")
    #expect(FromLogCommand.run(request("empty")) == 1)
    #expect(FromLogCommand.run(request("missing")) == 1)
    try folder.file("log", line.json)
    #expect(FromLogCommand.run(request("log")) == 0)
    #expect(try ScenarioFile.read("\(folder.path)/s.json5").timeline == [.init(at: .zero, .play)])
  }
}
