/// What a desktop does when nobody touches it (L3): it locks its screen, and later it sleeps, unless it is asked not to.
struct IdleMachine {
  enum Event { case lock, sleep }

  /// How long until the screen locks.
  static let timeUntilLock = Duration.seconds(5 * 60)
  /// How long until the machine sleeps.
  static let timeUntilSleep = Duration.seconds(15 * 60)

  private var lockTimer: Duration?
  private var sleepTimer: Duration?
  private var keepsScreenOn = false
  private var keepsAwake = false

  /// Somebody touches it at `time`: both are far off again.
  mutating func touch(at time: Duration) {
    lockTimer = keepsScreenOn ? nil : time + Self.timeUntilLock
    sleepTimer = keepsAwake ? nil : time + Self.timeUntilSleep
  }

  /// What is asked of it from `time` on. Whoever takes a wish back has been there until then.
  mutating func set(keepsScreenOn: Bool, keepsAwake: Bool, at time: Duration) {
    if keepsScreenOn != self.keepsScreenOn { lockTimer = keepsScreenOn ? nil : time + Self.timeUntilLock }
    if keepsAwake != self.keepsAwake { sleepTimer = keepsAwake ? nil : time + Self.timeUntilSleep }
    (self.keepsScreenOn, self.keepsAwake) = (keepsScreenOn, keepsAwake)
  }

  /// A machine that sleeps is not idle; it wakes by being touched.
  mutating func stop() { (lockTimer, sleepTimer) = (nil, nil) }

  /// When the next one is due.
  var next: Duration? { [lockTimer, sleepTimer].compactMap(\.self).min() }

  /// Takes out what is due at `time`.
  mutating func takeDue(at time: Duration) -> [Event] {
    var due: [Event] = []
    if let timer = lockTimer, timer <= time { (lockTimer, due) = (nil, due + [.lock]) }
    if let timer = sleepTimer, timer <= time { (sleepTimer, due) = (nil, due + [.sleep]) }
    return due
  }
}
