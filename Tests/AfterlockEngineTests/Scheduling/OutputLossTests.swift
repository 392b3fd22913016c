import AfterlockCore
import AfterlockRealtime
import Testing

@testable import AfterlockEngine

@Suite("The engine where the output loses what was on its way, or refuses a stream")
struct OutputLossTests {
  @Test("what was on its way when the sink went is played again, and once only when the server follows")
  func sinkThenServer() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let before = await harness.turn {
      harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false
    }
    let place = harness.output.streams[0].ring.readIndex
    harness.output.streams[0].lose(frames: 700)
    harness.output.say(.routeLost(sink: FakeOutput.sink))
    await harness.wait { harness.facts.contains(.routeLost(sink: FakeOutput.sink)) }
    #expect(harness.engine.position.time == .frames(place - 700, rate: 48_000))
    harness.output.say(.serverLost)
    harness.output.say(.serverRestored(sink: "other"))
    await harness.wait { harness.facts.contains(.routeRestored(sink: "other")) }
    harness.engine.perform(.start(reason: .serverRestored))
    let after = await harness.turn { harness.hasEnded(a) }
    let isWhole = (before.first ?? []).dropLast(1_400) + (after.first ?? []) == ramp(1, 0..<96_000)[...]
    #expect(isWhole)
  }

  @Test("a sink that goes holds the engine until it is to start, and what was on its way is played again")
  func sinkLost() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let before = await harness.turn {
      harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false
    }
    let place = harness.output.streams[0].ring.readIndex
    let sink = SinkDescription(name: "headset", kind: .headset)
    harness.output.streams[0].lose(frames: 700)
    harness.output.say(.sinkLost(sink))
    harness.output.say(.sinkChanged("speakers"))
    await harness.wait { harness.facts.contains(.sinkChanged("speakers")) }
    let told = harness.facts.filter { $0 == .sinkLost(sink) || $0 == .sinkChanged("speakers") }
    #expect(told == [.sinkLost(sink), .sinkChanged("speakers")])
    #expect(harness.rates.last == .rate(0, .routeLost))
    #expect(harness.output.streams[0].isActive == false)
    #expect(harness.engine.position.time == .frames(place - 700, rate: 48_000))
    #expect(harness.output.allowances == 0)
    harness.engine.perform(.start(reason: .setRateCalled))
    let after = await harness.turn { harness.hasEnded(a) }
    let isWhole = (before.first ?? []).dropLast(1_400) + (after.first ?? []) == ramp(1, 0..<96_000)[...]
    #expect(isWhole)
    #expect(harness.output.allowances == 1)
  }

  @Test("what a pause has dropped is silence, and is not played again when the server goes meanwhile")
  func lossWhilePaused() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let before = await harness.turn {
      harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false
    }
    harness.engine.perform(.pause(reason: .setRateCalled))
    await harness.engine.catchUp()
    let faded = await harness.turn { harness.rates.last == .rate(0, .setRateCalled) }
    harness.output.streams[0].lose(frames: 700)
    harness.output.say(.serverLost)
    harness.output.say(.serverRestored(sink: FakeOutput.sink))
    await harness.wait { harness.facts.contains(.serverRestored) }
    harness.engine.perform(.start(reason: .serverRestored))
    let after = await harness.turn { harness.hasEnded(a) }
    let isWhole = (before + faded + after).flatMap(\.self) == ramp(1, 0..<96_000)
    #expect(isWhole)
  }

  @Test("what was on its way is played again also where the next file has another format")
  func lossBeforeAnotherFormat() async {
    let other = AudioFormat(rate: 44_100, channels: [.frontLeft, .frontRight])
    let harness = EngineHarness([
      "a": .init(track: 1, length: 30_000), "b": .init(track: 2, length: 30_000, format: other),
    ])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a, then: b)
    await harness.wait { harness.joins.contains(b) }
    harness.engine.perform(.start(reason: .setRateCalled))
    let before = await harness.turn { harness.output.streams[0].ring.readIndex > 20_000 }
    harness.output.streams[0].lose(frames: 700)
    harness.output.say(.serverLost)
    harness.output.say(.serverRestored(sink: FakeOutput.sink))
    await harness.wait { harness.facts.contains(.serverRestored) }
    harness.engine.perform(.start(reason: .serverRestored))
    let after = await harness.turn { harness.hasEnded(b) }
    let isWhole = (before.first ?? []).dropLast(1_400) + (after.first ?? []) == ramp(1, 0..<30_000)[...]
    #expect(isWhole)
    expectHeard([after.last ?? []], [ramp(2, 0..<30_000)])
  }

  @Test("a stream that the server refuses is left, and the next track gets one of its own")
  func refusedStream() async {
    let harness = EngineHarness([
      "a": .init(track: 1, length: 96_000), "b": .init(track: 2, length: 10_000),
    ])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a, then: b)
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await harness.turn { harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false }
    let position = harness.engine.position
    harness.output.say(.failed("refused"))
    await harness.wait {
      harness.facts.contains { if case .failed(a, _, played: true) = $0 { true } else { false } }
    }
    #expect(harness.output.streams[0].isActive == false)
    #expect(harness.engine.position == position)
    // The coordinator may be late with its answer, and what it asked before may be on its way.
    harness.engine.perform(.seek(a, position: .seconds(1)))
    harness.name(after: a)
    harness.load(b)
    let heard = await harness.turn { harness.hasEnded(b) }
    expectHeard(Array(heard.suffix(1)), [ramp(2, 0..<10_000)])
    #expect(harness.output.streams.count == 2)
  }
}
