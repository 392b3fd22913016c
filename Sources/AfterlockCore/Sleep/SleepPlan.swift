/// What is held against sleep, and what becomes of the sound at one (L2, L3): a value without a bus and without a clock.
///
/// While sound runs two things are held. The `delay` lock gives the time that the sound needs to end before the machine
/// sleeps; nobody needs it in silence, so it is let go of with every pause. The `block` lock keeps an idle machine from
/// sleeping. It is for `sleep` and not for `idle`, since idle watchers lock the screen and blank it, and take an `idle`
/// lock as a wish for neither. Where the desktop's own power manager is asked instead (GNOME's, KDE's or Xfce's) logind's `block`
/// lock is not taken: it would also stand against a person's own word to sleep.
package struct SleepPlan: Hashable, Sendable {
  /// What is held at logind.
  package enum Inhibitor: String, Hashable, Sendable, CaseIterable {
    /// Puts a sleep off until the sound has ended.
    case delay
    /// Keeps the machine from sleeping.
    case block
  }

  /// What is heard.
  package enum Event: Hashable, Sendable {
    /// Sound runs, or would but for the sleep: see ``keepsAwake(_:)``.
    case sound(Bool)
    /// The desktop's power manager keeps the machine awake.
    case desktopHolds(Bool)
    /// logind's `PrepareForSleep`.
    case prepareForSleep(Bool)
    /// The sound has ended, or had its time, before the sleep of this number.
    case silent(Int)
    /// It is time to ask whether the sleep of this number is over.
    case overdue(Int)
    /// logind says that no sleep is being prepared, or says nothing.
    case notAsleep(Int)
    /// logind or its bus has gone.
    case gone
  }

  /// What is to be done about it, after the inhibitors have been brought to what is ``wanted``.
  package enum Effect: Hashable, Sendable {
    /// Tell the player of the sleep, and report ``Event/silent(_:)`` when it is silent, within ``limit`` in any case.
    case fallSilent(Int)
    /// Report ``Event/overdue(_:)`` after ``patience``.
    case watch(Int)
    /// Ask logind whether a sleep is being prepared, and report ``Event/notAsleep(_:)`` or ``Event/overdue(_:)`` again.
    case ask(Int)
    /// Tell the player that the machine is awake, and in the log who said so.
    case wake(source: String)
  }

  private enum Phase: Hashable { case awake, fallingAsleep, asleep }

  /// How long the sound may take to end; of the 250 ms of the rule some are the bus's (L2).
  package static let limit = Duration.milliseconds(200)
  /// How long a sleep goes by without a question: logind may have lost the word that it is over.
  package static let patience = Duration.seconds(30)

  private var phase = Phase.awake
  private var hasSound = false
  private var desktopHolds = false
  private var sleep = 0

  /// Awake and silent.
  package init() {}

  /// Whether the machine is to stay awake for what the player does: while sound runs, and while it only waits for the end
  /// of a sleep.
  package static func keepsAwake(_ snapshot: PlayerSnapshot) -> Bool {
    guard snapshot.intent.wantsToPlay, snapshot.suppression.isSubset(of: .systemAsleep) else { return false }
    return snapshot.state != .stopped && snapshot.state != .ended
  }

  /// Whether the screen is to stay on and unlocked: only while somebody watches, so not for sound alone (L3).
  package static func keepsScreenOn(_ snapshot: PlayerSnapshot, showsVideo: Bool) -> Bool {
    showsVideo && keepsAwake(snapshot)
  }

  /// What is to be held now. Until the sound has ended the sleep is put off.
  package var wanted: Set<Inhibitor> {
    guard hasSound, phase != .asleep else { return [] }
    return desktopHolds ? [.delay] : [.delay, .block]
  }

  /// Takes one event and says what is to be done about it.
  package mutating func take(_ event: Event) -> [Effect] {
    switch event {
    case .sound(let runs): hasSound = runs
    case .desktopHolds(let holds): desktopHolds = holds
    case .prepareForSleep(true):
      guard phase == .awake else { return [] }
      phase = .fallingAsleep
      sleep += 1
      return [.fallSilent(sleep), .watch(sleep)]
    case .prepareForSleep(false): return wake(source: "logind's PrepareForSleep")
    case .silent(let number):
      guard number == sleep, phase == .fallingAsleep else { return [] }
      phase = .asleep
    case .overdue(let number):
      guard number == sleep, phase != .awake else { return [] }
      return [.ask(number)]
    case .notAsleep(let number):
      guard number == sleep else { return [] }
      return wake(source: "logind, which prepares no sleep any more")
    case .gone: return wake(source: "the end of logind")
    }
    return []
  }

  private mutating func wake(source: String) -> [Effect] {
    guard phase != .awake else { return [] }
    phase = .awake
    return [.wake(source: source)]
  }
}
