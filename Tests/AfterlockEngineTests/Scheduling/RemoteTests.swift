import AfterlockCore
import AfterlockRealtime
import Testing

@testable import AfterlockEngine

/// In all of them the server stays silent: the gate is never opened.
@Suite("The engine where a server keeps it waiting")
struct RemoteTests {
  private static let name = "http://a"

  /// An engine that plays an address, at the place where its server has gone silent and nothing is left to be heard.
  private func stalled(
    _ file: EngineHarness.File, _ others: [String: EngineHarness.File] = [:]
  ) async -> (EngineHarness, PlaybackRun) {
    var file = file
    let gate = Gate()
    // Two chunks of the decoder come.
    file.stall = (16_000, gate)
    let harness = EngineHarness(others.merging([Self.name: file]) { $1 })
    let a = harness.run(Self.name)
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn {
      gate.hasBeenReached && harness.output.streams[0].ring.readIndex == 16_384
    }
    expectHeard(heard, [ramp(1, 0..<16_384)])
    return (harness, a)
  }

  @Test("what it sends is heard to the last frame")
  func whole() async {
    let harness = EngineHarness([
      Self.name: .init(track: 1, length: 300_001), "b": .init(track: 2, length: 200_000),
      "http://c": .init(track: 3, length: 40_000),
    ])
    let (a, b, c) = (harness.run(Self.name), harness.run("b"), harness.run("http://c"))
    harness.load(a, then: b, c)
    harness.engine.perform(.start(reason: .setRateCalled))
    expectHeard(
      await harness.turn { harness.hasEnded(c) },
      [ramp(1, 0..<300_001) + ramp(2, 0..<200_000) + ramp(3, 0..<40_000)])
    #expect(harness.openings(of: Self.name) == 1)
  }

  @Test("pause, volume and play are carried out")
  func commands() async {
    let (harness, _) = await stalled(.init(track: 1, length: 300_000))
    harness.engine.perform(.setVolume(Volume(percent: 30)))
    await harness.wait { harness.output.volume == Volume(percent: 30) }
    harness.engine.perform(.pause(reason: .setRateCalled))
    _ = await harness.turn { harness.rates.last == .rate(0, .setRateCalled) }
    #expect(!harness.output.streams[0].isActive)
    harness.engine.perform(.start(reason: .setRateCalled))
    // Nothing is there to be heard, so the stream waits.
    harness.engine.perform(.setVolume(Volume(percent: 40)))
    await harness.wait { harness.output.volume == Volume(percent: 40) }
  }

  @Test("a seek leaves the connection that has gone silent, and plays from there")
  func seek() async {
    let (harness, a) = await stalled(.init(track: 1, length: 300_000))
    harness.engine.perform(.seek(a, position: .seconds(5)))
    await harness.wait { harness.facts.contains(.seeked(a, position: .seconds(5))) }
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 240_000..<300_000)])
    #expect(harness.openings(of: Self.name) == 2)
    #expect(!harness.hasFailed(a))
  }

  @Test("seeks in a row land at the last one, and the position is there at once")
  func seeks() async {
    let (harness, a) = await stalled(.init(track: 1, length: 300_000))
    for second in 1...5 { harness.engine.perform(.seek(a, position: .seconds(second))) }
    await harness.wait { harness.engine.position == PlaybackPosition(run: a, time: .seconds(5)) }
    let heard = await harness.turn { harness.hasEnded(a) }
    expectHeard(heard, [ramp(1, 240_000..<300_000)])
  }

  @Test("the next track plays, and the silent connection is closed")
  func next() async {
    let (harness, _) = await stalled(
      .init(track: 1, length: 300_000), ["b": .init(track: 2, length: 5_000)])
    let b = harness.run("b")
    harness.load(b)
    let heard = await harness.turn { harness.hasEnded(b) }
    expectHeard(heard, [ramp(2, 0..<5_000)])
    await harness.wait { harness.openReaders(of: Self.name) == 0 }
  }

  @Test("closing does not wait for the server, and leaves no reader behind")
  func close() async {
    let (harness, _) = await stalled(.init(track: 1, length: 300_000))
    await harness.engine.close()
    #expect(harness.openReaders(of: Self.name) == 0)
  }

  @Test("a seek while all is well keeps the connection, and says where it has landed")
  func idleSeek() async {
    let harness = EngineHarness([Self.name: .init(track: 1, length: 900_000, grain: 1_000)])
    let a = harness.run(Self.name)
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    // Two seconds are ahead and no more are asked for.
    await harness.wait { harness.output.streams.first?.ring.writeIndex == 96_000 }
    harness.engine.perform(.seek(a, position: .frames(300_500, rate: 48_000)))
    await harness.wait { harness.facts.contains(.seeked(a, position: .frames(300_000, rate: 48_000))) }
    #expect(harness.engine.position == PlaybackPosition(run: a, time: .frames(300_000, rate: 48_000)))
    expectHeard(await harness.turn { harness.hasEnded(a) }, [ramp(1, 300_000..<900_000)])
    #expect(harness.openings(of: Self.name) == 1)
  }

  @Test("a track that begins in its middle does so")
  func loadInTheMiddle() async {
    let harness = EngineHarness([Self.name: .init(track: 1, length: 100_000, grain: 1_000)])
    let a = harness.run(Self.name)
    harness.load(a, at: .frames(50_500, rate: 48_000))
    harness.engine.perform(.start(reason: .setRateCalled))
    expectHeard(await harness.turn { harness.hasEnded(a) }, [ramp(1, 50_000..<100_000)])
    #expect(!harness.facts.contains { if case .seeked = $0 { true } else { false } })
  }

  @Test("a seek where the server sends the file from its start only reads on, or again")
  func seekByReading() async {
    let harness = EngineHarness([Self.name: .init(track: 1, length: 900_000, canSeek: false)])
    let a = harness.run(Self.name)
    harness.load(a, at: .seconds(1))
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.output.streams.first?.ring.writeIndex == 96_000 }
    #expect(harness.openings(of: Self.name) == 1)
    harness.engine.perform(.seek(a, position: .seconds(10)))
    await harness.wait { harness.facts.contains(.seeked(a, position: .seconds(10))) }
    await harness.wait { harness.output.streams[0].ring.writeIndex == 2 * 96_000 }
    #expect(harness.openings(of: Self.name) == 1)
    harness.engine.perform(.seek(a, position: .seconds(5)))
    await harness.wait { harness.facts.contains(.seeked(a, position: .seconds(5))) }
    #expect(harness.openings(of: Self.name) == 2)
    expectHeard(await harness.turn { harness.hasEnded(a) }, [ramp(1, 240_000..<900_000)])
    #expect(harness.facts.allSatisfy { if case .damaged = $0 { false } else { true } })
  }

  @Test("a seek in a live stream is refused, and nothing of it is lost")
  func live() async {
    let harness = EngineHarness([Self.name: .init(track: 1, length: 300_000, canSeek: false, isLive: true)])
    let a = harness.run(Self.name)
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    var heard = await harness.turn { harness.output.streams.first.map { $0.ring.readIndex > 9_000 } ?? false }
    harness.engine.perform(.seek(a, position: .seconds(5)))
    heard[0] += (await harness.turn { harness.hasEnded(a) })[0]
    expectHeard(heard, [ramp(1, 0..<300_000)])
    let refusal = harness.facts.compactMap { if case .damaged(a, let failure) = $0 { failure } else { nil } }
    #expect(refusal.map(\.code) == [.unsupported])
  }

  @Test("an address that cannot be opened again is said to have broken off")
  func gone() async {
    let (harness, a) = await stalled(.init(track: 1, length: 300_000, openings: 1))
    harness.engine.perform(.seek(a, position: .seconds(5)))
    await harness.wait {
      harness.facts.contains { if case .failed(a, _, played: true) = $0 { true } else { false } }
    }
  }

  private static let others = [
    AudioFormat(rate: 48_000, channels: [.mono]),
    AudioFormat(rate: 44_100, channels: [.frontLeft, .frontRight]),
  ]

  private static func saysFormat(_ harness: EngineHarness, _ run: PlaybackRun) -> Bool {
    harness.facts.contains {
      guard case .failed(run, let failure, played: true) = $0 else { return false }
      return failure.message.contains("another format")
    }
  }

  @Test(
    "an address that gives another format when it is opened again is left, and says so", arguments: others)
  func otherFormat(_ format: AudioFormat) async {
    let (harness, a) = await stalled(.init(track: 1, length: 300_000, laterFormat: format))
    harness.engine.perform(.seek(a, position: .seconds(5)))
    await harness.wait { Self.saysFormat(harness, a) || harness.output.streams[0].ring.writeIndex > 16_384 }
    #expect(Self.saysFormat(harness, a))
    #expect(harness.openReaders(of: Self.name) == 0)
  }

  @Test("a reader whose format changes on the way is left before its frames are taken", arguments: others)
  func changedFormat(_ format: AudioFormat) async {
    let harness = EngineHarness([Self.name: .init(track: 1, length: 300_000, change: (16_000, format))])
    let a = harness.run(Self.name)
    harness.load(a)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait {
      Self.saysFormat(harness, a) || harness.output.streams.first?.ring.writeIndex ?? 0 > 16_384
    }
    #expect(Self.saysFormat(harness, a))
  }

  @Test("a seek back from a track that was decoded ahead plays both again")
  func backFromTheNext() async {
    let harness = EngineHarness([
      Self.name: .init(track: 1, length: 60_000), "http://b": .init(track: 2, length: 50_000),
    ])
    let (a, b) = (harness.run(Self.name), harness.run("http://b"))
    harness.load(a, then: b)
    harness.engine.perform(.start(reason: .setRateCalled))
    await harness.wait { harness.output.streams.first.map { $0.ring.writeIndex > 60_000 } ?? false }
    harness.engine.perform(.seek(a, position: .frames(48_000, rate: 48_000)))
    await harness.wait { harness.facts.contains(.seeked(a, position: .seconds(1))) }
    expectHeard(
      await harness.turn { harness.hasEnded(b) }, [ramp(1, 48_000..<60_000) + ramp(2, 0..<50_000)])
  }
}
