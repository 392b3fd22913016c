import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("Playing into a desktop")
struct PlayLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  @Test func `bad items are named and skipped, and all good ones are heard to the last frame`() async throws {
    try folder.wav("1.wav", frames: 96_000, seed: 1)
    try folder.file("2.wav", "")
    try folder.file("3.flac", String(repeating: "no music ", count: 500))
    try folder.wav("4.wav", frames: 48_001, seed: 2)
    try folder.file("list.m3u", "missing.ogg\n../\(folder.name)/5.wav\n")
    try folder.wav("5.wav", frames: 1, seed: 3)
    let odd = try folder.wav(
      folder.bytes("6") + [0xFF, 0x0A, 0x1B] + Array(".wav".utf8), frames: 48_000, seed: 4)
    try await withLiveDesktop { live in
      let names = ["1.wav", "2.wav", "3.flac", "4.wav"].map { folder.bytes($0) } + [odd]
      let program = try RunningProgram(
        [Array("play".utf8)] + names + ["none", "list.m3u"].map { folder.bytes($0) },
        environment: live.environment)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 1)
      let lines = program.errorLines.map { $0.replacing(folder.path + "/", with: "") }.sorted()
      #expect(lines.count == 4, "\(lines)")
      #expect(lines.first?.hasPrefix("afterlock: 2.wav: ") == true)
      #expect(lines.dropFirst().first?.hasPrefix("afterlock: 3.flac: ") == true)
      #expect(lines.contains("afterlock: list.m3u:1: missing.ogg: no such file or folder"))
      #expect(lines.contains("afterlock: none: no such file or folder"))
      var samples: [Int16] = []
      for (frames, seed) in [(96_000, 1), (48_001, 2), (48_000, 4), (1, 3)] {
        samples += Signals.noise16(frames: frames, seed: UInt64(seed))
      }
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: samples))
      #expect(report.equalsSource, "\(report)")
      #expect(program.standardOutput.split(separator: "\n").count == 4)
      #expect(program.standardOutput.hasPrefix("Playing: 1.wav (0:02)\n"))
    }
  }

  @Test func `quiet prints nothing, and the log on standard output is JSON only`() async throws {
    let wav = try folder.wav("a.wav", frames: 4800)
    try await withLiveDesktop { live in
      let quiet = try RunningProgram(
        ["play", "--quiet"].map { Array($0.utf8) } + [wav], environment: live.environment)
      defer { quiet.kill() }
      #expect(try await quiet.exitStatus() == 0)
      #expect(quiet.standardOutput.isEmpty && quiet.standardError.isEmpty)
      let log = try RunningProgram(
        ["play", "--log", "-"].map { Array($0.utf8) } + [wav], environment: live.environment)
      defer { log.kill() }
      #expect(try await log.exitStatus() == 0)
      let events = try log.standardOutput.split(separator: "\n").map { line in
        try JSONDecoder().decode(LogLine.self, from: Data(line.utf8)).event
      }
      #expect(Set(events).isSuperset(of: ["intentChange", "rateChange", "track"]), "\(events)")
      #expect(log.standardError.isEmpty)
    }
  }

  @Test func `a log on a full disk is named once, and the music goes on`() async throws {
    try folder.wav("1.wav", frames: 4_800, seed: 1)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        "play", "--log", "/dev/full", "\(folder.path)/1.wav", environment: live.environment)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 0)
      #expect(
        program.errorLines == ["afterlock: the log /dev/full is not complete: No space left on device"])
    }
  }

  @Test func `--volume is heard, and a mixer shows the same`() async throws {
    let wav = try folder.wav("a.wav", frames: 96_000, seed: 7)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        ["play", "--volume", "50"].map { Array($0.utf8) } + [wav], environment: live.environment)
      defer { program.kill() }
      try await program.waitForOutput("Playing: a.wav (0:02)")
      let graph = try await live.desktop.waitForGraph("our stream to be listed") {
        $0.node(named: "Afterlock") != nil
      }
      let id = try #require(graph.node(named: "Afterlock")).id
      let shown = try await live.run("wpctl", ["get-volume", String(id)])
      #expect(shown.text.contains("Volume: 0.50"), "\(shown.text)\(shown.errorText)")
      #expect(try await program.exitStatus() == 0)
      var source = SoundClip(rate: 48_000, channels: 2, samples: Signals.noise16(frames: 96_000, seed: 7))
      for index in source.samples.indices { source.samples[index] *= 0.125 }
      let report = try await live.compare(with: source, tolerance: 1e-6)
      #expect(report.equalsSource, "\(report)")
    }
  }

  private struct LogLine: Decodable {
    let event: String
  }

  @Test func `a program stopped by Ctrl-Z lets the graph go on without it, and plays on when continued`()
    async throws
  {
    let wav = try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try RunningProgram([Array("play".utf8), wav], environment: live.environment)
      defer { program.kill() }
      try await program.waitForOutput("Playing: a.wav (1:00)")
      for turn in 1...2 {
        program.signal(SIGTSTP)
        try await program.waitUntilStopped()
        // One look and no wait: the graph must not have to find out by itself.
        let node = try await live.desktop.graph().node(named: "Afterlock")
        #expect(node != nil && node?.state != "running", "\(String(describing: node)) in turn \(turn)")
        program.signal(SIGCONT)
        _ = try await live.desktop.waitForGraph("our stream to go on") {
          $0.node(named: "Afterlock")?.state == "running"
        }
      }
      #expect(program.standardOutput.split(separator: "\n").count == 1 + 2 * 2, "\(program.standardOutput)")
    }
  }

  @Test func `Ctrl-Z waits for the server to know of the hold, and not for ever`() async throws {
    let wav = try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try RunningProgram([Array("play".utf8), wav], environment: live.environment)
      defer { program.kill() }
      try await program.waitForOutput("Playing: a.wav (1:00)")
      let server = try #require(await live.desktop.processIDs["pipewire"])
      kill(server, SIGSTOP)
      let start = ContinuousClock.now
      program.signal(SIGTSTP)
      try await program.waitUntilStopped()
      // Without a cycle the stream counts as held after half a second, and then an answer is waited for.
      #expect(ContinuousClock.now - start >= .milliseconds(1_400))
      kill(server, SIGCONT)
      program.signal(SIGCONT)
      _ = try await live.desktop.waitForGraph("our stream to go on") {
        $0.node(named: "Afterlock")?.state == "running"
      }
    }
  }

  @Test func `a loop through formats does not fill the memory`() async throws {
    let first = try folder.wav("a.wav", frames: 500)
    let second = try folder.wav("b.wav", frames: 4_410, rate: 44_100, channels: 1)
    try await withLiveDesktop { live in
      let words = ["play", "--loop", "playlist"].map { Array($0.utf8) }
      let program = try RunningProgram(words + [first, second], environment: live.environment)
      defer { program.kill() }
      func play(_ tracks: Int) async throws -> Int {
        try await program.wait("\(tracks) tracks") {
          program.standardOutput.split(separator: "\n").count >= tracks
        }
        let sizes = try String(contentsOfFile: "/proc/\(program.processID)/statm", encoding: .utf8)
        return Int(sizes.split(separator: " ")[1])! * 4096
      }
      let start = try await play(10)
      // It was half a megabyte for each change of format, up to a hundred of them.
      let end = try await play(80)
      #expect(end - start < 8_000_000, "\(end - start) bytes more")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends it cleanly`(signal: Int32) async throws {
    let wav = try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try RunningProgram([Array("play".utf8), wav], environment: live.environment)
      defer { program.kill() }
      try await program.waitForOutput("Playing: a.wav (1:00)")
      program.signal(signal)
      #expect(try await program.exitStatus() == 128 + signal)
      #expect(program.standardError.isEmpty)
    }
  }
}
