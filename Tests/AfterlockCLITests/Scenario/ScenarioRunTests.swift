import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("afterlock scenario run")
struct ScenarioRunTests {
  @Test func `what passes has one line each, and the status is 0`() async throws {
    let place = try ScenarioWorkplace()
    try place.write("b/second.json5", title: "the second")
    try place.write("a/first.json5", title: "the first", kind: "audio")
    let output = try await place.run("run", "a", "b/second.json5")
    let lines = output.text.split(separator: "\n").map(String.init)
    #expect(output.status == .code(0) && output.errorText.isEmpty, "\(output.errorText)")
    try #require(lines.count == 3, "\(lines)")
    #expect(lines[0] == "✓ plays               4 s  the first  a/first.json5")
    #expect(lines[1] == "✓ plays               4 s  the second  b/second.json5")
    #expect(lines[2].hasPrefix("2 passed, 0 failed; 8 s of scenarios in 0."))
  }

  @Test func `without a path it is the folder Scenarios, and without that folder a mistake`() async throws {
    let place = try ScenarioWorkplace()
    for command in ["run", "list", "check"] {
      let nothing = try await place.run(command)
      #expect(nothing.status == .code(2) && nothing.text.isEmpty)
      #expect(
        nothing.errorText == """
          afterlock: nothing to do: there is no folder Scenarios here, so name a scenario file or a folder
          Try "afterlock scenario \(command) --help" for more.

          """)
    }
    try place.write("Scenarios/lock/one.json5")
    #expect(try await place.run("run").text.contains("Scenarios/lock/one.json5"))
  }

  @Test func `a failure has its timeline, with what failed at its place, and the command that runs it again`()
    async throws
  {
    let place = try ScenarioWorkplace()
    try place.writeFailing("it's late.json5")
    let output = try await place.run("run", "it's late.json5")
    #expect(output.status == .code(1))
    let lines = output.text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "✗ paused              4 s  a late detach  it's late.json5")
    func line(_ text: String) throws -> Int {
      try #require(lines.firstIndex { $0.contains(text) }, "\(text) in \(output.text)")
    }
    let order = try [
      "▸ play", "▸ sideButton", "◆ the system pauses the player", "● rate 0, appBackgrounded",
      "  background  attached  yes    0     no", "✗ expect[0]: expected rate 1, found 0",
      "end  ✗ expect[1]: expected outcome plays, found paused",
      #"Run it again: afterlock scenario run 'it'\''s late.json5'"#,
      "0 passed, 1 failed; 4 s of scenarios in",
    ].map(line)
    #expect(order == order.sorted(), "\(output.text)")
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
    #expect(!output.text.contains("\u{1B}"), "no colour in a pipe")
  }

  @Test func `wrong files are told with all that is wrong, the others run, and 2 outweighs 1`() async throws {
    let place = try ScenarioWorkplace()
    try place.writeWrong("a/wrong.json5")
    try place.writeFailing("a/late.json5")
    try place.write("a/fine.json5")
    let output = try await place.run("run", "a", "missing.json5")
    #expect(output.status == .code(2))
    for words in [
      "a/wrong.json5:2: ", "nane", "name", "a/wrong.json5:3: platform", "fone", "phone",
      "missing.json5: there is no such",
    ] {
      #expect(output.errorText.contains(words), "\(words) in \(output.errorText)")
    }
    #expect(output.text.contains("✓ plays") && output.text.contains("✗ paused"))
    #expect(output.text.contains("1 passed, 1 failed, 2 files are wrong; "))
    let alone = try await place.run("run", "a/wrong.json5")
    #expect(alone.status == .code(2) && alone.text.contains("0 passed, 0 failed, 1 file is wrong; "))
  }

  @Test func `quiet prints failures only`() async throws {
    let place = try ScenarioWorkplace()
    try place.write("fine.json5")
    let fine = try await place.run("run", "--quiet", "fine.json5")
    #expect(fine.status == .code(0) && fine.text.isEmpty && fine.errorText.isEmpty)
    try place.writeFailing("late.json5")
    let late = try await place.run("run", "-q", "fine.json5", "late.json5")
    #expect(late.status == .code(1) && late.text.hasPrefix("✗ paused") && late.text.contains("Run it again"))
    #expect(!late.text.contains("fine.json5") && !late.text.contains("passed"))
  }

  @Test func `json is one object with everything, and nothing else is on standard output`() async throws {
    let place = try ScenarioWorkplace()
    try place.write("a/fine.json5")
    try place.writeFailing("a/late.json5")
    try place.writeWrong("a/wrong.json5")
    let output = try await place.run("run", "--json", "a")
    #expect(output.status == .code(2) && !output.errorText.isEmpty)
    let object = try #require(
      try JSONSerialization.jsonObject(with: output.standardOutput) as? [String: Any])
    #expect(
      Set(object.keys) == ["version", "output", "summary", "scenarios", "skipped", "broken", "wrongFiles"])
    #expect(object["version"] as? Int == 1 && object["output"] as? String == "simulated")
    let summary = try #require(object["summary"] as? [String: Int])
    #expect(
      summary == ["passed": 1, "failed": 1, "skipped": 0, "broken": 0, "wrong": 1, "exitStatus": 2])
    let runs = try #require(object["scenarios"] as? [[String: Any]])
    #expect(runs.map { $0["path"] as? String } == ["a/fine.json5", "a/late.json5"])
    let late = try #require(runs.last)
    #expect(late["outcome"] as? String == "paused" && late["passed"] as? Bool == false)
    #expect(late["command"] as? String == "afterlock scenario run a/late.json5")
    let failure = try #require((late["failures"] as? [[String: Any]])?.first)
    #expect(
      failure["time"] as? Double == 3 && failure["expected"] as? String == "rate 1"
        && failure["index"] as? Int == 0)
    let timeline = try #require(late["timeline"] as? [String: Any])
    let entries = try #require(timeline["entries"] as? [[String: Any]])
    #expect(entries.contains { $0["reason"] as? String == "appBackgrounded" && $0["rate"] as? Double == 0 })
    let samples = try #require(timeline["samples"] as? [[String: Any]])
    #expect(samples.last?["audible"] as? Bool == false && timeline["end"] as? Double == 4)
    let wrong = try #require((object["wrongFiles"] as? [[String: Any]])?.first)
    #expect(
      (wrong["problems"] as? [[String: Any]])?.isEmpty == false && wrong["path"] as? String == "a/wrong.json5"
    )
  }

  @Test func `the keys of the JSON object are those of the help`() {
    let help = ScenarioJSON.keys.map(\.term).joined(separator: " ")
    for key in [
      "version", "output", "stopped", "summary", "scenarios", "failures", "fault", "timeline", "skipped",
      "broken",
      "wrongFiles",
    ] {
      #expect(help.contains(key), "\(key)")
    }
  }

  @Test func `the report is written, and never over what is none`() async throws {
    let place = try ScenarioWorkplace()
    let late = try place.writeFailing("late.json5")
    let before = try String(contentsOfFile: late, encoding: .utf8)
    for _ in 0..<2 {
      let output = try await place.run("run", "--report", "r.html", "late.json5")
      #expect(output.status == .code(1) && output.errorText == "The report is in r.html\n")
      let page = try String(contentsOfFile: place.folder.file("r.html"), encoding: .utf8)
      #expect(page.contains("a late detach") && page.contains("✗ failed") && page.contains("<svg "))
      #expect(page.contains("afterlock scenario run late.json5"))
    }
    let refused = try await place.run("run", "--report", "late.json5", "late.json5")
    #expect(refused.status == .code(2) && refused.text.isEmpty)
    #expect(refused.errorText.contains("late.json5 is there and is no report; name another file"))
    #expect(try String(contentsOfFile: late, encoding: .utf8) == before)
    let nowhere = try await place.run("run", "--report", "none/r.html", "late.json5")
    #expect(
      nowhere.errorText == """
        afterlock: the report none/r.html cannot be written: there is no such folder
        Try "afterlock scenario run --help" for more.

        """)
    #expect(nowhere.status == .code(2) && nowhere.text.isEmpty, "nothing has run")
    let folder = try await place.run("run", "--report", ".", "late.json5")
    #expect(folder.status == .code(2) && folder.errorText.contains(". is a folder; give --report a file\n"))
    let full = try await place.run("run", "--report", "/dev/full", "late.json5")
    #expect(full.status == .code(2) && full.text.contains("0 passed, 1 failed"))
    #expect(
      full.errorText == "afterlock: the report /dev/full cannot be written: No space left on device\n")
  }

  @Test func `colours and marks are those of the terminal`() async throws {
    let place = try ScenarioWorkplace()
    let file = try place.writeFailing("late.json5")
    for (environment, hasColor) in [
      (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
    ] {
      let program = try RunningProgram(
        ["scenario", "run", file].map { Array($0.utf8) }, columns: 100,
        environment: ["LC_ALL": "C.UTF-8"].merging(environment) { $1 })
      defer { program.kill() }
      #expect(try await program.exitStatus() == 1)
      #expect(program.standardOutput.contains("\u{1B}[31m✗\u{1B}[0m paused") == hasColor, "\(environment)")
      #expect(program.standardOutput.contains("\u{1B}") == hasColor)
    }
    let plain = try await place.run("run", "late.json5", environment: ["LC_ALL": "C"])
    #expect(
      plain.text.hasPrefix("FAILED paused") && plain.text.utf8.allSatisfy { $0 < 0x80 }, "\(plain.text)")
  }

  @Test func `a run again is what was run, for every name`() {
    #expect(
      ScenarioVerdict.command("a/b.json5", .pipewire) == "afterlock scenario run --output pipewire a/b.json5")
    #expect(ScenarioVerdict.command("-x.json5", .simulated) == "afterlock scenario run -- -x.json5")
    #expect(
      ShellWord.quoted("") == "''" && ShellWord.quoted("a b") == "'a b'" && ShellWord.quoted("ä$") == "'ä$'")
  }

  @Test func `only what cannot run in real time is skipped with its reason, and nothing run is 2`()
    async throws
  {
    let place = try ScenarioWorkplace()
    try place.write("never.json5", app: #"reasonCrossesAs: "notification""#)
    let output = try await place.run("run", "--output", "pipewire", "never.json5")
    #expect(output.status == .code(2))
    #expect(
      output.text.hasPrefix(
        "- skipped                  the side button  never.json5: its app crashes or cannot be built; run it simulated\n"
          + "0 passed, 0 failed, 1 skipped; "), "\(output.text)")
  }

  @Test func `in real time the sound of the private desktop decides, and Ctrl-C leaves nothing behind`()
    async throws
  {
    try await DesktopPermits.shared.withPermit {
      let place = try ScenarioWorkplace()
      let file = try place.writeFailing("late.json5")
      let program = try RunningProgram(
        ["scenario", "run", "--output", "pipewire", file].map { Array($0.utf8) }, columns: 100,
        environment: ["LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TMPDIR": place.folder.path])
      defer { program.kill() }
      #expect(try await program.exitStatus() == 1)
      #expect(program.standardOutput.contains("expect[0]: expected rate 1, found 0"))
      #expect(program.standardOutput.contains("Run it again: afterlock scenario run --output pipewire "))

      let stopped = try RunningProgram(
        ["scenario", "run", "--output", "pipewire", file].map { Array($0.utf8) },
        environment: ["LC_ALL": "C.UTF-8"])
      defer { stopped.kill() }
      // Its servers run as children of its own.
      try await stopped.wait("the sound server") {
        Self.children(of: stopped.processID).contains { $0.contains("pipewire") }
      }
      let children = Self.descendants(of: stopped.processID)
      kill(stopped.processID, SIGINT)
      #expect(try await stopped.exitStatus() == 130)
      try await waitUntil("the end of its children") { children.allSatisfy { kill($0, 0) != 0 } }
    }
  }

  private static func processes() -> [(pid: pid_t, parent: pid_t, name: String)] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { entry in
      guard let pid = pid_t(entry),
        let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")")
      else { return nil }
      let fields = stat[close...].dropFirst(2).split(separator: " ")
      return (pid, pid_t(fields[1]) ?? 0, String(stat[open...].dropFirst().prefix { $0 != ")" }))
    }
  }

  private static func descendants(of parent: pid_t) -> [pid_t] {
    let all = processes()
    var found: [pid_t] = []
    var next = [parent]
    while let pid = next.popLast() {
      let children = all.filter { $0.parent == pid }.map(\.pid)
      found += children
      next += children
    }
    return found
  }

  private static func children(of parent: pid_t) -> [String] {
    let all = processes()
    let pids = Set(descendants(of: parent))
    return all.filter { pids.contains($0.pid) }.map(\.name)
  }
}
