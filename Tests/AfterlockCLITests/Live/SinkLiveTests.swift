import AfterlockDesktop
import AfterlockTestSupport
import Testing

@testable import AfterlockCLI

@Suite("Playing where sinks come and go")
struct SinkLiveTests {
  @Test func `without a sink it says what it waits for, and nothing of playing`() async throws {
    let folder = try ByteNamedFolder()
    try folder.wav("a.wav", frames: 48_000)
    let desktop = try await PrivateDesktop.start(.init(sinks: []))
    do {
      let program = try RunningProgram("play", "\(folder.path)/a.wav", environment: desktop.environment)
      defer { program.kill() }
      try await program.waitForOutput("\n")
      #expect(program.standardOutput == "Held: waiting for a sink\n")
      try await desktop.addSink(VirtualSink())
      #expect(try await program.exitStatus() == 0)
      #expect(program.standardOutput == "Held: waiting for a sink\nPlaying: a.wav (0:01)\n")
    } catch {
      await desktop.close()
      throw error
    }
    await desktop.close()
  }
}
