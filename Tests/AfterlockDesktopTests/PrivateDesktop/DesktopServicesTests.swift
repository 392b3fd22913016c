import AfterlockCore
import AfterlockTestSupport
import Synchronization
import Testing

@testable import AfterlockDesktop

/// logind and screen savers of this process, on a private bus, as a player hears them (L1, L2).
@Suite("The services of a private desktop")
struct DesktopServicesTests {
  private final class Heard: Sendable {
    private let kept = Mutex<[LifecycleEvent]>([])
    func add(_ event: LifecycleEvent) { kept.withLock { $0.append(event) } }
    func forget() { kept.withLock { $0 = [] } }
    var all: [LifecycleEvent] { kept.withLock(\.self) }
  }

  @Test func `locks by each of them and sleeps are heard, also on the next bus`() async throws {
    try await withBareDesktop(.init(sinks: [])) { desktop in
      let heard = Heard()
      let events = DesktopEvents(
        EventEntrances(
          report: { event, _ in heard.add(event) }, isSilent: { _ in },
          snapshots: { AsyncStream { $0.yield(PlayerSnapshot()) } }),
        on: .init(session: desktop.busAddress, system: desktop.busAddress))
      let services = try DesktopServices(on: desktop)
      try await services.start()
      events.start()
      for round in 1...2 {
        #expect(await services.isListenedTo(within: .seconds(20)))
        heard.forget()
        // Each one is waited for: who asks how things are hears nothing of a lock that is over by then.
        for teller in DesktopServices.LockTeller.allCases {
          for (isLocked, event) in [(true, LifecycleEvent.screenLocked), (false, .screenUnlocked)] {
            try await services.setLocked(isLocked, by: teller)
            try await waitUntil("\(event) by \(teller)") { heard.all.last == event }
          }
        }
        for (begins, event) in [(true, LifecycleEvent.systemWillSleep), (false, .systemDidWake)] {
          try await services.prepareForSleep(begins)
          try await waitUntil("\(event)") { heard.all.last == event }
        }
        #expect(heard.all.count == 2 * DesktopServices.LockTeller.allCases.count + 2)
        guard round == 1 else { break }
        await services.close()
        try await desktop.killBus()
        try await desktop.restartBus()
        try await services.start()
      }
      await events.close()
      await services.close()
    }
  }

  @Test func `a remote control says that there is no player`() async throws {
    try await withBareDesktop(.init(sinks: [])) { desktop in
      let services = try DesktopServices(on: desktop)
      let error = await #expect(throws: RemotePlayerError.self) { try await services.send(.play) }
      #expect(error?.code == .noPlayer)
      await services.close()
    }
  }
}
