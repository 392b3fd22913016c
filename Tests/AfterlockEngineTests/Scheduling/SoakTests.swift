import AfterlockCore
import AfterlockRealtime
import Foundation
import Testing

@testable import AfterlockEngine

@Suite("A player in careless hands")
struct SoakTests {
  /// `AFTERLOCK_SOAK_SEEDS=1000` runs more, `AFTERLOCK_SOAK_SEED=7` that one alone.
  static var seeds: [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["AFTERLOCK_SOAK_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(1...(environment["AFTERLOCK_SOAK_SEEDS"].flatMap(UInt64.init) ?? 40))
  }

  @Test("plays whole what is left of the queue once the hands are off, and ends", arguments: 0..<4)
  func endsWhole(lane: UInt64) async {
    for seed in Self.seeds where seed % 4 == lane { await endsWhole(seed: seed) }
  }

  private func endsWhole(seed: UInt64) async {
    let soak = Soak(seed: seed)
    await soak.fill()
    for _ in 0..<60 { await soak.step() }
    await soak.calmDown()
    if let heard = await soak.playToTheEnd() {
      for (place, stretch) in heard.enumerated() {
        // The first one goes on from where it stood.
        guard stretch.upTo != Soak.length(of: stretch.track) || place > 0 && stretch.from > 0 else {
          continue
        }
        Issue.record("seed \(seed): \(stretch) is not whole\nheard: \(heard)\n\(await soak.timeline())")
      }
    } else {
      Issue.record("seed \(seed): hangs\n\(await soak.timeline())")
    }
    await soak.close()
  }
}

/// Consecutive frames of one track.
struct Stretch: Equatable {
  var track: Int
  var from: Int64
  var upTo: Int64
}

/// A coordinator, an engine, fake files and a device turned by hand, and a seeded pair of hands on all of it.
final class Soak {
  private static let stereo = AudioFormat(rate: 48_000, channels: [.frontLeft, .frontRight])
  private static let mono = AudioFormat(rate: 44_100, channels: [.mono])
  private static let files: [String: EngineHarness.File] = [
    "none": .init(track: -1, length: 0),
    "tiny": .init(track: 0, length: 7),
    "one": .init(track: 1, length: 1),
    "short": .init(track: 2, length: 255),
    "middle": .init(track: 3, length: 30_000),
    "long": .init(track: 4, length: 300_000),
    "oneMono": .init(track: 5, length: 1, format: mono),
    "middleMono": .init(track: 6, length: 20_000, format: mono),
    "shortMono": .init(track: 7, length: 900, format: mono),
    "noneMono": .init(track: -1, length: 0, format: mono),
    "bad": .init(track: -1, length: 9, cannotOpen: true),
  ]

  private var generator: SeededGenerator
  private let output = FakeOutput()
  private let coordinator: PlaybackCoordinator
  private let engine: DecodingEngine
  private var hasServer = true
  private var hasSink = true
  private var actions: [String] = []
  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    let output = output
    let relay = Relay()
    coordinator = PlaybackCoordinator(
      on: .main, queue: PlaybackQueue(generator: SeededGenerator(seed: seed))
    ) { report in
      let engine = DecodingEngine(
        output: output, fade: .zero,
        opener: { location, interrupter throws(PlaybackFailure) in
          guard let file = Soak.files[location.display.replacing("http://", with: "")], !file.cannotOpen
          else {
            throw PlaybackFailure(.missing, "no \(location.display)")
          }
          return FakeReader(
            track: file.track, length: file.length, format: file.format, interrupter: interrupter)
        },
        reports: .init(fact: report) { rate, reason, run in
          relay.coordinator?.report(RateChange(rate: rate, reason: reason, runID: run?.id))
        })
      engine.connect()
      relay.engine = engine
      return engine
    }
    relay.coordinator = coordinator
    engine = relay.engine!
  }

  // Safe because it is set once in init, before the engine is given its first command.
  private final class Relay: @unchecked Sendable {
    weak var coordinator: PlaybackCoordinator?
    var engine: DecodingEngine?
  }

  func close() async { await engine.close() }

  private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  static func length(of track: Int) -> Int64 { files.values.first { $0.track == track }?.length ?? 0 }

  func fill() async {
    // A queue of anything, or a long one of what is over before it is heard.
    let isShort = number(0..<2) == 0
    let names = isShort ? ["none", "one", "short", "tiny", "tiny", "bad"] : Soak.files.keys.sorted()
    let items = (0..<number(isShort ? 2..<80 : 2..<12)).map { _ in
      let name = names[number(0..<names.count)]
      return QueueItem(
        location: number(0..<3) == 0 ? .url("http://" + name) : .file(MediaPath(name)))
    }
    actions.append("queue: " + items.map(\.location.display).joined(separator: " "))
    await coordinator.open(items)
  }

  func step() async {
    let action = number(0..<15)
    switch action {
    case 0: send(.next)
    case 1: send(.previous)
    case 2: send(.togglePlayPause)
    case 3: send(.setLoopMode(LoopMode.allCases[number(0..<3)]))
    case 4: send(.setShuffled(number(0..<2) == 0))
    case 5: send(.seekBy(.milliseconds(number(-3_000..<3_000))))
    case 6: send(.seek(to: .milliseconds(number(0..<7_000)), in: nil))
    case 7: send(.seekBy(.seconds(5)))
    case 8: send(.play)
    case 9 where number(0..<3) == 0: turnServer()
    case 10 where number(0..<3) == 0: turnSink()
    case 11: send(number(0..<20) == 0 ? .stop : .play)
    default: break
    }
    let cycles = number(0..<4) == 0 ? number(0..<400) : number(0..<12)
    for _ in 0..<cycles { _ = output.cycle(frames: 256) }
    // Bursts are as interesting as pauses.
    if number(0..<2) == 0 { try? await Task.sleep(for: .microseconds(number(0..<1_500))) }
  }

  private func send(_ command: PlayerCommand) {
    actions.append("\(command)")
    coordinator.send(command, origin: .viewer)
  }

  private func turnServer() {
    hasServer.toggle()
    actions.append("server \(hasServer)")
    if !hasServer { for stream in output.streams { stream.setActive(false) } }
    output.say(hasServer ? .serverRestored(sink: hasSink ? "fake" : nil) : .serverLost)
  }

  private func turnSink() {
    hasSink.toggle()
    actions.append("sink \(hasSink)")
    if hasServer { output.say(hasSink ? .routeRestored(sink: "fake") : .routeLost(sink: "fake")) }
  }

  /// All is there, nothing loops, and everything that was asked for has been done.
  func calmDown() async {
    if !hasServer { turnServer() }
    if !hasSink { turnSink() }
    send(.setLoopMode(.none))
    send(.setShuffled(false))
    send(.pause)
    // On a busy machine what was asked for takes its time.
    var last = await coordinator.snapshot
    var quiet = 0
    let limit = ContinuousClock.now + .seconds(120)
    while quiet < 40 {
      guard ContinuousClock.now < limit else {
        Issue.record("seed \(seed): never quiet")
        break
      }
      _ = output.cycle(frames: 16)
      try? await Task.sleep(for: .milliseconds(1))
      let now = await coordinator.snapshot
      // The engine has come to its turn, too.
      _ = await engine.rate
      quiet = now == last ? quiet + 1 : 0
      last = now
    }
    send(.play)
  }

  /// What was heard to the end of the queue; `nil` when it does not come.
  func playToTheEnd() async -> [Stretch]? {
    var heard: [Stretch] = []
    let limit = ContinuousClock.now + .seconds(20)
    while await coordinator.snapshot.state != .ended {
      guard ContinuousClock.now < limit else { return nil }
      let streams = output.streams
      let cycles = streams.map { $0.cycle(frames: 256) }
      for (stream, samples) in zip(streams, cycles) {
        let channels = stream.format.channelCount
        for index in stride(from: 0, to: samples.count, by: channels) { add(samples[index], to: &heard) }
      }
      if cycles.allSatisfy(\.isEmpty) { try? await Task.sleep(for: .microseconds(100)) }
    }
    return heard
  }

  private func add(_ sample: Float, to heard: inout [Stretch]) {
    let track = Int(sample)
    let frame = Int64((sample - Float(track)) * 1_048_576)
    if let last = heard.last, last.track == track, last.upTo == frame {
      heard[heard.count - 1].upTo += 1
    } else {
      heard.append(Stretch(track: track, from: frame, upTo: frame + 1))
    }
  }

  func timeline() async -> String {
    let snapshot = await coordinator.snapshot
    let streams = output.streams.suffix(3).map { stream in
      let ring = stream.ring
      return """
        \(stream.format), active \(stream.isActive), draining \(stream.isDraining), held \(ring.isHeld), \
        read \(ring.readIndex) of \(ring.writeIndex), end \(ring.endIndex.map(String.init) ?? "-")
        """
    }
    return """
      \(actions.joined(separator: "\n"))
      state \(snapshot.state), suppression \(snapshot.suppression), entry \(snapshot.entry?.location.display ?? "-")
      \(streams.joined(separator: "\n"))
      again: AFTERLOCK_SOAK_SEED=\(seed) swift test --filter SoakTests
      """
  }
}
