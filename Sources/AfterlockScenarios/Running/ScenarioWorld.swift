import AfterlockCore

/// What the actions of a scenario happen to: a phone or a desktop, simulated or real.
///
/// Isolation: used by one task at a time.
package protocol ScenarioWorld: AnyObject {
  /// The app is built.
  /// - Returns: what keeps it from being built, `nil` for nothing.
  func build() async -> ScenarioFault?
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
  /// What has ended the app, where it was no wish.
  var fault: ScenarioFault? { get }
}

extension ScenarioWorld {
  /// Most apps can be built.
  package func build() async -> ScenarioFault? { nil }

  /// Most apps end by wish alone.
  package var fault: ScenarioFault? { nil }

  /// What the scene itself says.
  package func outcome(of scene: SceneState) -> Outcome {
    if let fault { return fault.outcome }
    if scene.app == .ended || scene.playback == .ended { return .ended }
    if scene.app == .suspended { return .suspended }
    if scene.isAudible { return .plays }
    return scene.rate == 0 ? .paused : .silenced
  }
}
