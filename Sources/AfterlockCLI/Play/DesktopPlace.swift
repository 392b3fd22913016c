import Afterlock
import AfterlockCore
import AfterlockDesktop
import Synchronization

/// The player's place on a session bus, beside everything else: without a bus it plays on (L9).
///
/// Isolation: the main actor.
@MainActor
final class DesktopPlace {
  private let session: DesktopSession?

  /// - Parameters:
  ///   - address: the bus; `nil` for the one that the environment names.
  ///   - steered: hears of each command.
  ///   - quit: ends the run when a client asks for that.
  init(
    _ player: Player, address: String? = nil, steered: @escaping @MainActor () -> Void,
    quit: @escaping @MainActor (CommandOrigin) -> Void
  ) {
    session = DesktopSession(Self.entrances(player, steered, quit), address: address)
    guard let session else { return }
    Task {
      // Nobody needs the bus before the first sound, which it would put off.
      _ = await player.isConnected(within: .seconds(1))
      await session.start()
    }
  }

  /// Leaves the bus, or does not wait for that: a bus that hangs holds nobody.
  func close() async {
    guard let session else { return }
    await withCheckedContinuation { continuation in
      let left = Once { continuation.resume() }
      Task {
        await session.close()
        left.call()
      }
      Task {
        try? await Task.sleep(for: .milliseconds(300))
        left.call()
      }
    }
  }

  private nonisolated static func entrances(
    _ player: Player, _ steered: @escaping @MainActor () -> Void,
    _ quit: @escaping @MainActor (CommandOrigin) -> Void
  ) -> PlayerEntrances {
    let (callbacks, coordinator) = (player.callbacks, player.coordinator)
    return PlayerEntrances(
      receive: { command, origin in
        callbacks.receive(command, from: origin)
        Task { await steered() }
      }, position: { coordinator.position },
      carriedOut: { _ in
        await callbacks.catchUp()
        // Whoever asked for silence may count on it, and whoever moved the position reads the new one.
        _ = await coordinator.snapshot
        await player.isSettled(within: .seconds(1))
        return await coordinator.snapshot
      },
      snapshots: { coordinator.snapshots() }, now: { await coordinator.snapshot },
      trackChanged: { callbacks.trackChanged(to: $0) }, requestArtwork: { callbacks.requestArtwork($0) },
      quit: { origin in Task { await quit(origin) } })
  }
}

/// Calls something at the first call, and at no other.
private final class Once: Sendable {
  private let body: Mutex<(@Sendable () -> Void)?>
  init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

  func call() {
    body.withLock { body in
      defer { body = nil }
      return body
    }?()
  }
}
