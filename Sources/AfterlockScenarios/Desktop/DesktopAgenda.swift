/// What falls due by itself on a simulated desktop.
struct DesktopAgenda {
  enum Event: Hashable {
    /// Nobody has confirmed the request for a lock of this number (L1).
    case lockRequestExpires(Int)
    /// It is time to ask whether the sleep of this number is over (L2).
    case sleepIsOverdue(Int)
    /// The session manager links the player to another sink (L4).
    case relink
    /// The sink that was played to when the server went has not come back with it (L7).
    case awaitedSinkIsMissed
  }

  private var entries: [(time: Duration, event: Event)] = []

  /// When the next one is due.
  var next: Duration? { entries.map(\.time).min() }

  /// Notes `event` for `time`; one that was noted before is put off.
  mutating func note(_ event: Event, at time: Duration) {
    forget(event)
    entries.append((time, event))
  }

  mutating func forget(_ event: Event) { entries.removeAll { $0.event == event } }

  /// Takes out what is due at `time`, in the order in which it was noted.
  mutating func takeDue(at time: Duration) -> [Event] {
    let due = entries.filter { $0.time <= time }.map(\.event)
    entries.removeAll { $0.time <= time }
    return due
  }
}
