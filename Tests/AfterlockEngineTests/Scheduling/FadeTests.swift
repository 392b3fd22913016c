import AfterlockCore
import AfterlockEngine
import AfterlockRealtime
import Testing

@Suite("Fades of the engine")
struct FadeTests {
  @Test(
    "a fade is 10 ms at most, and none where none is wanted",
    arguments: [(-1, 0), (0, 0), (5, 240), (50, 480)])
  func limits(milliseconds: Int, frames: Int) async {
    let harness = EngineHarness(["a": .init(track: 1, length: 600)], fade: .milliseconds(milliseconds))
    harness.load(harness.run("a"))
    await harness.wait { !harness.output.streams.isEmpty }
    #expect(harness.output.streams.first?.ring.fadeFrames == frames)
  }

  @Test("a seek into the middle fades in over the fade, and one to the start does not", arguments: [5, 0])
  func seek(second: Int64) async {
    let (length, fade) = (480_000 as Int64, 240)
    let harness = EngineHarness(["a": .init(track: 1, length: length)], fade: .milliseconds(5))
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await harness.turn { harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false }
    harness.engine.perform(.seek(a, position: .seconds(second)))
    await harness.wait { harness.facts.contains(.seeked(a, position: .seconds(second))) }
    let heard = await harness.turn { harness.hasEnded(a) }
    let target = second * 48_000
    let new = Array(heard[0].suffix(Int(length - target) * 2))
    let expected = ramp(1, target..<length)
    let head = target == 0 ? 0 : fade
    let isRising = (0..<head).allSatisfy { frame in
      abs(new[frame * 2] - expected[frame * 2] * Float(frame + 1) / Float(fade)) < 1e-5
    }
    #expect(isRising)
    expectHeard([Array(new.dropFirst(head * 2))], [Array(expected.dropFirst(head * 2))])
  }

  @Test("a pause that was taken back does not cut the fade of the next one short")
  func staleFallback() async throws {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)], fade: .milliseconds(5))
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.rates == [.rate(1, .setRateCalled)] }
    harness.engine.perform(.pause(reason: .setRateCalled))
    try await Task.sleep(for: .milliseconds(250))
    harness.engine.perform(.start(reason: .routeRestored))
    await harness.engine.settle()
    let start = ContinuousClock.now
    harness.engine.perform(.pause(reason: .systemSleep))
    await harness.wait { harness.rates.last == .rate(0, .systemSleep) }
    // No cycle comes, so it is half a second, of its own.
    #expect(ContinuousClock.now - start >= .milliseconds(490))
  }
}
