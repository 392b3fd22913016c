import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("The program without a sound server")
struct CommandLineRunTests {
  @Test func `help and version go to standard output and end with 0`() async throws {
    for words in [["--help"], ["play", "--help"], ["help", "play"], ["--version"], ["doctor", "--help"]] {
      let program = try RunningProgram(words.map { Array($0.utf8) })
      defer { program.kill() }
      #expect(try await program.exitStatus() == 0)
      #expect(!program.standardOutput.isEmpty && program.standardError.isEmpty)
    }
    let help = HelpText.command(.play, of: .afterlock)
    for status in ["129", "130", "143"] { #expect(help.contains(status)) }
  }

  @Test func `wrong usage goes to standard error and ends with 2`() async throws {
    for words in [
      [], ["play"], ["play", "--lop", "x"], ["plya", "x"], ["play", "--log", "/missing/x", "y"],
    ] {
      let program = try RunningProgram(words.map { Array($0.utf8) })
      defer { program.kill() }
      #expect(try await program.exitStatus() == 2, "\(words)")
      #expect(program.standardOutput.isEmpty && program.standardError.hasPrefix("afterlock: "))
    }
  }

  @Test func `a log is not written over a file that is no log`() async throws {
    let folder = try ByteNamedFolder()
    let wav = try folder.wav("a.wav", frames: 4800)
    try folder.file("old.jsonl", "{\"time\":0}\n")
    try folder.file("empty.jsonl", "")
    let before = try Data(contentsOf: URL(filePath: folder.path + "/a.wav"))
    let refused = try RunningProgram(
      [Array("play".utf8), Array("--log".utf8), wav, wav], environment: ["XDG_RUNTIME_DIR": folder.path])
    defer { refused.kill() }
    #expect(try await refused.exitStatus() == 2)
    #expect(refused.standardError.contains("a.wav is there and is no log"))
    #expect(try Data(contentsOf: URL(filePath: folder.path + "/a.wav")) == before)
    for log in ["old.jsonl", "empty.jsonl", "new.jsonl"] {
      let taken = try RunningProgram(
        "play", "--wait", "0.1", "--log", "\(folder.path)/\(log)", "\(folder.path)/none.wav",
        environment: ["XDG_RUNTIME_DIR": folder.path])
      defer { taken.kill() }
      let status = try await taken.exitStatus()
      #expect(status == 1 || status == 3, "\(log): \(status) \(taken.standardError)")
    }
  }

  @Test(arguments: ["<&- >&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"])
  func `with standard streams closed the exit status is the play's own`(closed: String) async throws {
    let folder = try ByteNamedFolder()
    let command = "exec \"$0\" play --wait 0.2 \"$1\" \(closed)"
    let output = try await Command.run(
      "/bin/sh", ["-c", command, try AfterlockProgram.path(), "\(folder.path)/none.wav"],
      environment: ["XDG_RUNTIME_DIR": folder.path])
    #expect([ExitStatus.code(1), .code(3)].contains(output.status), "\(output.status)")
  }

  @Test func `why gives up on what has no end and is no log`() async throws {
    for command in ["exec \"$0\" why /dev/urandom", "yes no log | \"$0\" why -"] {
      let output = try await Command.run(
        "/bin/sh", ["-c", command, try AfterlockProgram.path()], limit: .seconds(60))
      #expect(!output.timedOut && output.status == .code(1), "\(command): \(output.status)")
      #expect(output.errorText.hasSuffix(" is no log of afterlock\n"), "\(output.errorText)")
    }
  }

  @Test func `without PipeWire it gives up after the wait, with 3`() async throws {
    let folder = try ByteNamedFolder()
    let wav = try folder.wav("a.wav", frames: 4800)
    let begin = ContinuousClock.now
    let program = try RunningProgram(
      [Array("play".utf8), Array("--wait".utf8), Array("0.4".utf8), wav],
      environment: ["XDG_RUNTIME_DIR": folder.path, "PIPEWIRE_RUNTIME_DIR": "", "PIPEWIRE_REMOTE": ""])
    defer { program.kill() }
    #expect(try await program.exitStatus() == 3)
    #expect(ContinuousClock.now - begin >= .milliseconds(500))
    #expect(program.errorLines.count == 1)
    #expect(program.standardError.contains("no PipeWire within 0.5 s"))
    #expect(program.standardOutput.isEmpty)
  }

  @Test func `a list of bad items only ends with 1, also when it is looped`() async throws {
    let folder = try ByteNamedFolder()
    try folder.file("empty.wav", "")
    try folder.file("noise.flac", String(repeating: "no music ", count: 500))
    try folder.file("list.m3u", "missing.ogg\nempty.wav\n")
    try folder.folder("nothing")
    for loop in ["none", "track", "playlist"] {
      let program = try RunningProgram(
        "play", "--loop", loop, "\(folder.path)/empty.wav", "\(folder.path)/noise.flac",
        "\(folder.path)/none",
        "\(folder.path)/list.m3u", "\(folder.path)/nothing",
        environment: ["XDG_RUNTIME_DIR": folder.path])
      defer { program.kill() }
      #expect(try await program.exitStatus() == 1)
      let lines = program.errorLines.map { $0.replacing(folder.path + "/", with: "") }.sorted()
      try #require(lines.count == 5, "\(lines)")
      for line in lines {
        let cause = line.split(separator: ": ").last ?? ""
        #expect(cause.first?.isLowercase == true && !cause.hasSuffix("."), "causes are in one style: \(line)")
      }
      #expect(lines[0].hasPrefix("afterlock: empty.wav: "))
      #expect(lines[1] == "afterlock: list.m3u:1: missing.ogg: no such file or folder")
      #expect(lines[2].hasPrefix("afterlock: noise.flac: "))
      #expect(lines[3] == "afterlock: none: no such file or folder")
      #expect(lines[4] == "afterlock: nothing: no music in this folder")
      #expect(program.standardOutput.isEmpty)
    }
  }
}
