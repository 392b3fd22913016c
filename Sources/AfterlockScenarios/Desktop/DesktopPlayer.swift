import AfterlockCore
import Synchronization

/// The player of a simulated desktop: a ``VirtualPlayer`` behind a server with sinks, held as the engine over PipeWire is.
///
/// Called on: any thread; used by one at a time.
final class DesktopPlayer: PlatformPlayer {
  private let player: VirtualPlayer
  private let output: Mutex<DesktopOutput>

  init(_ player: VirtualPlayer, output: DesktopOutput) {
    self.player = player
    self.output = Mutex(output)
  }

  // MARK: The app's side

  func perform(_ command: EngineCommand) {
    switch command {
    case .allowOtherSink: change { $0.allowOtherSink() }
    case .start:
      if state.isHeld { change { $0.allowOtherSink() } }
      if state.mayRun { player.perform(command) }
    default: player.perform(command)
    }
  }

  var position: PlaybackPosition { player.position }

  // MARK: The platform's side

  /// How server and sinks are.
  var state: DesktopOutput { output.withLock(\.self) }

  /// Changes server or sinks, and does to the player what comes of it.
  func change(_ body: (inout DesktopOutput) -> [DesktopOutput.Step]) {
    let steps = output.withLock { output in
      var changed = output
      defer { output = changed }
      return body(&changed)
    }
    for step in steps {
      switch step {
      case .hold(let reason): player.pauseBySystem(reason: reason)
      case .tell(let fact): player.tell(fact)
      }
    }
  }

  /// Tells the app a fact of the platform, after all that is to be told so far.
  func tell(_ fact: EngineFact) { player.tell(fact) }
  /// Whether nothing takes its frames: it runs, nothing is heard, and its position stands.
  func setStalled(_ isStalled: Bool) { player.setStalled(isStalled) }

  func pauseBySystem(reason: RateChangeReason) { player.pauseBySystem(reason: reason) }
  func setSilenced(_ isSilenced: Bool) { player.setSilenced(isSilenced) }
  func setRefusesStart(_ refuses: Bool) { player.setRefusesStart(refuses) }
  func die() { player.die() }
  func renew() { player.renew() }
  func failItem() { player.failItem() }
  func endItem() { player.endItem() }
  func takeReports() -> [PlatformReport] { player.takeReports() }
  func advance(to time: Duration) -> Duration { player.advance(to: time) }
  var rate: Double { player.rate }
  var isSounding: Bool { player.isSounding }
}
