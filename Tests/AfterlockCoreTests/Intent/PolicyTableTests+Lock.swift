import AfterlockCore

/// The lock of the desktop's screen (L1).
extension PolicyTableTests {
  private static let locked: [PlaybackEvent] = playing + [.lifecycle(.screenLocked)]
  private static let held: [PlaybackEffect] = [.detachLayers, .pause(reason: .screenLocked)]
  private static let released: [PlaybackEffect] = [.attachLayers, .start(reason: .screenUnlocked)]

  static let locks: [Row] = [
    Row(
      "a lock that is to pause holds, and the unlock goes on",
      [.lifecycle(.screenLocked), .lifecycle(.screenUnlocked)], gives: held + released, .playing, wants: true,
      with: { $0.onLock = .pauses }),
    Row(
      "while it is locked the wish stays and the lock holds", [.lifecycle(.screenLocked)], gives: held,
      .paused,
      wants: true, held: .screenLocked, with: { $0.onLock = .pauses }),
    Row(
      "an unlock starts nothing that the viewer had paused", given: paused,
      [.lifecycle(.screenLocked), .lifecycle(.screenUnlocked)], gives: [.detachLayers, .attachLayers],
      .paused, wants: false, with: { $0.onLock = .pauses }),
    Row(
      "an unlock starts nothing that the viewer has paused meanwhile", given: locked,
      [.pause(.viewer), .lifecycle(.screenUnlocked)], gives: [.attachLayers], .paused, wants: false,
      with: { $0.onLock = .pauses }),
    Row(
      "an unlock goes on with nothing that another cause holds", given: locked + [.routeLost],
      [.lifecycle(.screenUnlocked), .routeRestored],
      gives: [.attachLayers, .start(reason: .routeRestored)], .playing, wants: true,
      with: { $0.onLock = .pauses }),
    Row(
      "Play on the lock screen plays, and a second source of the same lock does not silence it",
      given: locked, [.play(PolicyWalk.remote), .lifecycle(.screenLocked)], gives: [start], .playing,
      wants: true, with: { $0.onLock = .pauses }),
    Row(
      "a toggle on the lock screen plays what the lock has paused", given: locked,
      [.togglePlayPause(PolicyWalk.remote)], gives: [start], .playing, wants: true,
      with: { $0.onLock = .pauses }),
    Row(
      "a Play by a program is none on a lock screen", given: locked, [.play(.system)], gives: [], .paused,
      wants: true, held: .screenLocked, with: { $0.onLock = .pauses }),
    Row(
      "the next lock pauses again", given: locked + [.play(.viewer), .lifecycle(.screenUnlocked)],
      [.lifecycle(.screenLocked)], gives: held, .paused, wants: true, held: .screenLocked,
      with: { $0.onLock = .pauses }),
    Row(
      "a sleep under a lock: the wake does not play, the unlock does", given: locked,
      [.lifecycle(.systemWillSleep), .lifecycle(.systemDidWake), .lifecycle(.screenUnlocked)],
      gives: released, .playing, wants: true, with: { $0.onLock = .pauses }),
    Row(
      "the confirmation of the lock's pause that comes late decides nothing",
      given: locked + [.lifecycle(.screenUnlocked)], [PolicyWalk.rate(0, .screenLocked)], gives: [], .playing,
      wants: true, with: { $0.onLock = .pauses }),
  ]
}
