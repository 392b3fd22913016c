import Afterlock
import AfterlockCore
import AfterlockDesktop
import AfterlockScenarios

/// The simulated phone with a real player, heard at a sink of its own.
///
/// Scene, session and interruptions are the phone's, in real time, as notifications on its threads; what sounds is the
/// product's engine on PipeWire.
final class LivePhone: LiveWorld {
  let clock: LiveClock
  private let phone: SimulatedPhone
  private let player: LivePlayer
  private let desktop: PrivateDesktop
  private let sink: VirtualSink
  private let ear: Ear
  private let hasItems: Bool
  private let streamName: String
  /// The server that a private desktop has started answers within this time, also on a busy machine.
  private static let patience = Duration.seconds(20)

  /// A phone in the viewer's hand, whose loudspeaker is `sink`.
  /// - Parameters:
  ///   - ear: listens to the sink.
  ///   - wrap: what stands between the phone and its player, for a test.
  init(
    _ scenario: Scenario, _ recorder: TimelineRecorder, on sink: VirtualSink, of desktop: PrivateDesktop,
    ear: Ear, media: ScenarioMedia, wrap: PlayerWrapper
  ) throws(DesktopError) {
    self.desktop = desktop
    self.sink = sink
    self.ear = ear
    hasItems = !scenario.queue.isEmpty
    clock = LiveClock()
    var configuration = Player.Configuration()
    configuration.session = AudioSession(category: scenario.app.category, mode: scenario.app.mode)
    configuration.fade = .zero
    configuration.output.remoteName = desktop.socketPath
    configuration.output.targetSink = sink.name
    streamName = "phone on \(sink.name)"
    configuration.output.applicationName = streamName
    var items: [(ScenarioItem, MediaPath)] = []
    for (index, item) in scenario.queue.enumerated() {
      items.append((item, try media.file(for: item, at: index)))
    }
    player = LivePlayer(items: items, configuration, clock: clock)
    phone = SimulatedPhone(scenario, rules: RuleSet(), recorder: recorder, player: wrap(player, clock))
  }

  func prepare() async throws(DesktopError) {
    guard await player.isConnected(within: Self.patience) else {
      throw DesktopError(.timedOut, "the phone's player waited in vain for PipeWire")
    }
  }

  func begin() async {
    await phone.begin()
    if hasItems {
      await player.isReady(within: Self.patience)
      await desktop.waitForStream(streamName, toReach: sink.name)
    }
    ear.listenAnew()
    clock.begin()
  }

  func advance(to time: Duration) async { await phone.advance(to: time) }
  func perform(_ action: ScenarioAction) async { await phone.perform(action) }
  func scene() async -> SceneState { await phone.scene() }
  func outcome(of scene: SceneState) -> Outcome { phone.outcome(of: scene) }

  func end() async throws(DesktopError) -> [AudibleStretch] {
    let result: Result<[AudibleStretch], DesktopError>
    do throws(DesktopError) {
      result = .success(try await ear.heard())
    } catch {
      result = .failure(error)
    }
    await player.close()
    return try result.get()
  }
}

/// What a test puts between the phone and its player.
typealias PlayerWrapper = @Sendable (LivePlayer, LiveClock) -> any PlatformPlayer
