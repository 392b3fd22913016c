import AfterlockDesktop
import AfterlockScenarios
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("afterlock scenario new, check, list and show")
struct ScenarioFilesTests {
  @Test func `what is new is fine, and runs as it is`() async throws {
    let place = try ScenarioWorkplace()
    let made = try await place.run("new", "The Side Button!")
    #expect(made.status == .code(0) && made.errorText.isEmpty)
    #expect(
      made.text == """
        Wrote the-side-button.json5. It runs as it is:
          afterlock scenario run the-side-button.json5
        Change it in an editor, and look at what happens with
          afterlock scenario show the-side-button.json5

        """)
    let checked = try await place.run("check", "the-side-button.json5")
    #expect(checked.status == .code(0) && checked.text == "1 file is fine\n")
    let run = try await place.run("run", "the-side-button.json5")
    #expect(run.status == .code(0) && run.text.contains("The Side Button!"), "\(run.text)\(run.errorText)")
  }

  @Test func `new writes over nothing, and says what is in its way`() async throws {
    let place = try ScenarioWorkplace()
    #expect(try await place.run("new", "mine.json5").status == .code(0))
    try place.folder.write("mine.json5", text: "mine")
    let again = try await place.run("new", "Mine")
    #expect(again.status == .code(2))
    #expect(
      again.errorText == "afterlock: mine.json5 is there already, and is left as it is; take another name\n")
    #expect(try String(contentsOfFile: place.folder.file("mine.json5"), encoding: .utf8) == "mine")
    let nowhere = try await place.run("new", "none/mine")
    #expect(nowhere.status == .code(1))
    #expect(
      nowhere.errorText
        == "afterlock: none/mine.json5 cannot be written: there is no such folder; make it first\n")
    let nameless = try await place.run("new", "--", "-!-")
    #expect(nameless.status == .code(2) && nameless.errorText.contains("'-!-' makes no name for a file"))
  }

  @Test(arguments: [
    ("side-button", "side-button.json5", "side button"), ("a/B c.json5", "a/b-c.json5", "B c"),
    ("/x/Äpfel_2", "/x/äpfel-2.json5", "äpfel 2"), ("A--b", "a-b.json5", "a b"),
  ])
  func `a name becomes the name of a file`(text: String, path: String, name: String) throws {
    let file = try ScenarioNewFile(Array(text.utf8))
    #expect(file.path == path && file.name == name)
  }

  @Test func `check tells all that is wrong, and counts what is fine`() async throws {
    let place = try ScenarioWorkplace()
    try place.write("a/one.json5")
    try place.write("a/two.json5")
    let fine = try await place.run("check", "a")
    #expect(fine.status == .code(0) && fine.text == "2 files are fine\n" && fine.errorText.isEmpty)
    try place.writeWrong("a/wrong.json5")
    let wrong = try await place.run("check", "a")
    #expect(wrong.status == .code(2) && wrong.text == "2 files are fine, 1 is wrong\n")
    #expect(wrong.errorText.contains("a/wrong.json5:2: ") && wrong.errorText.contains("a/wrong.json5:3: "))
    #expect(try await place.run("check", "a/wrong.json5").text.isEmpty)
    #expect(try await place.run("check", "a/wrong.json5", "none.json5").text == "2 files are wrong\n")
    #expect(ScenarioListing.counted(fine: 1, wrong: 2) == "1 file is fine, 2 are wrong")
  }

  @Test func `list shows name, platform, rules and file`() async throws {
    let place = try ScenarioWorkplace()
    try place.write("a/one.json5", title: "short")
    try place.write("a/two.json5", title: "somewhat longer")
    let output = try await place.run("list", "a")
    #expect(
      output.text == """
        short            phone  P4 P6 P7  a/one.json5
        somewhat longer  phone  P4 P6 P7  a/two.json5

        """)
    #expect(output.status == .code(0))
  }

  @Test func `rules are found where they are cited`() {
    #expect(ScenarioListing.rules(citedIn: "P6: too late; L4, N and F; P6 again") == ["P6", "L4", "N", "F"])
    #expect(ScenarioListing.rules(citedIn: "P1–P3, P11-13") == ["P1", "P2", "P3", "P11", "P12", "P13"])
    #expect(ScenarioListing.rules(citedIn: "MP3, P, XP6 and P6a").isEmpty)
  }

  @Test func `show tells a whole run, within the width of the terminal`() async throws {
    let place = try ScenarioWorkplace()
    try place.writeFailing("late.json5")
    let output = try await place.run("show", "late.json5")
    #expect(output.status == .code(0) && output.errorText.isEmpty)
    for words in [
      "a late detach\nP4, P6–P7: a lock\n", "▸ sideButton", "✗ expect[0]: expected rate 1, found 0",
      "✗ paused after 4 s on a phone; 2 of its expectations do not hold\n",
    ] {
      #expect(output.text.contains(words), "\(words) in \(output.text)")
    }
    #expect(output.text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 80 })
    #expect(try await place.run("show", "missing.json5").status == .code(2))
    try place.write("a/one.json5")
    try place.write("a/two.json5")
    let folder = try await place.run("show", "a")
    #expect(folder.status == .code(2) && folder.errorText.contains("one file is shown at a time"))
  }

  @Test func `show has the words of the real crash and of the real compiler`() async throws {
    let place = try ScenarioWorkplace()
    try place.write("refused.json5", app: #"reasonCrossesAs: "notification""#)
    try place.write("crashes.json5", app: #"artworkBuiltIn: "mainActor""#)
    let refused = try await place.run("show", "refused.json5")
    #expect(
      refused.text.contains("error: sending") && refused.text.contains("✗ doesNotCompile"), "\(refused.text)")
    let crashes = try await place.run("show", "crashes.json5")
    #expect(
      crashes.text.contains("_dispatch_assert_queue_fail") && crashes.text.contains("SIGILL"),
      "\(crashes.text)")
  }

  @Test func `the matrix has every row, at the width of the terminal`() async throws {
    let matrix = await ScenarioMatrix(
      variants: Array(FixVariant.all.prefix(3)), columns: Array(CanonicalScenario.all.prefix(5)))
    for columns in [80, 200] {
      let lines = MatrixTable(matrix, on: Paper(columns: columns)).text.split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
      #expect(lines.count { $0.hasPrefix("category soloAmbient") } == (columns == 80 ? 2 : 1))
      #expect(lines.contains { $0.contains("* silenced") })
    }
  }

  @Test func `what the README shows is what is shown`() async throws {
    let readme = try String(contentsOfFile: Repository.root + "/README.md", encoding: .utf8)
    let file = "Scenarios/lock/by-the-book.json5"
    let begin = try #require(readme.range(of: "<!-- scenario show \(file) -->\n```\n")?.upperBound)
    let end = try #require(readme[begin...].range(of: "```\n")?.lowerBound)
    let output = try await AfterlockProgram.run(
      ["scenario", "show", "\(Repository.root)/\(file)"], environment: ["LC_ALL": "C.UTF-8"])
    #expect(String(readme[begin..<end]) == output.text)
    #expect(readme[end...].hasPrefix("```\n"))
  }
}
