import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@Suite struct CommandTests {
  @Test func `output, error and status are kept apart`() async throws {
    let output = try await Command.run("sh", ["-c", "echo out; echo err >&2; exit 3"])
    #expect(output.text == "out\n")
    #expect(output.errorText == "err\n")
    #expect(output.status == .code(3))
    #expect(!output.timedOut)
    #expect(try await Command.run("sh", ["-c", "kill -TERM $$"]).status == .signal(SIGTERM))
  }

  @Test func `much output on both streams does not block`() async throws {
    let script = "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2"
    let output = try await Command.run("sh", ["-c", script])
    #expect(output.standardOutput.count == 3_000_000)
    #expect(output.standardError.count == 3_000_000)
  }

  @Test(arguments: ["sleep 1000", "sleep 1000 & wait", "exec >&- 2>&-; sleep 1000"])
  func `a program that does not end is killed at its limit, with its children`(script: String) async throws {
    let start = ContinuousClock.now
    let marker = "AFTERLOCK_TEST_\(UInt64.random(in: 0...UInt64.max))"
    let environment = ProcessInfo.processInfo.environment.merging([marker: "1"]) { $1 }
    let output = try await Command.run(
      "sh", ["-c", script], environment: environment, limit: .milliseconds(200))
    #expect(output.timedOut)
    #expect(output.status == .signal(SIGKILL))
    #expect(ContinuousClock.now - start < .seconds(300))
    try await DesktopTraces.waitUntilNoProcess(holds: marker)
  }

  @Test func `a program gets the environment it is given and no other descriptor`() async throws {
    let pipe = Pipe()
    let output = try await Command.run(
      "sh", ["-c", "echo $A; ls /proc/self/fd | wc -l"], environment: ["A": "b", "PATH": "/usr/bin:/bin"])
    // Three streams and the folder that ls itself reads.
    #expect(output.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == ["b", "4"])
    withExtendedLifetime(pipe) {}
  }

  @Test func `a missing program is an error with the line that installs it`() async {
    let error = await #expect(throws: DesktopError.self) { try await Command.run("no-such-program", []) }
    #expect(error?.code == .programMissing)
    #expect(throws: DesktopError.self) { try RunningCommand("/no/such/program", []) }
  }

  @Test func `a running program is watched, signalled and waited for`() async throws {
    let running = try RunningCommand(
      "sh", ["-c", "trap 'echo bye; exit 4' INT; echo hello; while :; do sleep 0.01; done"])
    #expect(await running.waitForOutput("hello"))
    #expect(running.isRunning)
    running.send(signal: SIGINT)
    let output = await running.end()
    #expect(output.status == .code(4))
    #expect(output.text == "hello\nbye\n")
    #expect(!running.isRunning)
    running.send(signal: SIGKILL)
    #expect(await running.waitForOutput("never", limit: .seconds(60)) == false)
    #expect(await running.end().status == .code(4))
  }

  @Test func `a running program is killed with the process that started it`() async throws {
    let marker = "AFTERLOCK_TEST_\(UInt64.random(in: 0...UInt64.max))"
    let result = await #expect(processExitsWith: .signal(SIGKILL)) { [marker = marker as String] in
      let environment = ProcessInfo.processInfo.environment.merging([marker: "1"]) { $1 }
      let running = try RunningCommand("sh", ["-c", "echo up; exec sleep 1000"], environment: environment)
      #expect(await running.waitForOutput("up"))
      kill(getpid(), SIGKILL)
    }
    #expect(result != nil)
    try await DesktopTraces.waitUntilNoProcess(holds: marker)
  }
}
