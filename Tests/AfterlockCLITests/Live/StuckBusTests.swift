import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@Suite("A session bus that does not answer")
struct StuckBusTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Asks a player over the bus at `address`, as a person would who waits a minute at most.
  private func expectComplaint(_ address: String) async throws {
    for words in [["control", "status"], ["why"]] {
      var environment = ProcessInfo.processInfo.environment
      environment["DBUS_SESSION_BUS_ADDRESS"] = address
      let output = try await Command.run(
        try AfterlockProgram.path(), words, environment: environment, limit: .seconds(60))
      #expect(!output.timedOut && output.status == .code(3), "\(words): \(output.status)")
      let line = output.errorText
      #expect(
        line.hasPrefix("afterlock: the session bus at \(address) does not answer: ")
          && line.filter { $0 == "\n" }.count == 1, "\(words): \(line)")
    }
  }

  @Test func `that is stopped is given up, with 3`() async throws {
    let bus = try RunningCommand(
      "dbus-daemon", ["--session", "--nofork", "--nopidfile", "--print-address=1"], limit: .seconds(300))
    defer { bus.send(signal: SIGKILL) }
    #expect(await bus.waitForOutput("\n"))
    let address = bus.textSoFar.trimmingCharacters(in: .whitespacesAndNewlines)
    bus.send(signal: SIGSTOP)
    try await waitUntil("the bus to be stopped") {
      try String(contentsOfFile: "/proc/\(bus.processID)/stat", encoding: .utf8).contains(") T ")
    }
    try await expectComplaint(address)
  }

  @Test func `that takes whoever comes and says nothing is given up, with 3`() async throws {
    let path = folder.file("bus")
    let script = """
      import socket, sys, time
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1])
      listener.listen(8)
      print("listens", flush=True)
      clients = [listener.accept() for _ in range(8)]
      """
    let silent = try RunningCommand("python3", ["-c", script, path], limit: .seconds(300))
    defer { silent.send(signal: SIGKILL) }
    #expect(await silent.waitForOutput("listens"), "\(silent.errorTextSoFar)")
    try await expectComplaint("unix:path=\(path)")
  }
}
