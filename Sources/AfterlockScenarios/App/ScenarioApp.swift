package import AfterlockCore
import Foundation
import Synchronization

/// The app of a scenario: the product's own coordinator, callback actor and bridge, wired as an app wires them.
///
/// Everything that the platform will call is formed here, in nonisolated code (P9).
final class ScenarioApp: Sendable {
  let coordinator: PlaybackCoordinator
  let callbacks: MediaCallbackActor
  private let observations: [NotificationObservation]
  private let items: [MediaLocation: Int]
  /// `nil` on a desktop.
  private let habits: PhoneHabits?
  private let now: @Sendable () -> Duration
  private let queue: [ScenarioItem]
  /// `nil` where the app is the player.
  private let noiseMaker: NoiseMakerApp?

  /// - Parameters:
  ///   - executor: the platform's main thread.
  ///   - center: where the platform posts.
  ///   - activateSession: activates the platform's session.
  ///   - phone: what a phone offers besides; `nil` on a desktop.
  ///   - log: takes each line of the app's log.
  init(
    _ scenario: Scenario, rules: RuleSet, player: any PlatformPlayer, on executor: CoordinatorExecutor,
    center: NotificationCenter, activateSession: @escaping @Sendable () -> Void,
    phone: PhoneServices? = nil,
    now: @escaping @Sendable () -> Duration,
    log: @escaping @Sendable (PlaybackLogLine) -> Void
  ) {
    let coordinator = PlaybackCoordinator(
      on: executor, configuration: scenario.app.policyConfiguration,
      session: AudioSession(category: scenario.app.category, mode: scenario.app.mode),
      queue: PlaybackQueue(generator: SeededGenerator(seed: 1)),
      log: PlaybackLog(now: now, date: { Date(timeIntervalSince1970: 0) }, observe: log, write: nil),
      activateSession: activateSession, engine: player)
    self.coordinator = coordinator
    callbacks = MediaCallbackActor(commands: { coordinator.send($0, origin: $1) })
    let habits = phone.map { PhoneHabits(scenario.app, $0, player: player) }
    self.habits = habits
    self.now = now
    let bridge = NotificationBridge(center: center)
    observations = [
      bridge.observe { coordinator.report($0) },
      bridge.observePlatform { notice in
        habits?.take(notice)
        switch notice {
        case .lifecycle(let event): coordinator.report(event)
        case .serviceLost: coordinator.report(.serverLost)
        case .serviceRestored: coordinator.report(.serverRestored)
        case .routeLost(let sink): coordinator.report(.sinkLost(sink))
        }
      },
    ]
    items = Dictionary(
      uniqueKeysWithValues: scenario.queue.indices.map { (ScenarioItem.location($0), $0) })
    queue = scenario.queue
    noiseMaker = scenario.app.kind == .noiseMaker ? NoiseMakerApp(rules: rules) : nil
  }

  /// Starts the app: it opens its queue, and nothing plays yet.
  func begin() async {
    await coordinator.recordBegin()
    for command in noiseMaker?.settings ?? [] { await coordinator.handle(command, origin: .engine) }
    if noiseMaker?.opensFile(isPressed: false) ?? true { await open() }
  }

  private func open() async {
    await coordinator.open(
      queue.indices.map { QueueItem(location: ScenarioItem.location($0), title: queue[$0].title) },
      playing: nil)
  }

  /// The viewer uses a control of the app. Nothing comes of one that the app does not have, or that is disabled.
  func use(_ command: PlayerCommand) async {
    guard let noiseMaker else { return await coordinator.handle(command, origin: .viewer) }
    guard let taken = noiseMaker.taken(command, shown: await coordinator.snapshot) else { return }
    if noiseMaker.opensFile(isPressed: true) { await open() }
    await coordinator.handle(taken, origin: .viewer)
  }

  /// What lock screen and headset hand on of a command; `nil` where the app has registered no handler for it.
  func offered(_ command: PlayerCommand) async -> PlayerCommand? {
    guard let noiseMaker else { return command }
    return noiseMaker.takenRemotely(command, shown: await coordinator.snapshot)
  }

  /// Writes down what only this kind of app shows.
  func show(_ snapshot: PlayerSnapshot, in scene: inout SceneState) {
    noiseMaker?.show(snapshot, in: &scene)
  }

  /// Waits until the app has dealt with all that it was told.
  func catchUp() async {
    let snapshot = await coordinator.snapshot
    habits?.publish(snapshot, now: now())
  }

  /// Which item of the scenario's queue is current.
  func item(of snapshot: PlayerSnapshot) -> Int? { snapshot.entry.flatMap { items[$0.location] } }
}

extension ScenarioItem {
  /// Where item `index` of a queue is said to be.
  package static func location(_ index: Int) -> MediaLocation { .file(MediaPath("/scenario/\(index)")) }

  /// What its file says of itself.
  var info: MediaInfo {
    MediaInfo(
      format: AudioFormat(rate: 48_000, channels: [.frontLeft, .frontRight]),
      frames: duration.frames(rate: 48_000), codec: "pcm_s16le", isSeekExact: true, tags: MediaTags(),
      hasArtwork: false)
  }
}
