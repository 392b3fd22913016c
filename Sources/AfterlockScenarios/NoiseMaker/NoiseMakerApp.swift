import AfterlockCore
import Synchronization

/// The noise maker as the app of a scenario (N): what it asks of its player, what it offers to others, and what it shows.
///
/// Every rule N stands in one place, here. Called on: any thread; used by one at a time.
final class NoiseMakerApp: Sendable {
  private struct State {
    /// What was pressed last: what a toggle reads that does not go by the state.
    var lastPressed = NoiseMaker.Toggle.pause
    var isOpen = false
  }
  private let rules: RuleSet
  private let state = Mutex(State())

  init(rules: RuleSet) { self.rules = rules }

  /// What the scenario's app is, under these rules: a platform looks at category and session.
  static func parts(_ parts: AppParts, rules: RuleSet) -> AppParts {
    var parts = parts
    guard parts.kind == .noiseMaker else { return parts }
    // What a phone gives an app that says nothing (P2).
    if !rules.has(.noiseCategory) { parts.category = .soloAmbient }
    if !rules.has(.noiseSession) { parts.activatesSession = .never }
    return parts
  }

  /// What is told to the player once, at the start.
  var settings: [PlayerCommand] { rules.has(.noiseLoop) ? [.setLoopMode(.track)] : [] }

  /// Whether the file is opened now: beforehand, so that Play has nothing to wait for.
  /// - Parameter isPressed: the toggle has been pressed.
  func opensFile(isPressed: Bool) -> Bool {
    state.withLock { state in
      guard !state.isOpen, isPressed || rules.has(.noisePrepared) else { return false }
      state.isOpen = true
      return true
    }
  }

  /// What becomes of a press or of a pull at the slider.
  func taken(_ command: PlayerCommand, shown snapshot: PlayerSnapshot) -> PlayerCommand? {
    if case .setVolume = command, !rules.has(.noiseVolume) { return nil }
    guard let command = offered(command, snapshot) else { return nil }
    state.withLock { state in
      switch command {
      case .play: state.lastPressed = .play
      case .pause: state.lastPressed = .pause
      case .togglePlayPause: state.lastPressed = state.lastPressed == .play ? .pause : .play
      default: break
      }
    }
    return command
  }

  /// What becomes of a button of the lock screen or of a headset; `nil` where there is none.
  func takenRemotely(_ command: PlayerCommand, shown snapshot: PlayerSnapshot) -> PlayerCommand? {
    rules.has(.noiseRemote) ? offered(command, snapshot) : nil
  }

  private func offered(_ command: PlayerCommand, _ snapshot: PlayerSnapshot) -> PlayerCommand? {
    let shown = NoiseMaker(snapshot)
    guard !shown.hasControls, !rules.has(.noiseUnloadable) else { return shown.taken(command) }
    return command
  }

  /// Writes down what is shown.
  func show(_ snapshot: PlayerSnapshot, in scene: inout SceneState) {
    let shown = NoiseMaker(snapshot)
    let lastPressed = state.withLock(\.lastPressed)
    let toggle = rules.has(.noiseToggle) ? shown.toggle : lastPressed == .play ? .pause : .play
    let tellsOfFailure = shown.hasControls || rules.has(.noiseUnloadable)
    scene.toggle = toggle
    scene.status = rules.has(.noiseStatus) && tellsOfFailure ? shown.status : ""
    scene.controls = tellsOfFailure && !shown.hasControls ? .disabled : .enabled
  }
}
