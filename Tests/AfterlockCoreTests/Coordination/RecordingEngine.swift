import AfterlockCore
import Synchronization

/// An engine that does nothing and remembers everything.
final class RecordingEngine: PlaybackEngine {
  private struct State {
    var commands: [EngineCommand] = []
    var everything: [EngineCommand] = []
    var position = PlaybackPosition(run: nil, time: .zero)
  }

  private let state = Mutex(State())
  private let onPerform: @Sendable (EngineCommand) -> Void

  /// - Parameter onPerform: called for each command, on the thread that gives it.
  init(onPerform: @escaping @Sendable (EngineCommand) -> Void = { _ in }) { self.onPerform = onPerform }

  func perform(_ command: EngineCommand) {
    onPerform(command)
    state.withLock { state in
      state.commands.append(command)
      state.everything.append(command)
    }
  }

  var position: PlaybackPosition { state.withLock(\.position) }

  var commands: [EngineCommand] { state.withLock(\.commands) }

  /// Also what was taken.
  var everything: [EngineCommand] { state.withLock(\.everything) }

  /// What came since the last time.
  func takeCommands() -> [EngineCommand] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  func setPosition(_ run: PlaybackRun?, _ time: Duration) {
    state.withLock { $0.position = PlaybackPosition(run: run, time: time) }
  }
}
