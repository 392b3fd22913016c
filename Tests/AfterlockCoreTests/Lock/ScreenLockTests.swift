import Testing

@testable import AfterlockCore

/// Reports of several sources, and the one lock that they come to (L1).
@Suite struct ScreenLockTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var reports: [ScreenLock.Report]
    var effects: [ScreenLock.Effect]
    var isLocked: Bool

    init(
      _ name: String, _ reports: [ScreenLock.Report], gives effects: [ScreenLock.Effect], isLocked: Bool
    ) {
      testDescription = name
      self.reports = reports
      self.effects = effects
      self.isLocked = isLocked
    }
  }

  private static func locks(_ source: ScreenLock.Source) -> ScreenLock.Report {
    .state(source, isLocked: true)
  }
  private static func unlocks(_ source: ScreenLock.Source) -> ScreenLock.Report {
    .state(source, isLocked: false)
  }
  private static func locked(_ source: String) -> ScreenLock.Effect { .tell(isLocked: true, source: source) }
  private static func unlocked(_ source: String) -> ScreenLock.Effect {
    .tell(isLocked: false, source: source)
  }

  static let rows: [Row] = [
    Row(
      "one lock that three sources tell of is one lock, and over with the last",
      [locks(.gnome), locks(.lockedHint), locks(.freedesktop), unlocks(.lockedHint), unlocks(.gnome)]
        + [unlocks(.freedesktop)],
      gives: [
        locked("org.gnome.ScreenSaver"), .ask([.gnome, .freedesktop]), .ask([.freedesktop]),
        unlocked("org.freedesktop.ScreenSaver"),
      ], isLocked: false),
    Row(
      "any source is enough", [locks(.lockedHint)], gives: [locked("logind's LockedHint")], isLocked: true),
    Row(
      "a source that repeats itself says nothing new",
      [locks(.gnome), locks(.gnome), unlocks(.gnome), unlocks(.gnome)],
      gives: [locked("org.gnome.ScreenSaver"), unlocked("org.gnome.ScreenSaver")], isLocked: false),
    Row(
      "an open screen is no news at the start", [unlocks(.gnome), unlocks(.lockedHint)], gives: [],
      isLocked: false),
    Row(
      "an open screen says nothing against another source's lock", [locks(.lockedHint), unlocks(.gnome)],
      gives: [locked("logind's LockedHint")], isLocked: true),
    Row(
      "a source that goes does not keep the screen locked", [locks(.gnome), .gone(.gnome)],
      gives: [locked("org.gnome.ScreenSaver"), unlocked("the end of org.gnome.ScreenSaver")], isLocked: false),
    Row(
      "a source that does not answer after another's unlock does not keep the screen locked",
      [locks(.gnome), locks(.lockedHint), unlocks(.lockedHint), .silent(.gnome)],
      gives: [
        locked("org.gnome.ScreenSaver"), .ask([.gnome]),
        unlocked("org.gnome.ScreenSaver, which does not answer"),
      ], isLocked: false),
    Row(
      "a source that is not there at the start, or has told of a lock since it was asked, stays as it is",
      [.silent(.freedesktop), locks(.gnome), .unlockRequested, locks(.gnome), .silent(.gnome)],
      gives: [locked("org.gnome.ScreenSaver"), .ask([.gnome])], isLocked: true),
    Row(
      "a source that goes takes only its own word along", [locks(.gnome), locks(.lockedHint), .gone(.gnome)],
      gives: [locked("org.gnome.ScreenSaver")], isLocked: true),
    Row(
      "a source that only tells of locks is asked when another tells of the unlock",
      [locks(.freedesktop), locks(.lockedHint), unlocks(.lockedHint), unlocks(.freedesktop)],
      gives: [
        locked("org.freedesktop.ScreenSaver"), .ask([.freedesktop]), unlocked("org.freedesktop.ScreenSaver"),
      ], isLocked: false),
    Row(
      "a request counts at once", [.lockRequested],
      gives: [locked("logind's Lock"), .awaitConfirmation(request: 1)], isLocked: true),
    Row(
      "a request that nobody confirms is over", [.lockRequested, .requestExpired(1)],
      gives: [
        locked("logind's Lock"), .awaitConfirmation(request: 1),
        unlocked("logind's Lock, which nobody confirmed"),
      ], isLocked: false),
    Row(
      "a request that is confirmed lasts as long as the source says, and is no second lock",
      [.lockRequested, locks(.gnome), .requestExpired(1), .lockRequested, unlocks(.gnome)],
      gives: [
        locked("logind's Lock"), .awaitConfirmation(request: 1), unlocked("org.gnome.ScreenSaver"),
      ], isLocked: false),
    Row(
      "a request that is confirmed is over with the source's own word",
      [.lockRequested, locks(.gnome), unlocks(.gnome)],
      gives: [
        locked("logind's Lock"), .awaitConfirmation(request: 1), unlocked("org.gnome.ScreenSaver"),
      ], isLocked: false),
    Row(
      "a source that is still open says nothing against a request", [.lockRequested, unlocks(.gnome)],
      gives: [locked("logind's Lock"), .awaitConfirmation(request: 1)], isLocked: true),
    Row(
      "an Unlock takes an unconfirmed request back", [.lockRequested, .unlockRequested],
      gives: [locked("logind's Lock"), .awaitConfirmation(request: 1), unlocked("logind's Unlock")],
      isLocked: false),
    Row(
      "an Unlock is a request too: who says locked is asked", [locks(.gnome), .unlockRequested],
      gives: [locked("org.gnome.ScreenSaver"), .ask([.gnome])], isLocked: true),
    Row(
      "the patience with one request is not that with the next",
      [.lockRequested, .unlockRequested, .lockRequested, .requestExpired(1)],
      gives: [
        locked("logind's Lock"), .awaitConfirmation(request: 1), unlocked("logind's Unlock"),
        locked("logind's Lock"), .awaitConfirmation(request: 2),
      ], isLocked: true),
  ]

  @Test(arguments: rows)
  func `What sources say comes to one lock`(row: Row) {
    var lock = ScreenLock()
    #expect(row.reports.flatMap { lock.take($0) } == row.effects)
    #expect(lock.isLocked == row.isLocked)
  }

  @Test(arguments: [UInt64](1...20))
  func `Whatever they say in whatever order, the screen is locked while one says so, told once`(seed: UInt64)
  {
    var generator = SeededGenerator(seed: seed)
    var lock = ScreenLock()
    // What an onlooker knows.
    var saying: Set<ScreenLock.Source> = []
    var asked: Set<ScreenLock.Source> = []
    var pending: Int?
    var requests = 0
    var toldLocked = false
    for step in 0..<2_000 {
      let source = ScreenLock.Source.allCases.randomElement(using: &generator) ?? .gnome
      let report: ScreenLock.Report =
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: .state(source, isLocked: true)
        case 2, 3: .state(source, isLocked: false)
        case 4: .gone(source)
        case 7: .silent(source)
        case 5: .lockRequested
        default: Bool.random(using: &generator) ? .unlockRequested : .requestExpired(max(requests, 1))
        }
      let effects = lock.take(report)
      if case .state(let source, _) = report { asked.remove(source) }
      switch report {
      case .state(let source, isLocked: true):
        saying.insert(source)
        pending = nil
      case .state(let source, isLocked: false): if saying.remove(source) != nil { asked = saying }
      case .gone(let source): saying.remove(source)
      case .silent(let source): if asked.remove(source) != nil { saying.remove(source) }
      case .lockRequested:
        if saying.isEmpty, pending == nil {
          requests += 1
          pending = requests
        }
      case .unlockRequested: (pending, asked) = (nil, saying)
      case .requestExpired(let number): if pending == number { pending = nil }
      }
      let isLocked = !saying.isEmpty || pending != nil
      #expect(lock.isLocked == isLocked, "step \(step): \(report)")
      for case .tell(let isLocked, _) in effects {
        #expect(isLocked != toldLocked, "step \(step): told twice of \(report)")
        toldLocked = isLocked
      }
      #expect(toldLocked == isLocked, "step \(step): not told of \(report)")
      // Whoever is waited for is waited for once.
      let awaited = effects.contains { if case .awaitConfirmation = $0 { true } else { false } }
      #expect(awaited == (report == .lockRequested && pending == requests && !effects.isEmpty))
    }
    for source in ScreenLock.Source.allCases { _ = lock.take(.gone(source)) }
    _ = lock.take(.requestExpired(requests))
    #expect(!lock.isLocked, "nobody is left who says so")
  }
}
