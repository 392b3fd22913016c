import Afterlock
import AfterlockDesktop
import AfterlockTestSupport
import Synchronization
import Testing

/// Gives a test a player on a live desktop, and closes it also when the test throws.
func withPlayer<Value: Sendable>(
  on live: LiveDesktop, fade: Duration = .zero, log: PlaybackLog? = nil,
  _ body: (Player) async throws -> Value
) async throws -> Value {
  try await withPlayer(
    on: live.desktop,
    configure: {
      $0.fade = fade
      $0.log = log
    }, body)
}

/// Gives a test a player on a desktop, without a fade unless `configure` says so.
func withPlayer<Value: Sendable>(
  on desktop: PrivateDesktop, configure: (inout Player.Configuration) -> Void = { _ in },
  _ body: (Player) async throws -> Value
) async throws -> Value {
  var configuration = Player.Configuration()
  configuration.output.remoteName = desktop.socketPath
  configuration.fade = .zero
  configure(&configuration)
  let player = Player(configuration)
  do {
    let value = try await body(player)
    await player.close()
    return value
  } catch {
    await player.close()
    throw error
  }
}

/// Waits until a snapshot of the player fulfils a condition.
func wait(
  for player: Player, _ what: Comment, limit: Duration = .seconds(30),
  sourceLocation: SourceLocation = #_sourceLocation,
  until condition: @escaping @Sendable (PlayerSnapshot) -> Bool
) async {
  let isFulfilled = await withTaskGroup(of: Bool.self) { group in
    group.addTask {
      for await snapshot in player.snapshots() where condition(snapshot) { return true }
      return false
    }
    group.addTask {
      try? await Task.sleep(for: limit)
      return false
    }
    defer { group.cancelAll() }
    return await group.next() ?? false
  }
  // The limit may have its turn first where it has long come about.
  if isFulfilled { return }
  if condition(await player.coordinator.snapshot) { return }
  Issue.record("waited in vain: \(what)", sourceLocation: sourceLocation)
}

/// Keeps the lines of a log.
final class RecordingLog: Sendable {
  private let kept = Mutex<[String]>([])
  var lines: [String] { kept.withLock { $0 } }
  var log: PlaybackLog { PlaybackLog { line in self.kept.withLock { $0.append(line) } } }
}
