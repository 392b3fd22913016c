import Afterlock
import AfterlockCore
import AfterlockDesktop
import Synchronization

/// The player's place on the desktop, beside everything else: on a session bus for others to control it, and with an ear
/// on the desktop's locks and sleeps. Without any bus it plays on (L9).
///
/// Isolation: the main actor.
@MainActor
final class DesktopPlace {
  private let session: DesktopSession?
  private let events: DesktopEvents

  /// - Parameters:
  ///   - bus: the address of the session bus; `nil` for the one that the environment names.
  ///   - offersMPRIS: whether the session bus is used at all.
  ///   - hearsLogind: whether the machine's own locks and sleeps matter here.
  ///   - offer: what clients may do.
  ///   - add: adds to the list what a client asks for; `nil` adds nothing.
  ///   - steered: hears of each command.
  ///   - quit: ends the run when a client asks for that.
  init(
    _ player: Player, bus: String? = nil, offersMPRIS: Bool, hearsLogind: Bool,
    offer: RemoteOffer = .everything, add: ItemAdder?,
    steered: @escaping @MainActor () -> Void, quit: @escaping @MainActor (CommandOrigin) -> Void
  ) {
    var buses = DesktopEvents.Buses.ofEnvironment
    if let bus { buses.session = bus }
    if !offersMPRIS { buses.session = nil }
    if !hearsLogind { buses.system = nil }
    let session =
      offersMPRIS ? DesktopSession(Self.entrances(player, offer, add, steered, quit), address: bus) : nil
    let events = DesktopEvents(
      EventEntrances(player.coordinator, isSettled: { await player.isSettled(within: $0) }), on: buses)
    self.session = session
    self.events = events
    Task {
      // Nobody needs the buses before the first sound, which they would put off.
      _ = await player.isConnected(within: .seconds(1))
      events.start()
      await session?.start()
    }
  }

  /// Leaves the buses once everybody is answered, or does not wait for that: a bus that hangs holds nobody.
  func close() async {
    let (session, events) = (session, events)
    await withCheckedContinuation { continuation in
      let left = Once { continuation.resume() }
      Task {
        async let isDeaf: Void = events.close()
        await session?.close()
        await isDeaf
        left.call()
      }
      Task {
        try? await Task.sleep(for: .milliseconds(600))
        left.call()
      }
    }
  }

  private nonisolated static func entrances(
    _ player: Player, _ offer: RemoteOffer, _ adder: ItemAdder?, _ steered: @escaping @MainActor () -> Void,
    _ quit: @escaping @MainActor (CommandOrigin) -> Void
  ) -> PlayerEntrances {
    var entrances = PlayerEntrances(
      player.coordinator, player.callbacks, isSettled: { await player.isSettled(within: $0) },
      quit: { origin in Task { await quit(origin) } })
    let receive = entrances.receive
    entrances.offer = offer
    entrances.receive = { command, origin in
      guard let command = offer.taken(command) else { return }
      receive(command, origin)
      Task { await steered() }
    }
    if let adder {
      entrances.add = { addition, origin in
        Task { await steered() }
        return await adder.add(addition, from: origin)
      }
    }
    return entrances
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
