import AfterlockDesktop
import AfterlockTestSupport
import Glibc
import Testing

@testable import AfterlockCLI

@Suite("Playing from a server")
struct NetworkLiveTests {
  let folder: ByteNamedFolder
  let server: WebServer
  init() throws {
    folder = try ByteNamedFolder()
    server = try WebServer(folder.path)
  }

  private func onTerminal(_ words: [String], _ live: LiveDesktop) throws -> RunningProgram {
    let environment = live.environment.merging([
      "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "xterm", "SWIFT_BACKTRACE": "enable=no",
    ]) { $1 }
    return try RunningProgram(
      (["play"] + words).map { Array($0.utf8) }, columns: 100, environment: environment)
  }

  @Test func `a playlist is heard to the last frame, and what is missing in it is named`() async throws {
    try folder.wav("1.wav", frames: 48_000, seed: 1)
    try folder.folder("more")
    try folder.wav("more/2 b.wav", frames: 30_001, seed: 2)
    try folder.file("list.m3u", "1.wav\nmissing.wav\nmore/2 b.wav\n")
    try await withLiveDesktop { live in
      let program = try RunningProgram("play", server.address("list.m3u"), environment: live.environment)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 1)
      #expect(program.errorLines.count == 1, "\(program.errorLines)")
      #expect(program.standardError.hasPrefix("afterlock: \(server.address("missing.wav")): "))
      let samples =
        Signals.noise16(frames: 48_000, seed: 1) + Signals.noise16(frames: 30_001, seed: 2)
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: samples))
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test func `keys and signals work while a playlist does not come`() async throws {
    try folder.wav("a.wav", frames: 8_000 * 60, rate: 8_000, channels: 1)
    let (wav, list) = ("\(folder.path)/a.wav", server.address("list.m3u?silent"))
    try await withLiveDesktop { live in
      for words in [[list], [wav, list], ["--shuffle", wav, list]] {
        let program = try onTerminal(words, live)
        defer { program.kill() }
        if words.count > 1 {
          try await program.waitForOutput("▶  a.wav  0:0")
          program.type(" ")
          try await program.waitForOutput("❚❚ a.wav")
        } else {
          try await program.wait("the terminal to be taken") {
            program.terminalMode.c_lflag & tcflag_t(ICANON) == 0
          }
        }
        program.type("q")
        #expect(try await program.exitStatus(within: .seconds(10)) == 0)
        #expect(program.standardError.isEmpty, "\(program.standardError)")
      }
      let waiting = try RunningProgram("play", list, environment: live.environment)
      defer { waiting.kill() }
      // A signal that comes before it is listened to would end the program all the same.
      try await waiting.wait("its connection") { isConnected(waiting) }
      waiting.signal(SIGTERM)
      #expect(try await waiting.exitStatus(within: .seconds(10)) == 143)
    }
  }

  /// Plays a minute whose server goes silent after five seconds, and then `b.wav`. Without help FFmpeg waits ten seconds for
  /// a server, so whatever comes about in half of that did not wait for it.
  private func stalled(_ live: LiveDesktop, until shown: String) async throws -> RunningProgram {
    // Large, since FFmpeg reads over what is small instead of asking for another part; and not of noise, since making a
    // minute of that takes as long as the test.
    let minute = MediaFiles.wav16([Int16](repeating: 1_000, count: 60 * 48_000 * 2))
    for name in ["a.wav", "b.wav"] { try folder.file(folder.bytes(name), Array(minute)) }
    let program = try onTerminal(
      [server.address("a.wav?ranges&stall=\(5 * 48_000 * 4)"), "\(folder.path)/b.wav"], live)
    do {
      try await program.waitForOutput(shown)
    } catch {
      program.kill()
      throw error
    }
    return program
  }

  @Test func `a pause is silent at once where the server has gone silent, and keys work on`() async throws {
    try await withLiveDesktop { live in
      // What is decoded ahead lasts for a second more.
      let program = try await stalled(live, until: "0:04 / 1:00")
      defer { program.kill() }
      program.type(" ")
      try await program.waitForOutput("❚❚ ", .seconds(5))
      program.type("\u{1B}[B")
      try await program.waitForOutput("95%", .seconds(5))
      await live.capture.wait(frames: 96_000)
      let heard = try await live.captured()
      let sound = heard.samples.count { $0 != 0 } / 2
      #expect(sound >= 4 * 48_000 && sound < 4 * 48_000 + 36_000, "\(sound) frames")
      program.type("q")
      #expect(try await program.exitStatus(within: .seconds(5)) == 0)
    }
  }

  @Test func `a seek over the place where the server has gone silent plays on from there`() async throws {
    try await withLiveDesktop { live in
      let program = try await stalled(live, until: "0:04 / 1:00")
      defer { program.kill() }
      program.type("\u{1B}[C")
      try await program.waitForOutput("0:12 / 1:00", .seconds(8))
      program.signal(SIGTERM)
      let status = try await program.exitStatus(within: .seconds(5))
      #expect(status == 143)
      #expect(program.standardError.isEmpty, "\(program.standardError)")
    }
  }

  @Test func `next leaves a server that has gone silent, and so does the end`() async throws {
    try await withLiveDesktop { live in
      let program = try await stalled(live, until: "0:04 / 1:00")
      defer { program.kill() }
      program.type("n")
      try await program.waitForOutput("▶  b.wav  0:01", .seconds(5))
      program.type("p")
      try await program.waitForOutput("0:04 / 1:00", after: program.outputCount)
      program.type("q")
      #expect(try await program.exitStatus(within: .seconds(5)) == 0)
      #expect(program.standardError.isEmpty, "\(program.standardError)")
    }
  }

  /// Whether a program has a socket of the internet open.
  private func isConnected(_ program: RunningProgram) -> Bool {
    let lines = (try? FileSystem.read(Array("/proc/\(program.processID)/net/tcp".utf8), limit: 1 << 20))
    guard case .bytes(let bytes, _)? = lines else { return false }
    let port = String(server.port, radix: 16, uppercase: true)
    return String(decoding: bytes, as: UTF8.self).contains(":\(port) 01 ")
  }
}
