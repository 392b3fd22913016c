import AfterlockTestSupport
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

  @Test func `without PipeWire it gives up after the wait, with 3`() async throws {
    let folder = try ByteNamedFolder()
    let wav = try folder.wav("a.wav", frames: 4800)
    let begin = ContinuousClock.now
    let program = try RunningProgram(
      [Array("play".utf8), Array("--wait".utf8), Array("0.4".utf8), wav],
      environment: ["XDG_RUNTIME_DIR": folder.path, "PIPEWIRE_RUNTIME_DIR": "", "PIPEWIRE_REMOTE": ""])
    defer { program.kill() }
    #expect(try await program.exitStatus() == 3)
    #expect(ContinuousClock.now - begin >= .milliseconds(400))
    #expect(program.errorLines.count == 1)
    #expect(program.standardError.contains("no PipeWire within 0.4 s"))
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
