public import AfterlockCore
import Foundation
import Synchronization

/// What the desktop's own events need of a player: ways in that are safe on any thread.
public struct EventEntrances: Sendable {
  /// Takes an event, and who told of it; does not wait.
  public var report: @Sendable (LifecycleEvent, _ source: String) -> Void
  /// Waits until what was reported before is carried out and heard, or the time is over.
  public var isSilent: @Sendable (_ limit: Duration) async -> Void
  /// How things are, again each time that they are other.
  public var snapshots: @Sendable () -> AsyncStream<PlayerSnapshot>

  /// The ways into one player.
  public init(
    report: @escaping @Sendable (LifecycleEvent, _ source: String) -> Void,
    isSilent: @escaping @Sendable (_ limit: Duration) async -> Void,
    snapshots: @escaping @Sendable () -> AsyncStream<PlayerSnapshot>
  ) {
    self.report = report
    self.isSilent = isSilent
    self.snapshots = snapshots
  }
}

/// Hears of the desktop's locks and sleeps and tells a player of them; keeps the machine awake while sound runs (L1, L2,
/// L3). Whatever is missing, dead or hanging is waited for, and holds nobody.
///
/// Called on: any thread.
public final class DesktopEvents: Sendable {
  /// Which buses are listened to.
  public struct Buses: Sendable {
    /// The address of the session bus; `nil` for none.
    public var session: String?
    /// The address of the system bus; `nil` for none.
    public var system: String?
    /// The environment, which says what login session is ours.
    var environment = ProcessInfo.processInfo.environment

    /// The buses at these addresses.
    public init(session: String?, system: String?) {
      self.session = session
      self.system = system
    }

    /// The buses that the environment names.
    public static var ofEnvironment: Buses {
      let environment = ProcessInfo.processInfo.environment
      return Buses(
        session: BusLibrary.sessionAddress(environment), system: BusLibrary.systemAddress(environment))
    }
  }

  private let logind: LogindWatch?
  private let savers: SessionBusWatch?
  private let entrances: EventEntrances
  private struct State {
    var following: Task<Void, Never>?
    var isClosed = false
  }
  private let state = Mutex(State())

  /// Ears that do not listen yet.
  public init(_ entrances: EventEntrances, on buses: Buses) {
    self.entrances = entrances
    let sources = LockSources(tell: entrances.report)
    let logind = buses.system.flatMap {
      LogindWatch(address: $0, environment: buses.environment, sources: sources, entrances)
    }
    self.logind = logind
    let latest = LatestFlag()
    savers = buses.session.flatMap {
      SessionBusWatch(address: $0, sources: sources) { holds in
        guard latest.set(holds) else { return }
        // Two of these tasks may overtake each other, so each brings what holds when it comes.
        Task { await logind?.take(.desktopHolds(latest.value)) }
      }
    }
  }

  /// Begins to listen.
  public func start() {
    let (logind, savers, entrances) = (logind, savers, entrances)
    state.withLock { state in
      guard state.following == nil, !state.isClosed else { return }
      state.following = Task {
        await logind?.start()
        await savers?.start()
        var (serial, isAwake) = (UInt64(0), false)
        for await snapshot in entrances.snapshots() where snapshot.serial >= serial {
          serial = snapshot.serial
          guard SleepPlan.keepsAwake(snapshot) != isAwake else { continue }
          isAwake.toggle()
          await logind?.take(.sound(isAwake))
          await savers?.keepAwake(isAwake)
        }
      }
    }
  }

  /// Stops listening, and lets go of everything that is held.
  public func close() async {
    let following = state.withLock { state in
      state.isClosed = true
      return state.following
    }
    following?.cancel()
    // What is under way would begin to listen again.
    await following?.value
    await logind?.close()
    await savers?.close()
  }
}

/// A flag that knows news from what it was told already. From any thread.
private final class LatestFlag: Sendable {
  private let state = Mutex(false)
  var value: Bool { state.withLock(\.self) }

  /// Whether that is news.
  func set(_ value: Bool) -> Bool {
    state.withLock { state in
      defer { state = value }
      return state != value
    }
  }
}
