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
    var refusesStart = false
    var reports: [PlatformReport] = []
  }

  private let state = Mutex(State())
  /// Lengths, by the location of an item.
  private let lengths: [MediaLocation: MediaInfo]

  init(lengths: [MediaLocation: MediaInfo]) { self.lengths = lengths }

  // MARK: The app's side

  func perform(_ command: EngineCommand) {
    state.withLock { state in
      switch command {
      case .load(let run, let position):
        (state.run, state.upcoming, state.place) = (run, nil, position)
        state.reports += opening(run)
      case .setUpcoming(let run, let after): if after == state.run { state.upcoming = run }
      case .start(let reason):
        if state.refusesStart { setRate(0, .setRateFailed, &state) } else { setRate(1, reason, &state) }
      case .pause(let reason): setRate(0, reason, &state)
      case .seek(let run, let position):
        guard run == state.run else { return }
        state.place = min(position, length(of: run))
        state.reports.append(.fact(.seeked(run, position: state.place)))
      case .unload: (state.run, state.upcoming, state.place) = (nil, nil, .zero)
      case .setVolume, .allowOtherSink: break
      }
    }
  }

  var position: PlaybackPosition {
    state.withLock { PlaybackPosition(run: $0.run, time: $0.place) }
  }

  private func opening(_ run: PlaybackRun) -> [PlatformReport] {
    guard let info = lengths[run.entry.location] else { return [] }
    return [.fact(.opened(run, info)), .fact(.started(run))]
  }

  /// A rate that stays what it is is no news, unless it could not change.
  private func setRate(_ rate: Double, _ reason: RateChangeReason, _ state: inout State) {
    guard state.isRunning != (rate != 0) || reason == .setRateFailed else { return }
    state.isRunning = rate != 0
    state.reports.append(.rate(rate, reason, runID: state.run?.id))
  }

  private func length(of run: PlaybackRun) -> Duration { lengths[run.entry.location]?.duration ?? .zero }

  // MARK: The platform's side

  func pauseBySystem(reason: RateChangeReason) {
    state.withLock { state in
      guard state.isRunning else { return }
      setRate(0, reason, &state)
    }
  }

  func setSilenced(_ isSilenced: Bool) { state.withLock { $0.isSilenced = isSilenced } }

  func setRefusesStart(_ refuses: Bool) { state.withLock { $0.refusesStart = refuses } }

  func failItem() {
    state.withLock { state in
      guard let run = state.run else { return }
      (state.run, state.upcoming) = (nil, nil)
      let failure = PlaybackFailure(.corrupt, "The item broke off, as the scenario says.")
      state.reports.append(.fact(.failed(run, failure, played: state.place > .zero)))
    }
  }

  func endItem() {
    state.withLock { state in
      guard let run = state.run else { return }
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
  var isSounding: Bool { state.withLock { $0.isRunning && $0.run != nil && !$0.isSilenced } }

  var nextEnd: Duration? {
    state.withLock { state in
      guard state.isRunning, let run = state.run else { return nil }
      return state.now + max(.zero, length(of: run) - state.place)
    }
  }

  func advance(to time: Duration) {
    state.withLock { state in
      let passed = time - state.now
      state.now = time
      guard state.isRunning, let run = state.run else { return }
      state.place += passed
      if state.place >= length(of: run) { finish(run, &state) }
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
