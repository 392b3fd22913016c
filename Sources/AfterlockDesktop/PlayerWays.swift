public import AfterlockCore

/// The ways into a player that its coordinator gives.
extension EventEntrances {
  /// - Parameter isSettled: waits until engine and server have carried out what was decided, or the time is over.
  public init(
    _ coordinator: PlaybackCoordinator, isSettled: @escaping @Sendable (_ limit: Duration) async -> Void
  ) {
    self.init(
      report: { event, source in coordinator.report(event, from: source) },
      isSilent: { limit in
        // What was reported is decided on before this answers.
        _ = await coordinator.snapshot
        await isSettled(limit)
      }, snapshots: { coordinator.snapshots() })
  }
}

extension PlayerEntrances {
  /// - Parameters:
  ///   - callbacks: where commands of the bus's thread arrive (P9).
  ///   - isSettled: waits until engine and server have carried out what was decided, or the time is over.
  public init(
    _ coordinator: PlaybackCoordinator, _ callbacks: MediaCallbackActor,
    isSettled: @escaping @Sendable (_ limit: Duration) async -> Void,
    quit: @escaping @Sendable (CommandOrigin) -> Void
  ) {
    self.init(
      receive: { callbacks.receive($0, from: $1) }, position: { coordinator.position },
      carriedOut: { _ in
        await callbacks.catchUp()
        // Whoever asked for silence may count on it, and whoever moved the position reads the new one.
        _ = await coordinator.snapshot
        await isSettled(.seconds(1))
        return await coordinator.snapshot
      },
      snapshots: { coordinator.snapshots() }, now: { await coordinator.snapshot },
      listing: { await coordinator.listing }, trackChanged: { callbacks.trackChanged(to: $0) },
      requestArtwork: { callbacks.requestArtwork($0) }, quit: quit)
    past = { coordinator.past() }
  }
}
