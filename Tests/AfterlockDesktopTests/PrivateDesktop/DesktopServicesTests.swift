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
        let before = heard.all.count
        for teller in DesktopServices.LockTeller.allCases {
          try await services.setLocked(true, by: teller)
          try await services.setLocked(false, by: teller)
        }
        try await services.prepareForSleep(true)
        try await services.prepareForSleep(false)
        let lock = [LifecycleEvent.screenLocked, .screenUnlocked]
        let wanted = (lock + lock + lock + lock).count + 2
        try await waitUntil("all to be heard: \(heard.all)") { heard.all.count >= before + wanted }
        let news = heard.all.dropFirst(before)
        #expect(news.count { $0 == .screenLocked } == 4 && news.count { $0 == .screenUnlocked } == 4)
        #expect(news.contains(.systemWillSleep) && news.contains(.systemDidWake))
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
