import AfterlockCore
import Synchronization

/// An engine whose time is counted in ticks and whose items open, play and end as a test says.
///
/// Used on the coordinator's executor only; the lock is for the compiler.
final class VirtualEngine: PlaybackEngine {
  /// What it is doing, as somebody who listens would find it.
  struct State {
    var run: PlaybackRun?
    var isOpen = false
    var isStarted = false
    var time = 0
    var upcoming: PlaybackRun?
    /// The loaded run is opened after so many ticks.
    var ticksToOpen = 0
    /// Starts since the last look.
    var starts = 0
    var facts: [EngineFact] = []
    var changes: [RateChange] = []
  }

  private let state = Mutex(State())
  private let length = 5

  func perform(_ command: EngineCommand) {
    state.withLock { state in
      switch command {
      case .load(let run, _):
        (state.run, state.isOpen, state.time, state.upcoming) = (run, false, 0, nil)
        state.ticksToOpen = Int(run.id % 3)
      case .setUpcoming(let run, let after): if after == state.run { state.upcoming = run }
      case .start(let reason):
        state.isStarted = true
        state.starts += 1
        state.changes.append(RateChange(rate: 1, reason: reason))
      case .pause(let reason):
        state.isStarted = false
        state.changes.append(RateChange(rate: 0, reason: reason))
      case .seek(let run, let position):
        guard run == state.run else { return }
        state.time = Int(position.components.seconds)
        state.facts.append(.seeked(run, position: position))
      case .setVolume, .allowOtherSink: break
      case .unload: (state.run, state.isOpen, state.upcoming) = (nil, false, nil)
      }
    }
  }

  var position: PlaybackPosition {
    state.withLock { PlaybackPosition(run: $0.run, time: .seconds($0.time)) }
  }

  /// Whether sound goes out.
  var isHeard: Bool { state.withLock { $0.isStarted && $0.isOpen } }
  /// Whether it was told to play, open or not.
  var isStarted: Bool { state.withLock { $0.isStarted } }

  func takeStarts() -> Int {
    state.withLock { state in
      defer { state.starts = 0 }
      return state.starts
    }
  }

  /// The system stops the output behind the player's back.
  func stopByItself() { state.withLock { $0.isStarted = false } }

  func takeReports() -> (facts: [EngineFact], changes: [RateChange]) {
    state.withLock { state in
      defer { (state.facts, state.changes) = ([], []) }
      return (state.facts, state.changes)
    }
  }

  /// A second goes by.
  /// - Parameter failsToOpen: whether a file whose turn it is cannot be opened.
  func tick(failsToOpen: Bool) {
    state.withLock { state in
      guard let run = state.run else { return }
      if !state.isOpen {
        state.ticksToOpen -= 1
        guard state.ticksToOpen < 0 else { return }
        if failsToOpen {
          state.facts.append(.failed(run, .notThere, played: false))
          (state.run, state.upcoming) = (nil, nil)
        } else {
          state.isOpen = true
          state.facts += [.opened(run, .minute(seconds: Int64(length))), .started(run)]
        }
      } else if state.isStarted {
        state.time += 1
        guard state.time >= length else { return }
        guard let next = state.upcoming else {
          state.facts.append(.ended(run))
          (state.run, state.isOpen) = (nil, false)
          return
        }
        (state.run, state.upcoming, state.time) = (next, nil, 0)
        state.facts += [.joined(next), .opened(next, .minute(seconds: Int64(length))), .started(next)]
      }
    }
  }
}
