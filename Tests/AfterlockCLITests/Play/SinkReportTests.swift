import AfterlockDesktop
import AfterlockTestSupport
import Glibc
import Testing

@testable import AfterlockCLI

@Suite("The report on a private sink")
struct SinkReportTests {
  let folder: ByteNamedFolder
  let survey: SourceSurvey
  /// Two files of noise, as floats.
  let source: [Float]

  init() throws {
    folder = try ByteNamedFolder()
    try folder.wav("a.wav", frames: 20_000, seed: 1)
    try folder.wav("b.wav", frames: 1_000, seed: 2)
    survey = SourceSurvey([folder.bytes("a.wav"), folder.bytes("b.wav")])
    source = Signals.noise(frames: 20_000, seed: 1).samples + Signals.noise(frames: 1_000, seed: 2).samples
  }

  private func report(
    _ captured: [Float], start: Duration = .zero, obstacle: String? = nil, of other: SourceSurvey? = nil
  ) throws -> SinkReport {
    let path = folder.bytes("capture.raw")
    try folder.file(path, captured.withUnsafeBytes { Array($0) })
    return SinkReport(
      other ?? survey, start: start, captured: String(decoding: path, as: UTF8.self), sink: VirtualSink(),
      obstacle: obstacle)
  }

  private func silence(_ frames: Int) -> [Float] { Array(repeating: 0, count: frames * 2) }

  @Test func `says that all frames came, also from a later start`() throws {
    let whole = try report(silence(700) + source + silence(900))
    #expect(
      whole.lines == [
        "The sink received 21000 frames (437.5 ms) at 48000 Hz.", "Longest gap: none.",
        "Equal to the source: yes, all 21000 frames, bit for bit.",
      ])
    #expect(!whole.isWrong)
    let late = try report(silence(7) + source[(9_600 * 2)...], start: .milliseconds(200))
    #expect(late.lines.last == "Equal to the source: yes, all 11400 frames, bit for bit.")
  }

  @Test func `a start belongs to the first file alone, also when that does not open`() throws {
    try folder.file("junk.wav", "junk")
    let survey = SourceSurvey([folder.bytes("junk.wav"), folder.bytes("b.wav")])
    let whole = try report(Array(source[40_000...]), start: .milliseconds(10), of: survey)
    #expect(whole.lines.last == "Equal to the source: yes, all 1000 frames, bit for bit.")
  }

  @Test func `says what is wrong`() throws {
    let gap = try report(source[..<10_000] + silence(480) + source[10_000...])
    #expect(gap.isWrong)
    #expect(gap.lines[1] == "Longest gap: 480 frames (10 ms).")
    #expect(gap.lines[2] == "Equal to the source: NO, 21000 of 21000 frames.")
    let short = try report(source.dropLast(2 * 768) + silence(5_000))
    #expect(short.isWrong)
    #expect(short.lines[0] == "The sink received 20232 frames (421.5 ms) at 48000 Hz.")
    #expect(short.lines[2] == "Equal to the source: NO, 20232 of 21000 frames.")
    #expect(short.lines[3] == "The first frame that differs is number 20232, at 0:00.")
    let one = try report(source[..<10_000] + silence(1) + source[10_000...] + [1, 1])
    #expect(one.lines[1] == "Longest gap: 1 frame (0.02 ms).")
    #expect(one.lines.last == "1 frame of sound came after the end of the source.")
    let nothing = try report([])
    #expect(nothing.isWrong && nothing.lines[2] == "Equal to the source: NO, 0 of 21000 frames.")
  }

  @Test func `a source that is gone is not taken for silence`() throws {
    let survey = SourceSurvey([folder.bytes("a.wav")])
    #expect(unlink(folder.path + "/a.wav") == 0)
    let report = try report(source, of: survey)
    #expect(report.lines.last == "Not compared with the source: nothing of it can be read any more.")
  }

  @Test func `says why nothing was compared`() throws {
    let report = try report(source[..<10_000] + silence(480) + source[10_000...], obstacle: "it was steered")
    #expect(!report.isWrong)
    #expect(report.lines[0].hasSuffix(" at 48000 Hz from the first that is no silence to the last."))
    #expect(report.lines[1] == "Longest silence in it: 480 frames (10 ms).")
    #expect(report.lines[2] == "Not compared with the source: it was steered.")
  }

  @Test func `a capture that cannot be read is a fault`() {
    let sink = VirtualSink()
    let report = SinkReport(survey, start: .zero, captured: "/missing", sink: sink, obstacle: nil)
    #expect(report.isWrong)
  }
}
