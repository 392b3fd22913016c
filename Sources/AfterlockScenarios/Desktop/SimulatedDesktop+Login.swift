import AfterlockCore

/// Screen, sleep and session bus (L1–L3, L9).
extension SimulatedDesktop {
  // MARK: The lock

  /// Each source tells of it by itself, in a fixed order. Screen savers tell over the session bus (L1, L9).
  func tell(_ sources: Set<ScenarioAction.LockSource>, isLocked: Bool) async {
    for source in ScenarioAction.LockSource.allCases where sources.contains(source) {
      guard let screenSource = source.screenSource else {
        await take(isLocked ? .lockRequested : .unlockRequested)
        continue
      }
      if isLocked { lockedBy.insert(screenSource) } else { lockedBy.remove(screenSource) }
      if hears(screenSource) { await take(.state(screenSource, isLocked: isLocked)) }
    }
  }

  /// Without the rule the app listens to logind's state alone (L1).
  private func hears(_ source: ScreenLock.Source) -> Bool {
    source == .lockedHint || hasBus && rules.has(.lockSources)
  }

  /// What the app hears of the lock. Without the rule it takes each word for a lock or an unlock of its own (L1).
  func take(_ report: ScreenLock.Report) async {
    guard rules.has(.oneLock) else {
      switch report {
      case .state(let source, let isLocked): await tellApp(isLocked: isLocked, source.rawValue)
      case .lockRequested: await tellApp(isLocked: true, "logind's Lock")
      case .unlockRequested: await tellApp(isLocked: false, "logind's Unlock")
      case .gone, .silent, .requestExpired: break
      }
      return
    }
    for effect in screenLock.take(report) {
      switch effect {
      case .tell(let isLocked, let source): await tellApp(isLocked: isLocked, source)
      case .awaitConfirmation(let request):
        agenda.note(.lockRequestExpires(request), at: recorder.now + ScreenLock.patience)
      case .ask(let sources):
        for source in sources {
          await take(hears(source) ? .state(source, isLocked: lockedBy.contains(source)) : .silent(source))
        }
      }
    }
  }

  private func tellApp(isLocked: Bool, _ source: String) async {
    app.coordinator.report(isLocked ? .screenLocked : .screenUnlocked, from: source)
    await app.catchUp()
    await settle()
  }

  // MARK: Sleep

  /// logind tells of it and waits for those that hold a delay lock; then nothing runs (L2).
  func sleep() async {
    guard !isAsleep else { return }
    isAsleep = true
    if rules.has(.sleepNotice) { await take(.prepareForSleep(true)) }
    idle.stop()
  }

  /// - Parameter isTold: logind's word that the sleep is over arrives. Where it does not, the app asks after a while (L2).
  func wake(isTold: Bool) async {
    guard isAsleep else { return }
    isAsleep = false
    idle.touch(at: recorder.now)
    if isTold, rules.has(.wakeNotice) { await take(.prepareForSleep(false)) }
  }

  /// What the app hears of sleep, and what it does about it.
  func take(_ event: SleepPlan.Event) async {
    for effect in sleepPlan.take(event) {
      switch effect {
      case .fallSilent(let sleep):
        app.coordinator.report(.systemWillSleep, from: "logind's PrepareForSleep")
        await app.catchUp()
        await settle()
        await take(.silent(sleep))
      case .watch(let sleep): agenda.note(.sleepIsOverdue(sleep), at: recorder.now + SleepPlan.patience)
      case .ask(let sleep):
        // A machine that sleeps is said to prepare one.
        if isAsleep {
          agenda.note(.sleepIsOverdue(sleep), at: recorder.now + SleepPlan.patience)
        } else if rules.has(.sleepQuestion) {
          await take(.notAsleep(sleep))
        }
      case .wake(let source):
        app.coordinator.report(.systemDidWake, from: source)
        await app.catchUp()
        await settle()
      }
    }
  }

  // MARK: Idleness

  /// An idle desktop locks and sleeps by itself (L3).
  func carryOut(_ event: IdleMachine.Event) async {
    switch event {
    case .lock:
      guard rules.has(.idleLock), lockedBy.isEmpty else { return }
      recorder.record(.platform, "nobody is there: the screen locks")
      await tell([.lockedHint, .gnome, .freedesktop], isLocked: true)
    case .sleep:
      guard rules.has(.idleSleep) else { return }
      recorder.record(.platform, "nobody is there: the machine sleeps")
      await sleep()
    }
  }

  /// Brings what is held against sleep and screen saver to what the player does (L3).
  func followPlayer() async {
    let snapshot = await app.coordinator.snapshot
    await take(.sound(SleepPlan.keepsAwake(snapshot)))
    guard !isAsleep else { return }
    let keepsScreenOn = SleepPlan.keepsScreenOn(snapshot, showsVideo: showsVideo(snapshot))
    idle.set(
      keepsScreenOn: keepsScreenOn && rules.has(.screenInhibitor),
      keepsAwake: sleepPlan.wanted.contains(.block) && rules.has(.sleepInhibitor), at: recorder.now)
  }

  private func showsVideo(_ snapshot: PlayerSnapshot) -> Bool {
    guard let item = app.item(of: snapshot), scenario.queue[item].kind == .video else { return false }
    return lockedBy.isEmpty && layers.contains(where: \.isAttached)
  }

  // MARK: The session bus

  /// Nothing reaches the app over it any more, and no screen saver says anything (L9).
  func killBus() async {
    guard rules.has(.busLoss), hasBus else { return }
    (hasBus, hasName) = (false, false)
    for source in [ScreenLock.Source.gnome, .freedesktop] { await take(.gone(source)) }
  }

  /// The app takes its name again, and asks the screen savers how things are (L9).
  func startBus() async {
    guard !hasBus, rules.has(.busReturn) else { return }
    (hasBus, hasName) = (true, true)
    for source in [ScreenLock.Source.gnome, .freedesktop] {
      await take(.state(source, isLocked: lockedBy.contains(source)))
    }
  }
}

extension ScenarioAction.LockSource {
  /// Who it is to the app; `nil` for a request, which is no state.
  fileprivate var screenSource: ScreenLock.Source? {
    switch self {
    case .request: nil
    case .lockedHint: .lockedHint
    case .gnome: .gnome
    case .freedesktop: .freedesktop
    }
  }
}
