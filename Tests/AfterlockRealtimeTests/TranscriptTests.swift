import Testing

/// The judge is shown what it must find.
@Suite struct TranscriptTests {
  private func transcript(_ frames: [(Int64, Float)]) -> Transcript {
    var result = Transcript(fadeFrames: 4, patience: 2)
    result.written = 100
    result.heard = frames.enumerated().map { number, frame in
      Transcript.Heard(
        frame: HeardFrame(index: frame.0, gain: frame.1), cycle: number + 1, followsSilence: false)
    }
    return result
  }

  @Test func `A faultless transcript passes`() {
    var good = transcript([(0, 1), (1, 1), (2, 0.75), (3, 0.5), (4, 0.25), (10, 1), (11, 1), (20, 1)])
    good.skips = [(10, 3)]
    good.cuts = [12..<20]
    #expect(good.violations().isEmpty)
  }

  @Test func `A fade's silent frame may be one that was written in the place of others`() {
    var good = transcript([(0, 1), (1, 0.75), (2, 0.5), (3, 0.25), (11, 1)])
    good.heard[4].followsSilence = true
    good.cuts = [4..<10]
    #expect(good.violations().isEmpty)
    var bad = good
    bad.heard[4].frame.index = 12
    #expect(!bad.violations().isEmpty)
  }

  @Test(
    arguments: [
      ("a frame twice", [(0, 1), (1, 1), (1, 1)]),
      ("a frame too old", [(0, 1), (1, 1), (0, 1)]),
      ("a lost frame", [(0, 1), (2, 1)]),
      ("a frame that was never written", [(0, 1), (100, 1)]),
      ("a click", [(0, 1), (1, 0.5)]),
      ("a frame too loud", [(0, 1), (1, 1.25)]),
    ] as [(String, [(Int64, Float)])])
  func `It finds a fault in what was heard`(name: String, frames: [(Int64, Float)]) {
    #expect(!transcript(frames).violations().isEmpty, "\(name)")
  }

  @Test func `It finds a frame of a cut`() {
    var bad = transcript([(0, 1), (1, 1), (2, 1)])
    bad.cuts = [2..<10]
    #expect(!bad.violations().isEmpty)
  }

  @Test func `It finds an old frame long after a skip, and a frame in a pause`() {
    var old = transcript((0..<9).map { ($0, 1) })
    old.skips = [(50, 2)]
    #expect(!old.violations().isEmpty)
    var paused = transcript((0..<9).map { ($0, 1) })
    paused.pauses = [(2, 7)]
    #expect(!paused.violations().isEmpty)
  }
}
