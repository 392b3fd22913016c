import AfterlockCore
import Synchronization

/// A player whose time goes by when it is told to.
///
/// Called on: any thread; used by one at a time.
final class VirtualPlayer: PlatformPlayer {
  private struct State {
    var now = Duration.zero
    var run: PlaybackRun?
    var upcoming: PlaybackRun?
    var place = Duration.zero
    var isRunning = false
    var isSilenced = false
    var isStalled = false
    var refusesStart = false
    var isDead = false
    /// What a dead player was asked for.
    var undone: [EngineCommand] = []
    var volume = Volume.full
    var reports: [PlatformReport] = []
  }

  private let state = Mutex(State())
  /// Lengths, by the location of an item.
  private let lengths: [MediaLocation: MediaInfo]

  /// - Parameter items: all that can be played, in the order of the scenario's queue.
  init(items: [ScenarioItem]) {
    lengths = Dictionary(
      uniqueKeysWithValues: items.enumerated().map { (ScenarioItem.location($0), $1.info) })
  }

  // MARK: The app's side

  func perform(_ command: EngineCommand) {
    state.withLock { state in
      guard state.isDead else { return perform(command, &state) }
      switch command {
      // Whether a new one runs is decided anew.
      case .start, .pause: break
      default: state.undone.append(command)
      }
    }
  }

  private func perform(_ command: EngineCommand, _ state: inout State) {
    switch command {
    case .load(let run, let position):
      (state.run, state.upcoming, state.place) = (run, nil, position)
      state.reports += opening(run)
    case .setUpcoming(let run, let after): if after == state.run { state.upcoming = run }
    case .start(let reason):
      if state.refusesStart { fail(.setRateFailed, &state) } else { setRate(1, reason, &state) }
    case .pause(let reason): setRate(0, reason, &state)
    case .seek(let run, let position):
      guard run == state.run else { return }
      state.place = min(position, length(of: run))
      state.reports.append(.fact(.seeked(run, position: state.place)))
    case .unload: (state.run, state.upcoming, state.place) = (nil, nil, .zero)
    case .setVolume(let volume): state.volume = volume
    case .allowOtherSink: break
    }
  }

  var position: PlaybackPosition {
    state.withLock { PlaybackPosition(run: $0.run, time: $0.place) }
  }

  private func opening(_ run: PlaybackRun) -> [PlatformReport] {
    guard let info = lengths[run.entry.location] else { return [] }
    return [.fact(.opened(run, info)), .fact(.started(run))]
  }

  /// Only a change is told of.
  private func setRate(_ rate: Double, _ reason: RateChangeReason, _ state: inout State) {
    guard state.isRunning != (rate != 0) else { return }
    state.isRunning = rate != 0
    state.reports.append(.rate(rate, reason, runID: state.run?.id))
  }

  /// A start that fails is told of, though the rate stays 0.
  private func fail(_ reason: RateChangeReason, _ state: inout State) {
    state.isRunning = false
    state.reports.append(.rate(0, reason, runID: state.run?.id))
  }

  private func length(of run: PlaybackRun) -> Duration { lengths[run.entry.location]?.duration ?? .zero }

  // MARK: The platform's side

  func pauseBySystem(reason: RateChangeReason) {
    state.withLock { setRate(0, reason, &$0) }
  }

  func die() {
    state.withLock { state in
      (state.isDead, state.isRunning, state.reports) = (true, false, [])
    }
  }

  func renew() {
    state.withLock { state in
      state.isDead = false
      for command in state.undone { perform(command, &state) }
      state.undone = []
    }
  }

  func setSilenced(_ isSilenced: Bool) { state.withLock { $0.isSilenced = isSilenced } }

  /// Whether nothing takes its frames: it runs, nothing is heard, and its position stands.
  func setStalled(_ isStalled: Bool) { state.withLock { $0.isStalled = isStalled } }

  /// Tells the app a fact of the platform, after all that is to be told so far.
  func tell(_ fact: EngineFact) { state.withLock { $0.reports.append(.fact(fact)) } }

  func setRefusesStart(_ refuses: Bool) { state.withLock { $0.refusesStart = refuses } }

  func failItem() {
    state.withLock { state in
      guard !state.isDead, let run = state.run else { return }
      (state.run, state.upcoming) = (nil, nil)
      let failure = PlaybackFailure(.corrupt, "The item broke off, as the scenario says.")
      state.reports.append(.fact(.failed(run, failure, played: state.place > .zero)))
    }
  }

  func endItem() {
    state.withLock { state in
      guard !state.isDead, let run = state.run else { return }
      state.place = length(of: run)
      finish(run, &state)
    }
  }

  func takeReports() -> [PlatformReport] {
    state.withLock { state in
      defer { state.reports = [] }
      return state.reports
    }
  }

  var rate: Double { state.withLock { $0.isRunning ? 1 : 0 } }
  var isSounding: Bool {
    state.withLock {
      $0.isRunning && $0.run != nil && !$0.isSilenced && !$0.isStalled && $0.volume.slider > 0
    }
  }

  /// Stops where the current item ends.
  func advance(to time: Duration) -> Duration {
    state.withLock { state in
      guard state.isRunning, !state.isStalled, let run = state.run else {
        state.now = time
        return time
      }
      let left = max(.zero, length(of: run) - state.place)
      let passed = min(time - state.now, left)
      state.now += passed
      state.place += passed
      if passed == left { finish(run, &state) }
      return state.now
    }
  }

  private func finish(_ run: PlaybackRun, _ state: inout State) {
    guard let next = state.upcoming else {
      (state.run, state.place) = (nil, .zero)
      state.reports.append(.fact(.ended(run)))
      return
    }
    (state.run, state.upcoming, state.place) = (next, nil, .zero)
    state.reports += [.fact(.joined(next))] + opening(next)
  }
}
