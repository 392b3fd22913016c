import Afterlock
import AfterlockCore
import AfterlockEngine
import AfterlockScenarios
import Synchronization

/// The phone's player over the product's real engine and a real PipeWire: the app's commands go to the engine, and the
/// platform's hands on it go behind the app's back.
///
/// What the engine tells waits here until the phone delivers it, as real notifications on the platform's threads.
///
/// Called on: any thread; used by one at a time.
final class LivePlayer: PlatformPlayer {
  private struct State {
    var refusesStart = false
    var isSilenced = false
    var isDead = false
  }
  private let state = Mutex(State())
  private let box: ReportBox
  private let told: EngineWords
  private let output: SilencedOutput
  private let sound: PlayerSound
  private let clock: LiveClock
  private let lengths: [MediaLocation: Duration]

  /// Wires it and begins to connect.
  /// - Parameters:
  ///   - items: what can be played, in the order of the queue, with the file of each.
  ///   - configuration: where it sounds.
  init(
    items: [(item: ScenarioItem, file: MediaPath)], _ configuration: Player.Configuration, clock: LiveClock
  ) {
    let files = Dictionary(
      uniqueKeysWithValues: items.enumerated().map { (ScenarioItem.location($0), $1.file) })
    lengths = Dictionary(
      uniqueKeysWithValues: items.enumerated().map { (ScenarioItem.location($0), $1.item.duration) })
    let box = ReportBox()
    let told = EngineWords()
    output = SilencedOutput(PipeWireOutput(configuration.pipeWire))
    sound = PlayerSound(
      output: output, fade: configuration.fade,
      opener: { location, interrupter throws(PlaybackFailure) in
        guard let file = files[location] else {
          throw PlaybackFailure(.missing, "The scenario has no such item.")
        }
        return try MediaOpener.open(.file(file), interrupter: interrupter)
      },
      reports: .init(
        fact: { fact in
          guard fact.isOfItem else { return }
          box.add(.fact(fact))
          if let report = told.take(fact) { box.add(report) }
        },
        rateChange: { rate, reason, run in
          told.rate = rate
          let report = PlatformReport.rate(rate, reason, runID: run?.id)
          if reason == .endOfQueue { told.keep(report) } else { box.add(report) }
        }))
    self.box = box
    self.told = told
    self.clock = clock
    sound.connect()
  }

  /// Waits until the sound server has answered.
  func isConnected(within limit: Duration) async -> Bool { await sound.isConnected(within: limit) }

  /// Waits until the first item is open, so that a Play is heard at once.
  func isReady(within limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    while !told.hasOpened, ContinuousClock.now < deadline {
      await box.wait(atMost: deadline - .now)
    }
  }

  /// Ends the sound and lets go of the server.
  func close() async { await sound.engine.close() }

  // MARK: The app's side

  func perform(_ command: EngineCommand) {
    let (isDead, refusesStart) = state.withLock { ($0.isDead, $0.refusesStart) }
    guard !isDead else { return }
    if case .start = command, refusesStart {
      box.add(.rate(0, .setRateFailed, runID: position.run?.id))
    } else {
      sound.engine.perform(command)
    }
  }

  var position: PlaybackPosition { sound.engine.position }

  // MARK: The platform's side

  func pauseBySystem(reason: RateChangeReason) { sound.engine.perform(.pause(reason: reason)) }

  func setSilenced(_ isSilenced: Bool) {
    state.withLock { $0.isSilenced = isSilenced }
    output.setSilenced(isSilenced)
  }

  func setRefusesStart(_ refuses: Bool) { state.withLock { $0.refusesStart = refuses } }

  func die() {
    state.withLock { $0.isDead = true }
    sound.engine.perform(.pause(reason: .setRateCalled))
  }

  func renew() { state.withLock { $0.isDead = false } }

  func failItem() { output.breakOff("The item broke off, as the scenario says.") }

  func endItem() {
    guard let run = position.run, let length = lengths[run.entry.location] else { return }
    sound.engine.perform(.seek(run, position: length))
  }

  func takeReports() async -> [PlatformReport] {
    await sound.engine.settle()
    let reports = box.takeAll()
    return state.withLock(\.isDead) ? [] : reports
  }

  func advance(to time: Duration) async -> Duration {
    let left = time - clock.now
    if left > .zero { await box.wait(atMost: left) }
    return min(clock.now, time)
  }

  var rate: Double { told.rate }

  /// As far as the player knows; what is heard, the captured sink says.
  var isSounding: Bool { rate != 0 && position.run != nil && !state.withLock(\.isSilenced) }
}

/// What the engine has said of itself so far.
private final class EngineWords: Sendable {
  private struct State {
    var rate = 0.0
    var hasOpened = false
    var kept: PlatformReport?
  }
  private let state = Mutex(State())

  /// The rate that it told of last.
  var rate: Double {
    get { state.withLock(\.rate) }
    set { state.withLock { $0.rate = newValue } }
  }

  /// Whether an item was opened, or could not be.
  var hasOpened: Bool { state.withLock(\.hasOpened) }

  /// The engine holds itself where nothing follows, and then tells of the end. A phone tells of the end first, and then of
  /// the rate.
  func keep(_ report: PlatformReport) { state.withLock { $0.kept = report } }

  /// - Returns: what was kept until this fact.
  func take(_ fact: EngineFact) -> PlatformReport? {
    state.withLock { state in
      switch fact {
      case .opened, .failed: state.hasOpened = true
      case .ended:
        defer { state.kept = nil }
        return state.kept
      default: break
      }
      return nil
    }
  }
}

extension EngineFact {
  /// Whether it tells of an item: a phone's routes and services are the platform's to tell of (P12, P13).
  fileprivate var isOfItem: Bool {
    switch self {
    case .opened, .failed, .damaged, .joined, .started, .ended, .seeked: true
    case .linkLossChanged, .volumeChanged, .muteChanged, .serverMissing, .serverLost, .serverRestored,
      .routeLost, .routeRestored, .sinkLost, .sinkChanged:
      false
    }
  }
}
