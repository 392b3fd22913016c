import AfterlockCore
import AfterlockEngine
import AfterlockRealtime
import Testing

@Suite("Where the engine is, and where it may sound")
struct PlaceTests {
  @Test("the position is what is heard, not what is read")
  func latency() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)])
    let a = harness.run("a")
    harness.load(a, at: .seconds(1))
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await harness.turn { harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false }
    let stream = harness.output.streams[0]
    let read = 48_000 + stream.ring.readIndex
    #expect(harness.engine.position == PlaybackPosition(run: a, time: .frames(read, rate: 48_000)))
    stream.latencyFrames = 700
    #expect(harness.engine.position == PlaybackPosition(run: a, time: .frames(read - 700, rate: 48_000)))
    stream.latencyFrames = 90_000
    #expect(harness.engine.position == PlaybackPosition(run: a, time: .seconds(1)), "never before its start")
  }

  @Test("held at its very end it is at its end, and not at the start of what follows")
  func heldAtItsEnd() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000), "b": .init(track: 2, length: 96_000)])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a, then: b)
    await harness.wait { harness.facts.contains { if case .opened(a, _) = $0 { true } else { false } } }
    harness.engine.perform(.seek(a, position: .seconds(2)))
    await harness.wait { harness.facts.contains(.joined(b)) }
    #expect(harness.engine.position == PlaybackPosition(run: a, time: .seconds(2)))
    // It goes on where it was.
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(b) }
    expectHeard(heard, [ramp(2, 0..<96_000)])
  }

  @Test("a seek while the file is being opened says where it begins")
  func seekWhileOpening() async {
    let gate = Gate()
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000, gate: gate)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    harness.engine.perform(.seek(a, position: .milliseconds(1_500)))
    await harness.wait { harness.facts.contains(.seeked(a, position: .milliseconds(1_500))) }
    #expect(harness.engine.position == PlaybackPosition(run: a, time: .milliseconds(1_500)))
    gate.open()
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 72_000..<96_000)])
  }

  @Test("without a sink nothing runs, whoever starts it, and with one it goes on at the next frame")
  func routeLost() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let before = await harness.turn {
      harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false
    }
    harness.output.say(.routeLost(sink: "fake"))
    await harness.wait { harness.rates.last == .rate(0, .routeLost) }
    #expect(harness.output.streams[0].isActive == false)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.engine.settle()
    #expect(harness.output.streams[0].isActive == false && harness.rates.last == .rate(0, .routeLost))
    harness.output.say(.routeRestored(sink: "other"))
    harness.engine.perform(.start(reason: .routeRestored))
    let after = await harness.turn { harness.hasEnded(a) }
    expectHeard([before[0] + after[0]], [ramp(1, 0..<96_000)])
  }
}
