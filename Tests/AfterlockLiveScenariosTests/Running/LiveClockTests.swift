import Testing

@testable import AfterlockLiveScenarios

@Suite struct LiveClockTests {
  @Test func `time stands still while something is held, and what happens meanwhile has one time`() async {
    let clock = LiveClock()
    clock.begin()
    let moments = await clock.hold {
      let first = ContinuousClock.now
      try? await Task.sleep(for: .milliseconds(30))
      return (first, ContinuousClock.now)
    }
    #expect(clock.time(of: moments.0) == clock.time(of: moments.1))
    #expect(clock.held >= .milliseconds(30))
    let now = ContinuousClock.now
    #expect(clock.time(of: now + .seconds(1)) - clock.time(of: now) == .seconds(1))
  }

  @Test func `what was before the begin has a negative time`() {
    let clock = LiveClock()
    clock.begin()
    #expect(clock.time(of: .now - .seconds(5)) < .seconds(-4))
  }
}
