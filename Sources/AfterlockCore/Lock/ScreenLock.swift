/// One lock of the screen out of what several sources say of it (L1): a value without a bus and without a clock.
///
/// The screen counts as locked while at least one source says so. No source is universal, so any one of them is enough; one
/// lock that three of them tell of is news once, with the first, and over with the last. A source that has gone says
/// nothing any more. One that stays behind when another tells of an unlock is asked again, so that a source that only ever
/// tells of locks does not keep the screen locked.
///
/// logind's `Lock` is a request to the screen locker and no state: some lockers set no state that could be seen, and some
/// refuse. It counts at once, since the sound is to be silent before the picture is gone, and it stands until a source
/// says how things are, until `Unlock`, or until nobody has confirmed it for ``patience``.
package struct ScreenLock: Hashable, Sendable {
  /// Who knows whether the screen is locked.
  package enum Source: String, Hashable, Sendable, CaseIterable {
    /// The property `LockedHint` of our own session.
    case lockedHint = "logind's LockedHint"
    /// GNOME's own.
    case gnome = "org.gnome.ScreenSaver"
    /// KDE's and others'.
    case freedesktop = "org.freedesktop.ScreenSaver"
  }

  /// What is heard.
  package enum Report: Hashable, Sendable {
    /// A source says how things are.
    case state(Source, isLocked: Bool)
    /// A source is there no more.
    case gone(Source)
    /// A source that was asked gave no answer.
    case silent(Source)
    /// logind asks for a lock.
    case lockRequested
    /// logind asks for an unlock.
    case unlockRequested
    /// ``patience`` is over for the request of this number.
    case requestExpired(Int)
  }

  /// What is to be done about it, in order.
  package enum Effect: Hashable, Sendable {
    /// Tell the player, and in the log who said so.
    case tell(isLocked: Bool, source: String)
    /// Report ``Report/requestExpired(_:)`` after ``patience``.
    case awaitConfirmation(request: Int)
    /// Ask these sources how things are.
    case ask([Source])
  }

  /// How long a request stands without a source that confirms it. A locker takes a second or two to draw.
  package static let patience = Duration.seconds(5)

  /// Whether the screen is locked, as the player was told.
  package private(set) var isLocked = false
  private var locking: Set<Source> = []
  /// Those that were asked since another has told of an unlock, and have not said anything yet.
  private var asked: Set<Source> = []
  /// The request that nobody has confirmed yet.
  private var request: Int?
  private var lastRequest = 0

  /// Nothing is known, and the screen counts as unlocked.
  package init() {}

  /// Takes one report and says what is to be done about it.
  package mutating func take(_ report: Report) -> [Effect] {
    if case .state(let source, _) = report { asked.remove(source) }
    switch report {
    case .state(let source, isLocked: true):
      locking.insert(source)
      // From here on it is the source's to say when the lock is over.
      request = nil
      return told(by: source.rawValue)
    case .state(let source, isLocked: false):
      guard locking.remove(source) != nil else { return [] }
      return told(by: source.rawValue) + askOthers()
    case .gone(let source):
      guard locking.remove(source) != nil else { return [] }
      return told(by: "the end of \(source.rawValue)")
    case .silent(let source):
      // Who hangs knows nothing of a screen that others have seen open.
      guard asked.remove(source) != nil, locking.remove(source) != nil else { return [] }
      return told(by: "\(source.rawValue), which does not answer")
    case .lockRequested:
      guard locking.isEmpty, request == nil else { return [] }
      lastRequest += 1
      request = lastRequest
      return told(by: "logind's Lock") + [.awaitConfirmation(request: lastRequest)]
    case .unlockRequested:
      request = nil
      return told(by: "logind's Unlock") + askOthers()
    case .requestExpired(let number):
      guard number == request else { return [] }
      request = nil
      return told(by: "logind's Lock, which nobody confirmed")
    }
  }

  private mutating func told(by source: String) -> [Effect] {
    let now = !locking.isEmpty || request != nil
    guard now != isLocked else { return [] }
    isLocked = now
    return [.tell(isLocked: now, source: source)]
  }

  /// Those that have not heard of an unlock.
  private mutating func askOthers() -> [Effect] {
    asked = locking
    return locking.isEmpty ? [] : [.ask(Source.allCases.filter(locking.contains))]
  }
}
