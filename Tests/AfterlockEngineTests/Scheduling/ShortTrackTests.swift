import AfterlockCore
import AfterlockRealtime
import Synchronization
import Testing

@testable import AfterlockEngine

/// Tracks that are over before a device has made a cycle, and whatever may happen while many of them wait in the ring.
@Suite("The engine with tracks that are shorter than a cycle of the device")
struct ShortTrackTests {
  private static let mono = AudioFormat(rate: 44_100, channels: [.mono])

  /// Files "0", "1", … whose samples say which one they are, as far as a `Float` goes.
  private func files(_ lengths: [Int64]) -> [String: EngineHarness.File] {
    var files: [String: EngineHarness.File] = [:]
    for (number, length) in lengths.enumerated() {
      files[String(number)] = .init(track: number % 8, length: length)
    }
    return files
  }

  private func heard(of lengths: some Sequence<(offset: Int, element: Int64)>) -> [Float] {
    lengths.flatMap { ramp($0.offset % 8, 0..<$0.element) }
  }

  private func harness(_ lengths: [Int64]) -> (EngineHarness, [PlaybackRun]) {
    let harness = EngineHarness(files(lengths))
    return (harness, lengths.indices.map { harness.run(String($0)) })
  }

  private func written(_ harness: EngineHarness) -> Int64? { harness.output.streams.first?.ring.writeIndex }

  /// Turns the device until it has read so many frames, and no further.
  private func turn(_ harness: EngineHarness, to index: Int64) async -> [Float] {
    await harness.turn { harness.output.streams.first.map { $0.ring.readIndex >= index } ?? false }[0]
  }

  @Test("fifty of them join without a frame between, each told of once and in order", arguments: [64, 1_024])
  func joins(quantum: Int) async {
    let lengths = (0..<50).map { [1, 3, 100, 500, 1_000][$0 % 5] as Int64 }
    let (harness, runs) = harness(lengths)
    harness.load(runs[0], then: Array(runs.dropFirst()))
    // All of them wait in the ring before one is heard.
    await harness.wait { harness.joins.last == runs.last }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn(frames: quantum) { harness.hasEnded(runs[49]) }
    expectHeard(heard, [self.heard(of: lengths.enumerated())])
    #expect(harness.gapFrames == 0)
    #expect(harness.progress == runs.map { .started($0) } + [.ended(runs[49])])
    #expect(harness.joins == Array(runs.dropFirst()))
    #expect(harness.openReaders.now <= 2 && harness.openReaders.ever == 50)
  }

  @Test(
    "the first is not heard before those are there that follow it, also where the device runs",
    arguments: [false, true])
  func waitsForOthers(isPlaying: Bool) async {
    let lengths = (0..<40).map { [1, 3, 100][$0 % 3] as Int64 }
    var files = files(lengths)
    files["before"] = .init(track: 7, length: 480_000)
    let harness = EngineHarness(files)
    let runs = lengths.indices.map { harness.run(String($0)) }
    harness.engine.perform(.start(reason: .setRateCalled))
    if isPlaying {
      harness.load(harness.run("before"))
      _ = await harness.turn { harness.output.streams.first.map { $0.ring.readIndex > 1_000 } ?? false }
    }
    harness.load(runs[0], then: Array(runs.dropFirst()))
    // A device that is turned as fast as it goes may outrun the decoding of a long track, until that is left.
    var heard = await harness.turn { harness.isOpened(runs[0]) }.first ?? []
    let gapsBefore = harness.gapFrames
    heard += await harness.turn { harness.hasEnded(runs[39]) }[0]
    let wanted = self.heard(of: lengths.enumerated())
    expectHeard([Array(heard.suffix(wanted.count))], [wanted])
    #expect(harness.gapFrames == gapsBefore)
  }

  @Test("a short one does not wait for ever for one that does not open")
  func stalledSuccessor() async {
    let gate = Gate()
    let harness = EngineHarness([
      "a": .init(track: 1, length: 100), "b": .init(track: 2, length: 100, gate: gate),
    ])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.engine.perform(.start(reason: .setRateCalled))
    harness.load(a, then: b)
    var heard = await harness.turn { harness.hasStarted(a) }[0]
    gate.open()
    heard += await harness.turn { harness.hasEnded(b) }[0]
    expectHeard([heard], [ramp(1, 0..<100) + ramp(2, 0..<100)])
  }

  enum Unknown: CaseIterable { case loaded, joined, failed }

  @Test(
    "one whose successor is not known yet has not ended, and goes on when it is", arguments: Unknown.allCases)
  func unknownSuccessor(kind: Unknown) async {
    let harness = EngineHarness([
      "a": .init(track: 1, length: 100), "b": .init(track: 2, length: 100),
      "bad": .init(track: 3, length: 0, cannotOpen: true),
    ])
    let (a, b, bad, other) = (harness.run("a"), harness.run("b"), harness.run("bad"), harness.run("a"))
    harness.isSilent.store(true, ordering: .releasing)
    harness.engine.perform(.start(reason: .setRateCalled))
    harness.engine.perform(.load(a, position: .zero))
    switch kind {
    case .loaded: break
    case .joined: harness.engine.perform(.setUpcoming(other, after: a))
    case .failed: harness.engine.perform(.setUpcoming(bad, after: a))
    }
    let last = kind == .joined ? other : a
    var heard = await harness.turn { harness.hasStarted(last) }[0]
    for _ in 0..<200 {
      heard += harness.output.cycle().flatMap(\.self)
      try? await Task.sleep(for: .microseconds(100))
    }
    let isDraining = harness.output.streams.contains { $0.isDraining }
    #expect(!isDraining && harness.progress.allSatisfy { if case .ended = $0 { false } else { true } })
    harness.isSilent.store(false, ordering: .releasing)
    harness.name(after: last, b)
    heard += await harness.turn { harness.hasEnded(b) }[0]
    let first = ramp(1, 0..<100)
    expectHeard([heard], [first + (kind == .joined ? first : []) + ramp(2, 0..<100)])
    #expect(harness.rates == [.rate(1, .setRateCalled), .rate(0, .endOfQueue)])
  }

  @Test("a seek in the one that is heard plays all that follow once more, joined anew")
  func seekBeforeMany() async {
    let lengths: [Int64] = [30_000, 100, 3, 9_000, 1]
    let (harness, runs) = harness(lengths)
    harness.load(runs[0], then: Array(runs.dropFirst()))
    await harness.wait { harness.joins.last == runs.last }
    harness.engine.perform(.seek(runs[0], position: .milliseconds(500)))
    await harness.wait { harness.joins.filter { $0 == runs[4] }.count == 2 }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(runs[4]) }
    expectHeard(heard, [ramp(0, 24_000..<30_000) + self.heard(of: Array(lengths.enumerated().dropFirst()))])
    #expect(harness.gapFrames == 0)
    #expect(harness.joins.filter { $0 == runs[1] }.count == 2)
  }

  @Test("a seek in one that had been read to its end before it was heard opens it again")
  func seekInRead() async {
    let lengths: [Int64] = [100, 48_000, 500]
    let (harness, runs) = harness(lengths)
    harness.load(runs[0], then: Array(runs.dropFirst()))
    await harness.wait { harness.joins.last == runs.last }
    harness.engine.perform(.start(reason: .setRateCalled))
    var heard = await turn(harness, to: 200)
    await harness.wait { harness.hasStarted(runs[1]) }
    #expect(harness.openReaders.now <= 1)
    harness.engine.perform(.seek(runs[1], position: .milliseconds(500)))
    await harness.wait { harness.facts.contains(.seeked(runs[1], position: .milliseconds(500))) }
    heard += await harness.turn { harness.hasEnded(runs[2]) }[0]
    let tail = ramp(1, 24_000..<48_000) + ramp(2, 0..<500)
    expectHeard([Array(heard.suffix(tail.count))], [tail])
    #expect(harness.progress == runs.map { .started($0) } + [.ended(runs[2])])
  }

  @Test("a seek in one that had been read to its end and is gone by now breaks it off")
  func seekInGone() async {
    let harness = EngineHarness([
      "a": .init(track: 1, length: 100), "b": .init(track: 2, length: 48_000, openings: 1),
    ])
    let (a, b) = (harness.run("a"), harness.run("b"))
    harness.load(a, then: b)
    await harness.wait { harness.openReaders.ever == 2 && harness.openReaders.now == 1 }
    harness.engine.perform(.start(reason: .setRateCalled))
    _ = await turn(harness, to: 200)
    await harness.wait { harness.hasStarted(b) }
    harness.engine.perform(.seek(b, position: .milliseconds(500)))
    await harness.wait {
      harness.facts.contains(.failed(b, PlaybackFailure(.missing, "no b"), played: true))
    }
  }

  @Test("another choice in the middle of what is written keeps what stands before it")
  func otherChoice() async {
    let lengths: [Int64] = [20_000, 100, 3, 500, 700, 200]
    let (harness, runs) = harness(lengths)
    harness.load(runs[0], then: Array(runs[1...3]))
    await harness.wait { harness.joins.last == runs[3] }
    harness.name(after: runs[1], runs[4])
    await harness.wait { harness.joins.last == runs[4] }
    // And once more, further ahead than the first time.
    harness.name(after: runs[4], runs[5])
    await harness.wait { harness.joins.last == runs[5] }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(runs[5]) }
    expectHeard(heard, [[0, 1, 4, 5].flatMap { ramp($0, 0..<lengths[$0]) }])
    #expect(harness.gapFrames == 0)
  }

  @Test("a change of mind takes as much room as it gives back, however often it comes")
  func manyChoices() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 20_000), "b": .init(track: 2, length: 70_000)])
    let a = harness.run("a")
    harness.load(a)
    var last = a
    for _ in 0..<20 {
      last = harness.run("b")
      harness.name(after: a, last)
      await harness.wait { harness.joins.last == last && written(harness) == 90_000 }
    }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(last) }
    expectHeard(heard, [ramp(1, 0..<20_000) + ramp(2, 0..<70_000)])
    #expect(harness.gapFrames == 0)
  }

  @Test("a choice for what follows a run that is over comes too late and changes nothing")
  func lateChoice() async {
    let lengths: [Int64] = [100, 20_000, 300, 400]
    let (harness, runs) = harness(lengths)
    harness.load(runs[0], then: Array(runs[1...2]))
    await harness.wait { harness.joins.last == runs[2] }
    harness.engine.perform(.start(reason: .setRateCalled))
    var heard = await turn(harness, to: 200)
    await harness.wait { harness.hasStarted(runs[1]) }
    harness.engine.perform(.setUpcoming(runs[3], after: runs[0]))
    heard += await harness.turn { harness.hasEnded(runs[2]) }[0]
    expectHeard([heard], [(0...2).flatMap { ramp($0, 0..<lengths[$0]) }])
  }

  @Test("one that does not open and one without a frame are named, and their places close up")
  func badOnes() async {
    let harness = EngineHarness([
      "a": .init(track: 1, length: 100), "bad": .init(track: 2, length: 0, cannotOpen: true),
      "none": .init(track: 2, length: 0), "b": .init(track: 3, length: 5), "c": .init(track: 4, length: 100),
    ])
    let (a, bad, b, none, c) = (
      harness.run("a"), harness.run("bad"), harness.run("b"), harness.run("none"), harness.run("c")
    )
    harness.load(a, then: bad)
    await harness.wait { harness.hasFailed(bad) }
    harness.name(after: a, b, none)
    await harness.wait { harness.hasFailed(none) }
    harness.name(after: b, c)
    await harness.wait { harness.joins.last == c }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(c) }
    expectHeard(heard, [ramp(1, 0..<100) + ramp(3, 0..<5) + ramp(4, 0..<100)])
    #expect(harness.gapFrames == 0 && harness.progress == [.started(a), .started(b), .started(c), .ended(c)])
  }

  @Test("formats that change with every track come whole and in order, on no more streams than there may be")
  func changingFormats() async {
    var files = files([1, 100, 3, 700, 1, 1, 500, 20])
    for name in ["1", "3", "4", "7"] { files[name]?.format = Self.mono }
    let harness = EngineHarness(files)
    let runs = (0..<8).map { harness.run(String($0)) }
    harness.load(runs[0], then: Array(runs.dropFirst()))
    await harness.wait { harness.output.streams.count == DecodingEngine.mostLanes }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(runs[7]) }
    // Mono, 3 and 4 share a stream; stereo, 5 and 6 do.
    expectHeard(
      heard,
      [
        ramp(0, 0..<1), ramp(1, 0..<100, channels: 1), ramp(2, 0..<3),
        ramp(3, 0..<700, channels: 1) + ramp(4, 0..<1, channels: 1), ramp(5, 0..<1) + ramp(6, 0..<500),
        ramp(7, 0..<20, channels: 1),
      ])
    #expect(harness.progress == runs.map { .started($0) } + [.ended(runs[7])])
  }

  @Test("another choice among tracks of one format lets go of the streams behind them")
  func otherChoiceBeforeOtherFormats() async {
    var files = files([500, 100, 3, 700, 900])
    files["2"]?.format = Self.mono
    let harness = EngineHarness(files)
    let runs = (0..<5).map { harness.run(String($0)) }
    harness.load(runs[0], then: Array(runs[1...3]))
    await harness.wait { harness.joins.last == runs[3] }
    harness.name(after: runs[0], runs[4])
    await harness.wait { harness.joins.last == runs[4] }
    // What is said again changes nothing.
    harness.name(after: runs[0], runs[4])
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(runs[4]) }
    expectHeard([heard[0]], [ramp(0, 0..<500) + ramp(4, 0..<900)])
    #expect(heard.dropFirst().flatMap { $0 }.isEmpty)
    #expect(harness.joins.filter { $0 == runs[4] }.count == 1)
  }

  @Test("another choice before a change of format lets go of the streams behind it")
  func otherChoiceBeforeFormat() async {
    var files = files([500, 100, 3, 700])
    for name in ["1", "2"] { files[name]?.format = Self.mono }
    let harness = EngineHarness(files)
    let runs = (0..<4).map { harness.run(String($0)) }
    harness.load(runs[0], then: Array(runs[1...2]))
    await harness.wait { harness.joins.last == runs[2] }
    harness.name(after: runs[1], runs[3])
    await harness.wait { harness.joins.last == runs[3] }
    harness.name(after: runs[0], runs[3])
    await harness.wait { written(harness) == 1_200 }
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.hasEnded(runs[3]) }
    expectHeard([heard[0]], [ramp(0, 0..<500) + ramp(3, 0..<700)])
    #expect(heard.dropFirst().flatMap { $0 }.isEmpty)
  }

  @Test("a loop of a single frame goes ahead so far and no further, and leaves no file open")
  func endlessLoop() async {
    let harness = EngineHarness(["a": .init(track: 1, length: 1)])
    harness.isLooping.store(true, ordering: .releasing)
    harness.load(harness.run("a"))
    await harness.wait { written(harness) == 1_024 }
    #expect(harness.openReaders.now <= 3)
    harness.engine.perform(.start(reason: .setRateCalled))
    let heard = await harness.turn { harness.openReaders.ever > 3_000 }[0]
    let isWhole = heard.allSatisfy { $0 == FakeReader.sample(track: 1, frame: 0) }
    #expect(isWhole)
    #expect(harness.openReaders.ever - heard.count / 2 <= 1_100, "it goes on ahead of what was heard")
    harness.engine.perform(.unload)
    await harness.wait { harness.openReaders.now == 0 }
  }

  @Test("a lost server takes none of them along")
  func serverLost() async {
    let lengths = (0..<40).map { _ in 500 as Int64 }
    let (harness, runs) = harness(lengths)
    harness.load(runs[0], then: Array(runs.dropFirst()))
    harness.engine.perform(.start(reason: .setRateCalled))
    let before = await turn(harness, to: 5_000)
    harness.output.streams[0].lose(frames: 1_400)
    harness.output.say(.serverLost)
    harness.output.say(.serverRestored(sink: "fake"))
    await harness.wait { harness.facts.contains(.serverRestored) }
    harness.engine.perform(.start(reason: .serverRestored))
    let after = await harness.turn { harness.hasEnded(runs[39]) }[0]
    expectHeard([before.dropLast(2_800) + after], [heard(of: lengths.enumerated())])
  }
}
