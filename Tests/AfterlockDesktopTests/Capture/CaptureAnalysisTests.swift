import AfterlockDesktop
import AfterlockTestSupport
import Testing

/// Each kind of fault is planted into a capture, and the analysis must name it, count it, and find nothing else.
@Suite(.computesForLong) struct CaptureAnalysisTests {
  let source = Signals.noise(frames: 20_000, seed: 7)

  /// A capture: silence, the pieces, silence.
  private func capture(_ pieces: [Piece], before: Int = 300, after: Int = 500) -> SoundClip {
    var samples = [Float](repeating: 0, count: before * 2)
    for piece in pieces {
      switch piece {
      case .source(let range): samples += source.samples[range.lowerBound * 2..<range.upperBound * 2]
      case .silence(let frames): samples += [Float](repeating: 0, count: frames * 2)
      case .foreign(let frames): samples += Signals.noise(frames: frames, seed: 99).samples
      }
    }
    samples += [Float](repeating: 0, count: after * 2)
    return SoundClip(rate: 48_000, channels: 2, samples: samples)
  }

  private enum Piece {
    case source(Range<Int>)
    case silence(Int)
    case foreign(Int)
  }

  @Test func `a complete capture equals its source`() {
    let report = CaptureAnalysis.compare(capture([.source(0..<20_000)]), with: source)
    #expect(report.equalsSource, "\(report)")
    #expect(report.receivedFrames == 20_000)
    #expect(report.firstCaptureFrame == 300)
    #expect(report.lastCaptureFrame == 20_299)
  }

  @Test(arguments: [1, 2, 3, 31, 500]) func `short sounds are found too`(frames: Int) {
    let short = SoundClip(rate: 48_000, channels: 2, samples: Array(source.samples[..<(frames * 2)]))
    let report = CaptureAnalysis.compare(capture([.source(0..<frames)]), with: short)
    #expect(report.equalsSource, "\(report)")
  }

  @Test func `frames missing at the beginning are counted`() {
    let report = CaptureAnalysis.compare(capture([.source(128..<20_000)]), with: source)
    #expect(report.leadingMissing == 128)
    #expect(report.receivedFrames == 19_872)
    #expect(report.missingFrames == 128)
    #expect(!report.equalsSource)
  }

  @Test func `frames missing at the end are counted, down to one`() {
    for lost in [1, 256, 1_792] {
      let report = CaptureAnalysis.compare(capture([.source(0..<20_000 - lost)]), with: source)
      #expect(report.trailingMissing == lost)
      #expect(report.missingFrames == lost)
      #expect(!report.equalsSource)
    }
  }

  @Test func `a pause in the middle of the sound is a gap with its length`() {
    let report = CaptureAnalysis.compare(
      capture([.source(0..<5_000), .silence(1_024), .source(5_000..<20_000)]), with: source)
    #expect(report.gaps == [.init(sourceFrame: 5_000, captureFrame: 5_300, frames: 1_024)])
    #expect(report.receivedFrames == 20_000)
    #expect(report.missingFrames == 0)
    #expect(!report.equalsSource)
  }

  @Test func `silence that replaces sound is a gap and missing frames`() {
    let report = CaptureAnalysis.compare(
      capture([.source(0..<5_000), .silence(64), .source(5_064..<20_000)]), with: source)
    #expect(report.longestGap == 64)
    #expect(report.insideMissing == 64)
    #expect(report.receivedFrames == 19_936)
  }

  @Test func `a single silent frame is a gap`() {
    let report = CaptureAnalysis.compare(
      capture([.source(0..<5_000), .silence(1), .source(5_000..<20_000)]), with: source)
    #expect(report.longestGap == 1)
    #expect(!report.equalsSource)
  }

  @Test func `dropped frames are missing without a gap`() {
    let report = CaptureAnalysis.compare(
      capture([.source(0..<5_000), .source(6_024..<20_000)]), with: source)
    #expect(report.insideMissing == 1_024)
    #expect(report.gaps.isEmpty)
    #expect(report.trailingMissing == 0)
  }

  @Test func `repeated frames are counted`() {
    let report = CaptureAnalysis.compare(
      capture([.source(0..<5_000), .source(4_000..<20_000)]), with: source)
    #expect(report.repeatedFrames == 1_000)
    #expect(report.receivedFrames == 20_000)
    #expect(!report.equalsSource)
  }

  @Test func `one wrong sample is a different frame`() {
    var wrong = capture([.source(0..<20_000)])
    wrong.samples[(300 + 777) * 2 + 1] += 1 / 32_768
    let report = CaptureAnalysis.compare(wrong, with: source)
    #expect(report.differingFrames == 1)
    #expect(report.receivedFrames == 19_999)
    #expect(!report.equalsSource)
  }

  @Test func `sound before, after and instead of the source is foreign`() {
    let report = CaptureAnalysis.compare(
      capture([.foreign(100), .source(0..<20_000), .silence(10), .foreign(50)]), with: source)
    #expect(report.foreignFrames == 150)
    #expect(report.receivedFrames == 20_000)
    #expect(!report.equalsSource)
  }

  @Test func `nothing heard is all missing`() {
    let report = CaptureAnalysis.compare(capture([.silence(1_000)]), with: source)
    #expect(report.missingFrames == 20_000)
    #expect(report.receivedFrames == 0)
    #expect(report.firstCaptureFrame == nil)
    let empty = SoundClip(rate: 48_000, channels: 2, samples: [Float]())
    #expect(CaptureAnalysis.compare(empty, with: source).missingFrames == 20_000)
  }

  @Test func `another sound is not the source`() {
    let report = CaptureAnalysis.compare(capture([.foreign(20_000)]), with: source)
    #expect(report.receivedFrames == 0)
    #expect(!report.equalsSource)
  }

  @Test func `a quieter sound is not the source`() {
    var quiet = capture([.source(0..<20_000)])
    quiet.samples = quiet.samples.map { $0 * 0.5 }
    #expect(CaptureAnalysis.compare(quiet, with: source).receivedFrames == 0)
  }

  @Test func `swapped channels are not the source`() {
    var swapped = capture([.source(0..<20_000)])
    for frame in 0..<swapped.frameCount { swapped.samples.swapAt(frame * 2, frame * 2 + 1) }
    #expect(CaptureAnalysis.compare(swapped, with: source).receivedFrames < 10)
  }

  @Test func `silence of the source itself is neither gap nor missing`() {
    var quiet = source
    for index in 4_000..<8_000 { quiet.samples[index] = 0 }
    for index in 0..<200 { quiet.samples[index] = 0 }
    let captured = SoundClip(rate: 48_000, channels: 2, samples: Array(quiet.samples[100...]))
    let report = CaptureAnalysis.compare(captured, with: quiet)
    #expect(report.equalsSource, "\(report)")
    #expect(report.soundFrames == 19_900)
  }

  @Test func `the tolerance is a limit`() {
    var near = capture([.source(0..<20_000)])
    for index in near.samples.indices where near.samples[index] != 0 {
      near.samples[index] += CaptureAnalysis.oneBitOf24
    }
    let within = CaptureAnalysis.compare(near, with: source, tolerance: CaptureAnalysis.oneBitOf24)
    #expect(within.equalsSource, "\(within)")
    #expect(within.largestDeviation == CaptureAnalysis.oneBitOf24)
    #expect(
      !CaptureAnalysis.compare(near, with: source, tolerance: CaptureAnalysis.oneBitOf24 / 2).equalsSource)
  }

  @Test func `not-a-number is never equal`() {
    var broken = capture([.source(0..<20_000)])
    broken.samples[4_000] = .nan
    #expect(!CaptureAnalysis.compare(broken, with: source, tolerance: 1).equalsSource)
  }

  @Test func `several faults in one capture are told apart`() {
    let report = CaptureAnalysis.compare(
      capture([
        .source(10..<3_000), .silence(100), .source(3_000..<6_000), .source(6_500..<9_000),
        .source(8_000..<19_990),
      ]), with: source)
    #expect(report.leadingMissing == 10)
    #expect(report.gaps.map(\.frames) == [100])
    #expect(report.insideMissing == 500)
    #expect(report.repeatedFrames == 1_000)
    #expect(report.trailingMissing == 10)
    #expect(report.receivedFrames == 19_480)
  }

  @Test func `silences inside a sound are found without its source`() {
    let clip = capture([
      .source(0..<1_000), .silence(50), .source(1_000..<2_000), .silence(7), .source(0..<10),
    ])
    #expect(CaptureAnalysis.silences(in: clip) == [1_300..<1_350, 2_350..<2_357])
  }

  @Test func `three minutes are compared within two seconds`() {
    let long = Signals.ramp(frames: 3 * 60 * 48_000)
    var samples = [Float](repeating: 0, count: 9_600)
    samples += long.samples
    let captured = SoundClip(rate: 48_000, channels: 2, samples: samples)
    var report: CaptureReport?
    let time = ContinuousClock().measure { report = CaptureAnalysis.compare(captured, with: long) }
    #expect(report?.equalsSource == true)
    #expect(time < .seconds(2), "a comparison without optimisation must stay quick: \(time)")
  }

  @Test func `a ramp tells which frame was heard`() {
    let ramp = Signals.ramp(frames: 40_000, from: 100_000)
    for place in [0, 1, 16_383, 16_384, 39_999] {
      #expect(Signals.frame(at: place, of: ramp) == 100_000 + place)
    }
    #expect(Signals.frame(at: 0, of: Signals.silence(frames: 1)) == nil)
  }
}
