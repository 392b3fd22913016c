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
    try folder.wav("a.wav", frames: 48_000 * 60)
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

  /// Whether a program has a socket of the internet open.
  private func isConnected(_ program: RunningProgram) -> Bool {
    let lines = (try? FileSystem.read(Array("/proc/\(program.processID)/net/tcp".utf8), limit: 1 << 20))
    guard case .bytes(let bytes, _)? = lines else { return false }
    let port = String(server.port, radix: 16, uppercase: true)
    return String(decoding: bytes, as: UTF8.self).contains(":\(port) 01 ")
  }
}
