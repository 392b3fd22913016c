import AfterlockCore

/// What the actions of a scenario happen to: a phone or a desktop, simulated or real.
///
/// Isolation: used by one task at a time.
package protocol ScenarioWorld: AnyObject {
  /// The app is started with its queue, and nothing plays.
  func begin() async
  /// Time goes by until `time`, with all that falls due on the way.
  func advance(to time: Duration) async
  /// Does one action and waits until all that follows from it at this time has happened.
  func perform(_ action: ScenarioAction) async
  /// How things are now.
  func scene() async -> SceneState
  /// What holds at the end.
  func outcome(of scene: SceneState) -> Outcome
}

extension ScenarioWorld {
  /// What the scene itself says.
  package func outcome(of scene: SceneState) -> Outcome {
    if scene.app == .ended || scene.playback == .ended { return .ended }
    if scene.app == .suspended { return .suspended }
    if scene.isAudible { return .plays }
    return scene.rate == 0 ? .paused : .silenced
  }
}
