import AfterlockCore
import AfterlockRealtime
import Foundation
import Testing

@testable import AfterlockEngine

@Suite("The engine where the device or the next file is late")
struct LateAndStuckTests {
  @Test("seeks that a dead server never made do not keep the player silent when it is back")
  func fullRing() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 900_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await harness.turn { harness.hasStarted(a) }
    // The server hangs: no cycle comes, so no skip is made, and each seek takes two seconds more of the ring.
    for second in [3, 6, 9, 12] { harness.engine.perform(.seek(a, position: .seconds(second))) }
    await harness.wait { harness.facts.contains(.seeked(a, position: .seconds(12))) }
    for stream in harness.output.streams { stream.setActive(false) }
    harness.output.say(.serverLost)
    harness.output.say(.serverRestored(sink: "fake"))
    harness.engine.perform(.start(reason: .serverRestored))
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 576_000..<900_000)])
  }

  @Test("a track that is named while the last one drains goes on in its stream, and the queue has not ended")
  func lateUpcoming() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 600), "b": .init(track: 2, length: 600)])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await harness.firstDrainingStream()
    harness.name(after: a, b)
    await harness.wait { harness.isOpened(b) }
    let heard = await harness.turn { harness.hasEnded(b) }
    expectHeard(heard, [ramp(2, 0..<600)])
    #expect(harness.rates == [.rate(1, .setRateCalled), .rate(0, .endOfQueue)])
    #expect(!harness.hasEnded(a))
  }

  @Test(
    "a server that goes away while the last frames leave the device plays them again, and then it is the end")
  func lossWhileDraining() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 1_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.firstDrainingStream().lose(frames: 700)
    harness.output.say(.serverLost)
    harness.output.say(.serverRestored(sink: "fake"))
    await harness.wait { harness.facts.contains(.serverRestored) }
    #expect(!harness.hasEnded(a))
    harness.engine.perform(.start(reason: .serverRestored))
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 300..<1_000)])
  }

  @Test("short files of changing format drain side by side")
  func manyDrains() async {
    let mono = AudioFormat(rate: 44_100, channels: [.mono])
    let harness = EngineHarness([
      "a": .init(track: 1, length: 300), "b": .init(track: 2, length: 1, format: mono),
      "c": .init(track: 3, length: 9_000),
    ])
    let (a, b, c) = (harness.run("a"), harness.run("b"), harness.run("c"))
    harness.load(a, then: b)
    await harness.wait { harness.isOpened(b) }
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.output.streams.count == 2 && harness.output.streams[1].isActive }
    // What the first two gave never comes out by itself here.
    func render(_ stream: FakeStream, until condition: () -> Bool) async {
      await harness.wait {
        if stream.isActive { stream.renderSilently() }
        return condition()
      }
    }
    let first = harness.output.streams[0]
    await render(first) { first.ring.isReadToEnd }
    await render(harness.output.streams[1]) { harness.hasStarted(b) }
    harness.name(after: b, c)
    await harness.wait { harness.output.streams.count == 3 && harness.output.streams[2].isActive }
    await render(harness.output.streams[2]) { harness.hasStarted(c) }
    #expect(first.isDraining && first.isActive)
  }

  @Test("a pause is heard at once while a read is stuck, and the sound goes on when both are over")
  func pauseInStuckRead() async {
    let gate = Gate()
    let harness = EngineHarness(["a": .init(track: 1, length: 300_000, stall: (100_000, gate))])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.output.streams.first?.isActive == true }
    var heard = (await harness.turn { harness.output.streams[0].ring.readIndex > 20_000 })[0]
    // Enough is read that the engine wants more, and waits for it.
    heard += (await harness.turn { harness.output.streams[0].ring.readIndex > 90_000 })[0]
    await harness.wait { gate.hasBeenReached }
    harness.engine.perform(.pause(reason: .setRateCalled))
    await harness.wait { !harness.output.streams[0].isActive }
    harness.engine.perform(.start(reason: .setRateCalled))
    gate.open()
    heard += (await harness.turn { harness.hasEnded(a) })[0]
    expectHeard([heard], [ramp(1, 0..<300_000)])
  }

  @Test("a loop of a short file leaves nothing behind with each round")
  func nothingLeftBehind() {
    let list = InterrupterList()
    for _ in 0..<100 { list.add(ReadInterrupter()) }
    #expect(list.count == 1)
    let kept = ReadInterrupter()
    list.add(kept)
    list.add(ReadInterrupter())
    list.interruptAll()
    #expect(kept.isInterrupted && list.count == 2)
  }

  @Test("two seconds are kept ahead, and one where a second is large")
  func framesAhead() {
    func format(_ rate: Int, _ channels: Int) -> AudioFormat {
      AudioFormat(rate: rate, channels: AudioFormat.usualPositions(channelCount: channels) ?? [])
    }
    #expect(Lane.framesAhead(format(48_000, 2)) == 96_000)
    #expect(Lane.framesAhead(format(192_000, 2)) == 384_000)
    #expect(Lane.framesAhead(format(48_000, 8)) == 96_000)
    #expect(Lane.framesAhead(format(192_000, 8)) == 192_000)
  }

  @Test("what a seek leaves behind does not keep the new from being decoded before the next cycle")
  func decodesBeforeTheSkip() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 480_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait {
      harness.output.streams.first.map { $0.isActive && $0.ring.writeIndex >= 96_000 } ?? false
    }
    let ring = harness.output.streams[0].ring
    let full = ring.writeIndex
    harness.engine.perform(.seek(a, position: .seconds(5)))
    await harness.wait { harness.facts.contains(.seeked(a, position: .seconds(5))) }
    #expect(ring.readIndex == 0 && ring.writeIndex >= full + 90_000)
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 240_000..<480_000)])
  }

  @Test("a closed engine carries out nothing any more")
  func closed() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 600)])
    let a = harness.run("a")
    await harness.engine.close()
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.engine.close()
    #expect(harness.output.streams.isEmpty && harness.reported.isEmpty)
  }
}
