import AfterlockCore
import AfterlockDesktop
import AfterlockScenarios

/// A world of real programs in real time, whose sound is captured from begin to end.
///
/// Isolation: used by one task at a time.
protocol LiveWorld: ScenarioWorld {
  /// Its time, which begins at the end of ``begin()``.
  var clock: LiveClock { get }
  /// Waits for what it takes to begin.
  func prepare() async throws(DesktopError)
  /// Ends everything and says when there was sound.
  /// - Throws: what kept an action from being done, or the capture from being read.
  func end() async throws(DesktopError) -> [AudibleStretch]
}
