import AfterlockDesktop
import AfterlockTestSupport
import Testing

/// The judge on captures that are made up: it must see what is wrong, and nothing else.
@Suite("The judge of a life")
struct LifeJudgeTests {
  private func judge(
    _ places: [Range<Int>], to end: Int = 100_000, before: Bool = false, between: Bool = false,
    after: Bool = false
  ) -> LifeJudge.Law? {
    LifeJudge.judge(
      places.map { HeardPiece(place: $0, number: $0.lowerBound) }, to: end,
      LifeJudge.Stretch(before: before, between: between, after: after, rest: 10_000))
  }

  @Test func `finds one frame of sound where there was to be none`() {
    #expect(judge([]) == nil)
    #expect(judge([50_000..<50_001]) == .noStartWithoutWish)
  }

  @Test func `finds sound that goes on, and sound that begins again`() {
    #expect(judge([0..<60_000], before: true) == nil)
    #expect(judge([0..<100_000], before: true) == .noSoundWithoutWish)
    #expect(judge([0..<20_000, 40_000..<40_001], before: true) == .noStartWithoutWish)
    #expect(judge([0..<20_000, 30_000..<40_000], before: true) == nil, "a hole is no start")
  }

  @Test func `leaves sound alone where there was to be some`() {
    #expect(judge([50_000..<100_000], after: true) == nil)
    #expect(judge([0..<20_000, 60_000..<90_000], between: true) == nil)
  }

  @Test func `reads a ramp of one piece, its breaks and what is no ramp`() {
    func ramp(_ numbers: Range<Int>) -> [Float] {
      Signals.ramp(frames: numbers.count, from: numbers.lowerBound).samples
    }
    let silence = [Float](repeating: 0, count: 2 * 700)
    var samples = silence + ramp(16_000..<17_000)
    samples += ramp(100..<400)
    samples += [0.3, -0.3]
    samples += silence
    #expect(
      HeardPiece.pieces(of: samples, from: 5) == [
        HeardPiece(place: 705..<1_705, number: 16_000), HeardPiece(place: 1_705..<2_005, number: 100),
        HeardPiece(place: 2_005..<2_006, number: -1),
      ])
  }

  @Test func `knows where commands lead`() {
    let (second, track) = (LifePlace.rate, LifePlace.track)
    func place(at frame: Int, _ event: LifeEvent, isStopped: Bool = false) -> [ClosedRange<Int>] {
      var place = LifePlace()
      place.hear(frame)
      place.take(event, isStopped: isStopped)
      return place.ranges
    }
    #expect(place(at: 10 * second, .seek(seconds: 7)) == [17 * second...17 * second])
    #expect(place(at: track + second, .seek(seconds: -5)) == [track...track])
    #expect(place(at: track - second, .seek(seconds: 7)) == [track...track])
    #expect(place(at: second, .seek(seconds: 7), isStopped: true) == [second...second])
    #expect(place(at: 2 * track + second, .command(.next)) == [0...0])
    #expect(place(at: 10 * second, .command(.previous)) == [0...0])
    #expect(place(at: second, .command(.previous)) == [2 * track...2 * track])
    #expect(place(at: 3 * second, .command(.previous)) == [0...0, 2 * track...2 * track])
    #expect(place(at: track + 10 * second, .command(.previous), isStopped: true) == [0...0])
    #expect(place(at: track + 10 * second, .command(.stop)) == [track...track])
    var played = LifePlace()
    played.hear(3 * track - second)
    played.runOn(frames: 2 * second)
    #expect(played.allows(3 * track - second) && played.allows(second) && !played.allows(2 * second))
    #expect(!played.allows(3 * track - 2 * second))
  }
}
