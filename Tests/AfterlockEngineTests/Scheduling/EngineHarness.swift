import AfterlockCore
import AfterlockEngine
import AfterlockRealtime
import Glibc
import Synchronization
import Testing

/// An engine with fake readers and a device that is turned by hand.
///
/// A file whose name begins with "http" comes from a server.
final class EngineHarness: Sendable {
  enum Report: Equatable {
    case fact(EngineFact)
    case rate(Double, RateChangeReason)
  }

  /// One fake file: its name is its location.
  struct File: Sendable {
    var track: Int
    var length: Int64
    var format = AudioFormat(rate: 48_000, channels: [.frontLeft, .frontRight])
    var breaksAt: Int64?
    var cannotOpen = false
    /// Opening waits until the test lets it go on.
    var gate: Gate?
    /// Reading behind this frame waits until the test lets it go on, or it is broken off; only where the file is opened
    /// for the first time.
    var stall: (frame: Int64, gate: Gate)?
    /// A seek lands on a multiple of this.
    var grain: Int64 = 1
    var canSeek = true
    /// Its length is not known.
    var isLive = false
    /// What it decodes to where it is opened again.
    var laterFormat: AudioFormat?
    /// From that frame on it has another format.
    var change: (frame: Int64, format: AudioFormat)?
    /// How often it can be opened.
    var openings = Int.max
  }

  let output = FakeOutput()
  let engine: DecodingEngine
  private let reports: Mutex<[Report]>
  private let openings: Counts
  private let names = Mutex<UInt64>(0)
  /// What follows which run, by its number; nothing follows the others.
  private let followers = Mutex<[UInt64: PlaybackRun]>([:])

  init(_ files: [String: File], fade: Duration = .zero) {
    let box = Box()
    let openings = Counts()
    self.openings = openings
    reports = Mutex([])
    engine = DecodingEngine(
      output: output, fade: fade,
      opener: { location, interrupter throws(PlaybackFailure) in
        let name = location.display
        guard let file = files[name], !file.cannotOpen, openings.opened(name) <= file.openings else {
          throw PlaybackFailure(.missing, "no \(name)")
        }
        file.gate?.wait()
        let isFirst = openings.count(name) == 1
        return FakeReader(
          track: file.track, length: file.length,
          format: isFirst ? file.format : file.laterFormat ?? file.format, breaksAt: file.breaksAt,
          stall: isFirst ? file.stall : nil, grain: file.grain, canSeek: file.canSeek, isLive: file.isLive,
          change: file.change,
          interrupter: interrupter, closed: { openings.closed(name) })
      },
      reports: .init(
        fact: { box.harness?.add(.fact($0)) },
        rateChange: { rate, reason, _ in box.harness?.add(.rate(rate, reason)) }))
    box.harness = self
    engine.connect()
  }

  /// How often each file was opened, and closed.
  private final class Counts: Sendable {
    private let counts = Mutex<[String: (opened: Int, closed: Int)]>([:])
    func opened(_ name: String) -> Int {
      counts.withLock { counts in
        counts[name, default: (0, 0)].opened += 1
        return counts[name]?.opened ?? 0
      }
    }
    func closed(_ name: String) { counts.withLock { $0[name, default: (0, 0)].closed += 1 } }
    func count(_ name: String) -> Int { counts.withLock { $0[name]?.opened ?? 0 } }
    var all: (opened: Int, closed: Int) {
      counts.withLock { counts in counts.values.reduce((0, 0)) { ($0.0 + $1.opened, $0.1 + $1.closed) } }
    }
    func open(_ name: String) -> Int { counts.withLock { $0[name].map { $0.opened - $0.closed } ?? 0 } }
  }

  /// How often a file was opened.
  func openings(of name: String) -> Int { openings.count(name) }
  /// Readers that are open, and all that were ever opened.
  var openReaders: (now: Int, ever: Int) {
    let all = openings.all
    return (all.opened - all.closed, all.opened)
  }
  /// Readers of a file that are open.
  func openReaders(of name: String) -> Int { openings.open(name) }

  // Safe because it is set once in init, before the engine is given its first command.
  private final class Box: @unchecked Sendable {
    weak var harness: EngineHarness?
  }

  /// The sink that is there from the start is no news.
  private func add(_ report: Report) {
    if report != .fact(.sinkChanged(FakeOutput.sink)) { reports.withLock { $0.append(report) } }
    guard case .fact(.joined(let run)) = report, !isSilent.load(ordering: .acquiring) else { return }
    nameFollower(of: run)
  }

  /// Whether joins are left without an answer.
  let isSilent = Atomic<Bool>(false)

  private func nameFollower(of run: PlaybackRun) {
    let planned = followers.withLock { $0[run.id] }
    let follower = isLooping.load(ordering: .acquiring) ? again(run) : planned
    engine.perform(.setUpcoming(follower, after: run))
  }

  /// Whether each run is followed by itself.
  let isLooping = Atomic<Bool>(false)

  private func again(_ run: PlaybackRun) -> PlaybackRun {
    PlaybackRun(id: self.run("").id, entry: run.entry)
  }

  /// Loads `run`, says what follows it, and answers each join from `runs`.
  func load(_ run: PlaybackRun, at position: Duration = .zero, then runs: PlaybackRun...) {
    load(run, at: position, then: runs)
  }

  func load(_ run: PlaybackRun, at position: Duration = .zero, then runs: [PlaybackRun]) {
    plan(after: run, runs)
    engine.perform(.load(run, position: position))
    nameFollower(of: run)
  }

  /// Says what follows `run` now, with no word of it to the engine yet.
  func plan(after run: PlaybackRun, _ runs: [PlaybackRun]) {
    followers.withLock { followers in
      for (before, next) in zip([run] + runs, runs) { followers[before.id] = next }
      followers[(runs.last ?? run).id] = nil
    }
  }

  /// Another choice for what follows `run`, and it comes to the engine.
  func name(after run: PlaybackRun, _ runs: PlaybackRun...) {
    plan(after: run, runs)
    nameFollower(of: run)
  }

  var reported: [Report] { reports.withLock { $0 } }
  var facts: [EngineFact] {
    reported.compactMap { if case .fact(let fact) = $0 { fact } else { nil } }
  }
  /// What was heard of the runs: which began and ended.
  var progress: [EngineFact] {
    facts.filter {
      switch $0 {
      case .started, .ended: true
      default: false
      }
    }
  }
  var joins: [PlaybackRun] {
    facts.compactMap { if case .joined(let run) = $0 { run } else { nil } }
  }
  var rates: [Report] {
    reported.filter { if case .rate = $0 { true } else { false } }
  }

  func run(_ name: String) -> PlaybackRun {
    let id = names.withLock { id in
      id += 1
      return id
    }
    let location = name.hasPrefix("http") ? MediaLocation.url(name) : .file(MediaPath(name))
    return PlaybackRun(id: id, entry: QueueEntry(id: TrackID(rawValue: id), location: location))
  }

  /// Turns the device until `condition` holds, and gives all that was rendered, stream by stream in order of their making.
  func turn(
    frames: Int = 256, until condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [[Float]] {
    var heard: [[Float]] = []
    let limit = ContinuousClock.now + .seconds(120)
    while !condition() {
      guard ContinuousClock.now < limit else {
        Issue.record("never came about; reported: \(reported)", sourceLocation: sourceLocation)
        break
      }
      let cycle = output.cycle(frames: frames)
      for (stream, samples) in cycle.enumerated() {
        if stream == heard.count { heard.append([]) }
        heard[stream] += samples
      }
      // Nothing was there to render: let the engine come to its turn.
      if cycle.allSatisfy(\.isEmpty) { try? await Task.sleep(for: .microseconds(200)) }
    }
    return heard
  }

  /// Waits, without turning the device.
  func wait(until condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
    let limit = ContinuousClock.now + .seconds(120)
    while !condition() {
      guard ContinuousClock.now < limit else {
        Issue.record("never came about; reported: \(reported)", sourceLocation: sourceLocation)
        return
      }
      try? await Task.sleep(for: .microseconds(200))
    }
  }

  /// Turns the device until all has been read and the engine waits for the drain.
  func firstDrainingStream() async -> FakeStream {
    await wait { !output.streams.isEmpty && output.streams[0].isActive }
    let stream = output.streams[0]
    await wait {
      if !stream.isDraining { stream.renderSilently() }
      return stream.isDraining
    }
    return stream
  }

  /// Frames of silence in the middle of what was heard.
  var gapFrames: Int64 { output.streams.reduce(0) { $0 + $1.ring.underrunFrames } }
  func hasEnded(_ run: PlaybackRun) -> Bool { facts.contains(.ended(run)) }
  func hasStarted(_ run: PlaybackRun) -> Bool { facts.contains(.started(run)) }
  func hasFailed(_ run: PlaybackRun) -> Bool {
    facts.contains { if case .failed(run, _, played: false) = $0 { true } else { false } }
  }
  func isOpened(_ run: PlaybackRun) -> Bool {
    facts.contains { if case .opened(run, _) = $0 { true } else { false } }
  }
}

/// Holds a thread until it is opened.
final class Gate: Sendable {
  private let isOpen = Atomic<Bool>(false)
  private let isReached = Atomic<Bool>(false)
  /// Somebody has come to it.
  var hasBeenReached: Bool { isReached.load(ordering: .acquiring) }
  func open() { isOpen.store(true, ordering: .releasing) }
  func wait(unless isOver: () -> Bool = { false }) {
    isReached.store(true, ordering: .releasing)
    while !isOpen.load(ordering: .acquiring), !isOver() { _ = poll(nil, 0, 1) }
  }
}

/// The samples of `range` of a fake track in stereo.
func ramp(_ track: Int, _ range: Range<Int64>, channels: Int = 2) -> [Float] {
  range.flatMap { [Float](repeating: FakeReader.sample(track: track, frame: $0), count: channels) }
}

/// Compares what was heard and says where it first differs; a difference of two such arrays would take minutes to print.
func expectHeard(
  _ heard: [[Float]], _ expected: [[Float]], sourceLocation: SourceLocation = #_sourceLocation
) {
  guard heard != expected else { return }
  guard heard.count == expected.count else {
    Issue.record("\(heard.count) streams, not \(expected.count)", sourceLocation: sourceLocation)
    return
  }
  for (stream, (samples, wanted)) in zip(heard, expected).enumerated() where samples != wanted {
    let place = zip(samples, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    Issue.record(
      """
      stream \(stream): \(samples.count) samples, not \(wanted.count); \
      \(place.map { "differs at sample \($0)" } ?? "equal as far as both go")
      """, sourceLocation: sourceLocation)
  }
}
