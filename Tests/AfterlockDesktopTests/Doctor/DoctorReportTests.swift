import AfterlockDesktop
import Foundation
import Testing

@Suite struct DoctorReportTests {
  private let report = DoctorReport([
    .init("PipeWire", [.init(.ok, "version 1.0")]),
    .init("Session bus", [.init(.ok, "answers"), .init(.warning, "is slow", advice: "wait")]),
  ])

  @Test func `the worst finding decides, and an empty report is well`() {
    #expect(DoctorReport([]).verdict == .ok)
    #expect(report.verdict == .warning)
    #expect(report.sections.map(\.verdict) == [.ok, .warning])
    #expect(DoctorReport(report.sections + [.init("Sinks", [.init(.failure, "none")])]).verdict == .failure)
  }

  @Test func `the text names every finding, its advice and the sum`() {
    #expect(
      report.text(colour: false) == """
        PipeWire
          ok   version 1.0

        Session bus
          ok   answers
          warn is slow
               → wait

        Playing will work; 1 thing is missing.

        """)
  }

  @Test func `colour is there only when asked for, and changes no word`() {
    let coloured = report.text(colour: true)
    #expect(coloured.contains("\u{1b}[33mwarn\u{1b}[0m"))
    #expect(!report.text(colour: false).contains("\u{1b}"))
    let stripped = coloured.replacing(/\u{1b}\[\d+m/, with: "")
    #expect(stripped == report.text(colour: false))
  }

  @Test func `a name with control characters draws nothing on the terminal`() {
    let evil = DoctorReport([.init("Sinks", [.init(.ok, "a\u{1b}[2Jb\nc\u{9b}d")])])
    #expect(evil.text(colour: false).contains("ok   a\u{fffd}[2Jb\u{fffd}c\u{fffd}d\n"))
  }

  @Test func `the JSON holds the same as the report`() throws {
    struct Whole: Decodable {
      var verdict: DoctorReport.Verdict
      var sections: [DoctorReport.Section]
    }
    let whole = try JSONDecoder().decode(Whole.self, from: Data(report.json.utf8))
    #expect(whole.verdict == .warning)
    #expect(whole.sections == report.sections)
  }
}
