import AfterlockCore
import AfterlockTestSupport
import Foundation
import FoundationXML
import Testing

@testable import AfterlockScenarios

/// A run that fails at a time, by its outcome, and in between.
private func failingRun(name: String = "the side button while a video plays") async -> ScenarioResult {
  var app = AppParts()
  app.detachesLayersAt = .never
  app.undoesSystemPause = false
  var expected = StateExpectation()
  expected.rate = 1
  let scenario = Scenario(
    name: name, about: "P6: <did-enter-background> is \"too late\" & more", app: app,
    queue: [ScenarioItem(title: "Clip", kind: .video, duration: .seconds(60))],
    timeline: [.init(at: .zero, .play), .init(at: .seconds(5), .sideButton(skipsInactive: false))],
    expectations: [
      .state(at: .seconds(4), expected), .state(at: .seconds(6), expected),
      .audible(from: .seconds(0), to: .seconds(8), true, longestGap: nil), .outcome(.plays),
    ])
  return await ScenarioRunner().run(scenario)
}

/// The elements of a text that is well-formed XML; a test fails where it is not.
private final class Elements: NSObject, XMLParserDelegate {
  private(set) var names: [String] = []
  private(set) var classes: [String] = []
  private(set) var ids: [String] = []
  private(set) var text = ""
  private var open: [String] = []
  private var fault: (any Error)?

  init(_ xml: String) throws {
    super.init()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = self
    // Its result is true here whatever it finds.
    _ = parser.parse()
    if let error = parser.parserError ?? fault {
      throw XMLFault(line: parser.lineNumber, what: "\(error)")
    }
    guard open.isEmpty, !names.isEmpty else { throw XMLFault(line: parser.lineNumber, what: "open: \(open)") }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { fault = error }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if open.last == name { open.removeLast() } else { open.append("/\(name)") }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    names.append(name)
    open.append(name)
    classes += attributes["class"].map { [$0] } ?? []
    ids += attributes["id"].map { [$0] } ?? []
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  struct XMLFault: Error {
    let line: Int
    let what: String
  }
}

@Suite(.computesForLong) struct TimelinePictureTests {
  @Test func `It is well-formed, and has a row for each thing and a mark for each event and failure`()
    async throws
  {
    let result = await failingRun(name: "a <b> & \"c\" \u{1}")
    let elements = try Elements(TimelinePicture(result, id: "s1").svg)
    #expect(elements.names.first == "svg")
    for row in ["App", "Layers", "Intent", "Rate", "Sound", "Events"] { #expect(elements.text.contains(row)) }
    #expect(elements.classes.count { $0.hasPrefix("mark ") } == result.timeline.entries.count)
    for kind in Set(result.timeline.entries.map(\.kind)) {
      #expect(elements.classes.contains("mark \(kind.rawValue)"))
    }
    #expect(
      elements.classes.count { $0 == "failure" }
        == Set(result.failures.map { $0.time ?? result.timeline.end }).count)
    #expect(elements.ids == ["s1-title", "s1-desc"])
    #expect(elements.text.contains("Timeline of a <b> & \"c\" \u{FFFD}"))
    #expect(elements.text.contains("Failed at 6 s: expected rate 1, found 0."))
  }

  @Test func `A text that is no XML is found out`() {
    for text in ["", "<a><b></a>", "<a>&</a>", "<a b=c/>", "<a>\u{1}</a>", "<a/><b/>"] {
      #expect(throws: Elements.XMLFault.self, "\(text)") { try Elements(text) }
    }
  }

  @Test func `A run in which nothing happens can be drawn`() async throws {
    let scenario = Scenario(name: "", queue: [], timeline: [], expectations: [])
    _ = try Elements(TimelinePicture(await ScenarioRunner().run(scenario), id: "s1").svg)
    let never = ScenarioResult(scenario: scenario, timeline: ScenarioTimeline(), outcome: .doesNotCompile)
    _ = try Elements(TimelinePicture(never, id: "s1").svg)
  }

  @Test func `Times are where they belong, in order, and never nearer than can be read`() {
    let times: [Duration] = [.zero, .milliseconds(1), .seconds(10), .seconds(20)]
    let axis = TimeAxis(Set(times), left: 100, width: 900, nearest: 40)
    let places = times.map(axis.place)
    #expect(places[0] == 100 && (axis.right - 1000).magnitude < 0.01)
    for (one, other) in zip(places, places.dropFirst()) { #expect(other - one >= 40) }
    #expect(((places[3] - places[2]) - (places[2] - places[1])).magnitude < 0.1, "as long as they are")
    #expect(axis.place(of: .seconds(15)) == (places[2] + places[3]) / 2)
    #expect(TimeAxis(Set((0..<100).map { .seconds($0) }), left: 0, width: 900, nearest: 40).right == 3960)
  }

  @Test func `Numbers have one decimal at the most`() {
    #expect([1, -0.04, 2.25, -3.57, 10].map(Markup.number) == ["1", "0", "2.3", "-3.6", "10"])
  }
}

@Suite(.computesForLong) struct ScenarioReportTests {
  private func page() async -> String {
    let passing = await ScenarioRunner().run(CanonicalScenario.all[0].scenario)
    return ScenarioReport(
      runs: [
        .init(path: "a/passes.json5", result: passing),
        .init(
          path: "a/fails.json5", result: await failingRun(), command: "afterlock scenario run a/fails.json5"),
      ],
      wrongFiles: [.init(path: "a/wrong.json5", reasons: ["a/wrong.json5:1: <no> JSON5"])],
      skipped: [.init(path: "a/later.json5", reasons: ["a phone cannot sleep"])],
      matrix: await ScenarioMatrix(variants: Array(FixVariant.all.prefix(3)))
    ).html
  }

  @Test func `It names what failed, with what was expected and found, and what runs it again`() async {
    let page = await page()
    for words in [
      "✗ 1 passed, 1 failed, 1 wrong, 1 not run", "<a href=\"#s2\">the side button while a video plays</a>",
      "<li>At 6 s: expected rate 1, found 0.</li>",
      "<li>In the whole run: expected outcome plays, found paused.</li>",
      "<code>a/fails.json5</code>", "<code>afterlock scenario run a/fails.json5</code>",
      "a/wrong.json5:1: &lt;no&gt; JSON5", "a phone cannot sleep",
      "P6: &lt;did-enter-background&gt; is &quot;too late&quot; &amp; more",
      "<td class=\"different\">≠\u{A0}suspended</td>",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(page.contains("<details class=\"failed\" id=\"s2\" open>"))
  }

  @Test func `It needs nothing beside it, and every element is closed`() async throws {
    let page = await page()
    for word in ["<script", "<link", "<img", "url(", "@import", " src="] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.matches(of: /https?:[^" ]*/).allSatisfy { $0.output == "http://www.w3.org/2000/svg" })
    // As XML but for what HTML leaves open.
    let xml = page.replacing("<!DOCTYPE html>", with: "").replacing(/<(meta|input)[^>]*>/, with: "")
      .replacing(" open>", with: ">").replacing("<br>", with: "")
    let elements = try Elements(xml)
    #expect(Set(elements.ids).count == elements.ids.count, "every id is there once")
  }

  @Test func `Of many scenarios those that failed are open`() async {
    let run = ScenarioReport.Run(result: await ScenarioRunner().run(CanonicalScenario.all[0].scenario))
    let page = ScenarioReport(runs: Array(repeating: run, count: 200)).html
    #expect(!page.contains(" open>") && page.contains("✓ 200 passed, 0 failed"))
    #expect(page.utf8.count < 200 * 20_000)
  }
}
