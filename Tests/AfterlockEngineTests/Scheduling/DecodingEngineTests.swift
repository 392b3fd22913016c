import AfterlockCore
import AfterlockEngine
import AfterlockRealtime
import Testing

@Suite("The engine hands on what the files hold")
struct DecodingEngineTests {
  @Test("every frame, from one frame to many seconds", arguments: [1, 2, 255, 4_096, 48_000 * 5 + 7])
  func everyFrame(length: Int64) async {
    let harness = EngineHarness(["a": .init(track: 1, length: length)])
    let run = harness.run("a")
    harness.load(run)
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(run) }
    expectHeard(heard, [ramp(1, 0..<length)])
    #expect(harness.rates == [.rate(1, .setRateCalled), .rate(0, .endOfQueue)])
    #expect(harness.facts.dropFirst() == [.started(run), .ended(run)])
  }

  @Test("a file without a frame has failed")
  func emptyFile() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 0)])
    let run = harness.run("a")
    harness.load(run)
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await harness.turn { harness.hasFailed(run) }
    #expect(!harness.hasStarted(run) && !harness.hasEnded(run))
  }

  @Test("a file without a frame that follows is passed over, in any format", arguments: [48_000, 44_100])
  func emptyFileFollows(rate: Int) async {
    let format = AudioFormat(rate: rate, channels: [.frontLeft, .frontRight])
    let harness = EngineHarness([
      "a": .init(track: 1, length: 600), "b": .init(track: 2, length: 0, format: format),
      "c": .init(track: 3, length: 600),
    ])
    let (a, b, c) = (harness.run("a"), harness.run("b"), harness.run("c"))
    harness.load(a, then: b)
    await harness.wait { harness.hasFailed(b) }
    harness.name(after: a, c)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.isOpened(c) }
    let heard = await harness.turn { harness.hasEnded(c) }
    expectHeard([heard[0]], [ramp(1, 0..<600) + ramp(3, 0..<600)])
  }

  @Test("two files of one format join without a frame between", arguments: [600, 48_000 * 6] as [Int64])
  func gaplessJoin(length: Int64) async {
    let harness = EngineHarness(["a": .init(track: 1, length: length), "b": .init(track: 2, length: length)])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a, then: b)
    await harness.wait { harness.isOpened(a) }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(b) }
    expectHeard(heard, [ramp(1, 0..<length) + ramp(2, 0..<length)])
    #expect(harness.rates == [.rate(1, .setRateCalled), .rate(0, .endOfQueue)])
    #expect(harness.progress == [.started(a), .started(b), .ended(b)])
    #expect(harness.output.streams.map(\.title) == ["Track 2"], "mixers show what is heard")
  }

  @Test("a file of another format follows on a stream of its own, after the last frame of the first")
  func otherFormat() async {
    let mono = AudioFormat(rate: 44_100, channels: [.mono])
    let harness = EngineHarness([
      "a": .init(track: 1, length: 5_000), "b": .init(track: 2, length: 5_000, format: mono),
    ])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a, then: b)
    await harness.wait { harness.isOpened(b) }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(b) }
    expectHeard(heard, [ramp(1, 0..<5_000), ramp(2, 0..<5_000, channels: 1)])
    #expect(harness.progress == [.started(a), .started(b), .ended(b)])
  }

  @Test("after pause, another track, play, not one frame of the old track is heard", arguments: [0, 5])
  func noOldFrames(fade: Int) async {
    let harness = EngineHarness(
      ["a": .init(track: 1, length: 480_000), "b": .init(track: 2, length: 9_000)], fade: .milliseconds(fade))
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await harness.turn { harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false }
    harness.engine.perform(.pause(reason: .setRateCalled))
    _ = await harness.turn { harness.rates.last == .rate(0, .setRateCalled) }
    harness.load(b)
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(b) }
    expectHeard(heard, [ramp(2, 0..<9_000)])
  }

  @Test("a seek lands on the frame, and what was decoded before is not heard")
  func seek() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 480_000)])
    let a = harness.run("a")
    harness.load(a)
    await harness.wait { harness.isOpened(a) }
    harness.engine.perform(.seek(a, position: .seconds(9)))
    await harness.wait { harness.facts.contains(.seeked(a, position: .seconds(9))) }
    #expect(harness.engine.position == PlaybackPosition(run: a, time: .seconds(9)))
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 432_000..<480_000)])
  }

  @Test(
    "a load that is to begin at the end or behind it fails, in words that have the length",
    arguments: ["a", "http://a"], [2_000, 60_000])
  func loadBehindTheEnd(name: String, milliseconds: Int) async throws {
    let harness = EngineHarness([name: .init(track: 1, length: 96_000)])
    let a = harness.run(name)
    harness.load(a, at: .milliseconds(milliseconds))
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.hasFailed(a) }
    let words = "The sound is 2 s long, so it cannot begin at \(milliseconds / 1000) s."
    #expect(harness.facts == [.failed(a, PlaybackFailure(.tooShort, words), played: false)])
    await harness.wait { harness.openReaders.now == 0 }
  }

  @Test("a seek to the end while a file is opened ends it, and is no failure")
  func seekToTheEndWhileOpening() async {
    let gate = Gate()
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000, gate: gate)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    harness.engine.perform(.seek(a, position: .seconds(9)))
    gate.open()
    _ = await harness.turn { harness.hasEnded(a) }
    #expect(!harness.hasFailed(a))
  }

  @Test("a load may begin in the middle")
  func loadInTheMiddle() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)])
    let a = harness.run("a")
    harness.load(a, at: .milliseconds(1_500))
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 72_000..<96_000)])
  }

  @Test(
    "a seek back, after the next track was decoded ahead to its end or in part, plays both again",
    arguments: [3_000, 200_000] as [Int64])
  func seekBackOverTheJoin(length: Int64) async {
    let harness = EngineHarness(["a": .init(track: 1, length: 30_000), "b": .init(track: 2, length: length)])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a, then: b)
    await harness.wait { harness.joins == [b] }
    harness.engine.perform(.seek(a, position: .milliseconds(500)))
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(b) }
    expectHeard(heard, [ramp(1, 24_000..<30_000) + ramp(2, 0..<length)])
    #expect(harness.joins == [b, b])
  }

  @Test("another upcoming track replaces one that was decoded ahead")
  func replacedUpcoming() async {
    let harness = EngineHarness([
      "a": .init(track: 1, length: 30_000), "b": .init(track: 2, length: 3_000),
      "c": .init(track: 3, length: 3_000),
    ])
    let (a, b, c) = (harness.run("a"), harness.run("b"), harness.run("c"))
    harness.load(a, then: b)
    await harness.wait { harness.output.streams.first?.ring.writeIndex == 33_000 }
    harness.name(after: a, c)
    await harness.wait { harness.isOpened(c) && harness.output.streams.first?.ring.writeIndex == 33_000 }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(c) }
    expectHeard(heard, [ramp(1, 0..<30_000) + ramp(3, 0..<3_000)])
    #expect(!harness.hasStarted(b))
  }

  @Test("no upcoming track any more: the current one is the last")
  func withdrawnUpcoming() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 30_000), "b": .init(track: 2, length: 3_000)])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a, then: b)
    await harness.wait { harness.output.streams.first?.ring.writeIndex == 33_000 }
    harness.name(after: a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 0..<30_000)])
  }

  @Test("an upcoming track that cannot be opened is said, and the next one named joins without a gap")
  func upcomingFails() async {
    let harness = EngineHarness([
      "a": .init(track: 1, length: 30_000), "bad": .init(track: 2, length: 0, cannotOpen: true),
      "c": .init(track: 3, length: 3_000),
    ])
    let (a, bad, c) = (harness.run("a"), harness.run("bad"), harness.run("c"))
    harness.load(a, then: bad)
    await harness.wait {
      harness.facts.contains(.failed(bad, PlaybackFailure(.missing, "no bad"), played: false))
    }
    harness.name(after: a, c)
    await harness.wait { harness.isOpened(c) }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(c) }
    expectHeard(heard, [ramp(1, 0..<30_000) + ramp(3, 0..<3_000)])
  }

  @Test("a track that no stream can be made for is said, first or in the middle, and the others are heard")
  func streamIsRefused() async {
    let mono = AudioFormat(rate: 44_100, channels: [.mono])
    let refusal = PlaybackFailure(.tooFewDescriptors, "none left")
    let harness = EngineHarness([
      "bad": .init(track: 1, length: 5_000, format: mono), "a": .init(track: 2, length: 5_000),
      "c": .init(track: 3, length: 5_000),
    ])
    harness.output.refuse(mono, refusal)
    let (first, a, second, c) = (harness.run("bad"), harness.run("a"), harness.run("bad"), harness.run("c"))
    harness.engine.perform(.start(reason: .setRateCalled))
    harness.load(first)
    await harness.wait { harness.facts.contains(.failed(first, refusal, played: false)) }
    harness.load(a, then: second)
    await harness.wait { harness.facts.contains(.failed(second, refusal, played: false)) }
    harness.name(after: a, c)
    await harness.wait { harness.isOpened(c) }
    let heard = await harness.turn { harness.hasEnded(c) }
    expectHeard(heard, [ramp(2, 0..<5_000) + ramp(3, 0..<5_000)])
  }

  @Test("a file that breaks off is said, and plays to where it breaks")
  func breaksOff() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 30_000, breaksAt: 10_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 0..<10_000)])
    #expect(harness.facts.contains(.damaged(a, PlaybackFailure(.corrupt, "broken at 10000"))))
  }

  @Test("a track that opens after it was left does not sound")
  func lateOpening() async {
    let gate = Gate()
    let harness = EngineHarness([
      "slow": .init(track: 1, length: 3_000, gate: gate), "b": .init(track: 2, length: 3_000),
    ])
    let (slow, b) = (harness.run("slow"), harness.run("b"))
    harness.engine.perform(.start(reason: .setRateCalled))
    harness.load(slow)
    harness.load(b)
    await harness.wait { harness.isOpened(b) }
    gate.open()
    let heard = await harness.turn { harness.hasEnded(b) }
    expectHeard(heard, [ramp(2, 0..<3_000)])
    #expect(!harness.isOpened(slow))
  }

  @Test("a lost server holds the position, and a start after it goes on with the next frame")
  func serverLost() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let before = await harness.turn {
      harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false
    }
    harness.output.say(.serverLost)
    await harness.wait { harness.rates.last == .rate(0, .serverLost) }
    #expect(harness.output.streams.first?.isActive == false)
    harness.output.say(.serverRestored(sink: "fake"))
    await harness.wait { harness.facts.contains(.serverRestored) }
    #expect(harness.output.streams.first?.isActive == false)
    harness.engine.perform(.start(reason: .serverRestored))
    let after = await harness.turn { harness.hasEnded(a) }
    let isWhole = (before.first ?? []) + (after.first ?? []) == ramp(1, 0..<96_000)
    #expect(isWhole)
    #expect(harness.rates.contains(.rate(1, .serverRestored)))
  }

  @Test("a pause where no cycle runs still comes about")
  func pauseWithoutCycles() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)], fade: .milliseconds(5))
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.rates == [.rate(1, .setRateCalled)] }
    harness.engine.perform(.pause(reason: .setRateCalled))
    await harness.wait { harness.rates.last == .rate(0, .setRateCalled) }
  }

  @Test("pause and play in quick succession lose no frame")
  func pauseAndPlay() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 48_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.rates == [.rate(1, .setRateCalled)] }
    var heard: [Float] = []
    for _ in 0..<50 {
      heard += harness.output.cycle().flatMap(\.self)
      harness.engine.perform(.pause(reason: .setRateCalled))
      heard += harness.output.cycle().flatMap(\.self)
      harness.engine.perform(.start(reason: .setRateCalled))
      try? await Task.sleep(for: .microseconds(300))
    }
    heard += await harness.turn { harness.hasEnded(a) }.flatMap(\.self)
    expectHeard([heard], [ramp(1, 0..<48_000)])
  }

  @Test("unloading while it sounds fades out and then holds the stream")
  func unloadWhilePlaying() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)], fade: .milliseconds(5))
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await harness.turn { harness.output.streams.first.map { $0.ring.readIndex > 20_000 } ?? false }
    harness.engine.perform(.unload)
    await harness.wait { harness.engine.position.run == nil }
    let tail = await harness.turn { harness.rates.last == .rate(0, .setRateCalled) }
    #expect(tail.first?.count ?? 0 <= 256 * 2 + 2 * 240, "at most one cycle and the fade")
    #expect(harness.output.streams.first?.isActive == false)
    #expect(harness.engine.position == PlaybackPosition(run: nil, time: .zero))
  }

  @Test("closing while it sounds waits for the fade and for nothing else")
  func closeWhilePlaying() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)], fade: .milliseconds(5))
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.rates == [.rate(1, .setRateCalled)] }
    await harness.engine.close()
    #expect(harness.rates.last == .rate(0, .setRateCalled))
    #expect(harness.output.streams.isEmpty)
  }

  @Test("a sink that is there when the server returns ends the loss of the route too")
  func routeBackWithTheServer() async {
    let harness = EngineHarness([:])
    harness.output.say(.routeLost(sink: "fake"))
    harness.output.say(.serverLost)
    harness.output.say(.serverRestored(sink: "other"))
    await harness.wait { harness.facts.count == 4 }
    #expect(
      harness.facts == [
        .routeLost(sink: "fake"), .serverLost, .serverRestored,
        .routeRestored(sink: "other"),
      ])
  }

  @Test("what was on its way when the server went away is played again", arguments: [20_000, 95_000])
  func unheardFrames(place: Int64) async {
    let harness = EngineHarness(["a": .init(track: 1, length: 96_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let before = await harness.turn {
      harness.output.streams.first.map { $0.ring.readIndex > place } ?? false
    }
    harness.output.streams[0].lose(frames: 700)
    harness.output.say(.serverLost)
    harness.output.say(.serverRestored(sink: "fake"))
    await harness.wait { harness.facts.contains(.serverRestored) }
    harness.engine.perform(.start(reason: .serverRestored))
    let after = await harness.turn { harness.hasEnded(a) }
    let isWhole = (before.first ?? []).dropLast(1_400) + (after.first ?? []) == ramp(1, 0..<96_000)[...]
    #expect(isWhole)
  }

  @Test("a pause while the last frames leave the device does not hold the end for ever")
  func pauseWhileDraining() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 1_000)])
    let a = harness.run("a")
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let stream = await harness.firstDrainingStream()
    harness.engine.perform(.pause(reason: .setRateCalled))
    stream.renderSilently()
    await harness.wait { harness.rates.last == .rate(0, .setRateCalled) }
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await harness.turn { harness.hasEnded(a) }
  }

  @Test(
    "at the end the position is the length, whatever the device says is on its way", arguments: [0, 30_000])
  func positionAtTheEnd(start: Int64) async {
    let harness = EngineHarness(["a": .init(track: 1, length: 50_001)])
    let a = harness.run("a")
    harness.load(a, at: .frames(start, rate: 48_000))
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.output.streams.first?.isActive == true }
    harness.output.streams[0].latencyFrames = 700
    _ = await harness.turn { harness.hasEnded(a) }
    #expect(harness.engine.position == PlaybackPosition(run: a, time: .frames(50_001, rate: 48_000)))
  }

  @Test("a server that is back with another sink, or a desktop that chooses another, is told of")
  func sinks() async {
    let harness = EngineHarness([:])
    harness.output.say(.sinkChanged("other"))
    harness.output.say(.serverLost)
    harness.output.say(.serverRestored(sink: "third"))
    await harness.wait { harness.facts.count == 4 }
    #expect(
      harness.facts == [
        .sinkChanged("other"), .serverLost, .serverRestored, .sinkChanged("third"),
      ])
  }
}
