import AfterlockDesktop
import AfterlockScenarios
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("afterlock scenario: how it ends when something is in the way")
struct ScenarioEndingTests {
  @Test(arguments: [
    ["run", "--json", "one.json5"], ["run", "one.json5"], ["show", "one.json5"], ["check", "one.json5"],
    ["list", "one.json5"], ["run", "--help"],
  ])
  func `output that cannot be written is a failure`(words: [String]) async throws {
    let place = try ScenarioWorkplace()
    try place.write("one.json5")
    let full = try await place.run(words, script: "\"$@\" >/dev/full")
    #expect(full.status == .code(1))
    #expect(
      full.errorText == "afterlock: standard output cannot be written: No space left on device\n")
    let reader = try await place.run(words, script: "\"$@\" | head -c 1 >/dev/null")
    #expect(reader.status == .code(0) && reader.errorText.isEmpty, "a reader that has gone is no news")
  }

  @Test func `a reader that has gone ends it as SIGPIPE does, and a failure stays one`() async throws {
    let place = try ScenarioWorkplace()
    try place.write("one.json5")
    // The one reader of the pipe is gone before anything is written.
    let script = "mkfifo p; exec 3<>p 4>p 3>&-; \"$@\" >&4; echo $?; rm p"
    #expect(try await place.run(["run", "one.json5"], script: script).text == "141\n")
    try place.writeFailing("late.json5")
    let failed = try await place.run(["run", "late.json5"], script: script)
    #expect(failed.text == "1\n" && failed.errorText.isEmpty)
  }

  @Test func `what cannot be known without a compiler could not be run, and standard error says why`()
    async throws
  {
    let place = try ScenarioWorkplace()
    try place.write("refused.json5", app: #"reasonCrossesAs: "notification""#)
    try place.write("fine.json5")
    let noCompiler = ["PATH": place.folder.path]
    let output = try await place.run("run", "refused.json5", "fine.json5", environment: noCompiler)
    #expect(output.status == .code(2))
    #expect(output.text.hasPrefix("✗ could not run            the side button  refused.json5\n✓ plays"))
    #expect(output.text.contains("1 passed, 0 failed, 1 could not be run; "))
    #expect(!output.text.contains("no run at that time"))
    #expect(
      output.errorText.hasPrefix("afterlock: refused.json5: there is no Swift compiler to ask: install"))
    let json = try await place.run("run", "--json", "refused.json5", environment: noCompiler)
    let object = try #require(try JSONSerialization.jsonObject(with: json.standardOutput) as? [String: Any])
    let broken = try #require((object["broken"] as? [[String: Any]])?.first)
    #expect((broken["reason"] as? String)?.hasPrefix("there is no Swift compiler") == true)
    #expect(json.status == .code(2) && (object["scenarios"] as? [Any])?.isEmpty == true)
  }

  @Test func `a matrix with unknown outcomes says why, and is no success`() async throws {
    let place = try ScenarioWorkplace()
    let output = try await place.run("matrix", environment: ["PATH": place.folder.path])
    #expect(output.status == .code(1) && output.text.contains("* unknown"))
    #expect(output.errorText.hasPrefix("afterlock: unknown above means: there is no Swift compiler to ask"))
    #expect(output.errorText.split(separator: "\n").count == 1, "\(output.errorText)")
  }

  @Test func `a run that is stopped says how much is missing, and that is its status`() throws {
    let file = ScenarioSelection.File(
      path: "a.json5",
      scenario: Scenario(name: "a", about: "", queue: [], timeline: [], expectations: []))
    let verdicts = [ScenarioVerdict(file: file, outcome: .skipped("for a reason"))]
    for (signal, status) in [(SIGINT, 130), (SIGTERM, 143)] {
      let tally = ScenarioTally(verdicts, wrong: 1, stop: .init(signal: signal, missing: 4, total: 5))
      #expect(tally.exitStatus == status)
      #expect(tally.words(took: .seconds(1)).contains("1 file is wrong; stopped: 4 of 5 not run; "))
      let text = ScenarioJSON(verdicts, wrongFiles: [], output: .simulated, tally: tally).text
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(object["stopped"] as? Bool == true)
      #expect((object["summary"] as? [String: Int])?["exitStatus"] == status)
    }
    #expect(ScenarioTally(verdicts, wrong: 0).words(took: .seconds(1)).contains("stopped") == false)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends a run with what there is, and writes no half report`(signal: Int32)
    async throws
  {
    let place = try ScenarioWorkplace()
    // A compiler that never answers holds the second one.
    let compiler = try place.folder.write("swiftc", text: "#!/bin/sh\n: >asked\nexec sleep 60\n")
    #expect(chmod(compiler, 0o755) == 0)
    try place.write("a.json5")
    try place.write("b.json5", app: #"reasonCrossesAs: "notification""#)
    try place.write("c.json5")
    let report = place.folder.file("r.html")
    let program = try RunningProgram(
      ["scenario", "run", "--report", report].map { Array($0.utf8) }
        + ["a", "b", "c"].map { Array(place.folder.file("\($0).json5").utf8) },
      environment: [
        "LC_ALL": "C.UTF-8", "PATH": "\(place.folder.path):/usr/bin:/bin", "TMPDIR": place.folder.path,
      ])
    defer { program.kill() }
    try await program.wait("the first and the compiler") {
      program.standardOutput.contains("✓ plays") && Self.isAsked(under: place.folder.path)
    }
    // Nobody waits for the compiler any more, which would go on.
    let compilers = program.children
    defer { for compiler in compilers { kill(compiler, SIGKILL) } }
    program.signal(signal)
    #expect(try await program.exitStatus() == 128 + signal)
    #expect(program.standardOutput.contains("1 passed, 0 failed; stopped: 2 of 3 not run; "))
    #expect(
      program.standardError == "afterlock: stopped, so the report \(report) is not written\n")
    #expect(!FileManager.default.fileExists(atPath: report))
  }

  /// Whether the compiler was started, which happens in a folder of its own.
  private static func isAsked(under folder: String) -> Bool {
    FileManager.default.enumerator(atPath: folder)?.contains { ($0 as? String)?.hasSuffix("/asked") == true }
      ?? false
  }

  @Test func `the help of the matrix tells how it ends, and promises no timelines`() async throws {
    let place = try ScenarioWorkplace()
    let help = try await place.run("matrix", "--help").text
    #expect(help.contains("Exit status:") && help.contains("129, 130, 143"))
    #expect(!help.contains("timeline") && help.contains("Write the table as a page too"))
    #expect(try await place.run("run", "--help").text.contains("129, 130, 143"))
  }
}
