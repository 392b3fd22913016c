import AfterlockCore
import AfterlockScenarios
import Testing

@testable import AfterlockLiveScenarios

@Suite struct HeardSamplesTests {
  private func sample(at time: Duration, rate: Double = 1, position: Duration) -> TimelineSample {
    var state = SceneState()
    state.rate = rate
    state.position = position
    return TimelineSample(time: time, state: state)
  }

  @Test func `what was seen is kept, and what is heard changes when the sink says so`() {
    let looks = [sample(at: .zero, position: .zero), sample(at: .seconds(2), rate: 0, position: .seconds(2))]
    let samples = LiveRun.samples(looks, heard: [.milliseconds(50)..<(.milliseconds(2_050))])
    #expect(samples.map(\.time) == [.zero, .milliseconds(50), .seconds(2), .milliseconds(2_050)])
    #expect(samples.map(\.state.isAudible) == [false, true, true, false])
    #expect(samples.map(\.state.position) == [.zero, .milliseconds(50), .seconds(2), .seconds(2)])
  }

  @Test func `stretches that overlap are one`() {
    let now = ContinuousClock.now
    let (a, b, c, d) = (now, now + .seconds(1), now + .seconds(2), now + .seconds(3))
    #expect([b..<d, a..<c].joined == [a..<d])
    #expect([c..<d, a..<b].joined == [a..<b, c..<d])
  }
}
