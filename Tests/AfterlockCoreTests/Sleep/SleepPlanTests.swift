import Testing

@testable import AfterlockCore

/// What is held against sleep, and what a sleep does (L2, L3).
@Suite struct SleepPlanTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var events: [SleepPlan.Event]
    var effects: [SleepPlan.Effect]
    var wanted: Set<SleepPlan.Inhibitor>

    init(
      _ name: String, _ events: [SleepPlan.Event], gives effects: [SleepPlan.Effect] = [],
      holds wanted: Set<SleepPlan.Inhibitor>
    ) {
      testDescription = name
      self.events = events
      self.effects = effects
      self.wanted = wanted
    }
  }

  private static let toSleep: [SleepPlan.Effect] = [.fallSilent(1), .watch(1)]
  private static let woken = SleepPlan.Effect.wake(source: "logind's PrepareForSleep")

  static let rows: [Row] = [
    Row("silence holds nothing", [], holds: []),
    Row("sound puts a sleep off and keeps an idle machine awake", [.sound(true)], holds: [.delay, .block]),
    Row("a pause lets go of everything", [.sound(true), .sound(false)], holds: []),
    Row(
      "where the desktop's own power manager holds, logind's block is let go of",
      [.sound(true), .desktopHolds(true)], holds: [.delay]),
    Row(
      "a power manager that goes leaves it to logind",
      [.sound(true), .desktopHolds(true), .desktopHolds(false)],
      holds: [.delay, .block]),
    Row(
      "until the sound has ended the sleep is put off", [.sound(true), .prepareForSleep(true)],
      gives: toSleep,
      holds: [.delay, .block]),
    Row(
      "once it is silent everything is let go of", [.sound(true), .prepareForSleep(true), .silent(1)],
      gives: toSleep, holds: []),
    Row(
      "after waking it is taken again",
      [.sound(true), .prepareForSleep(true), .silent(1)]
        + [.prepareForSleep(false)], gives: toSleep + [woken], holds: [.delay, .block]),
    Row(
      "a viewer who has paused in between wakes to silence with nothing held",
      [.sound(true), .prepareForSleep(true), .silent(1), .sound(false), .prepareForSleep(false)],
      gives: toSleep + [woken], holds: []),
    Row(
      "a sleep is told of in silence too", [.prepareForSleep(true), .silent(1), .prepareForSleep(false)],
      gives: toSleep + [woken], holds: []),
    Row(
      "one sleep that is told twice is one", [.prepareForSleep(true), .prepareForSleep(true)], gives: toSleep,
      holds: []),
    Row("a wake without a sleep is none", [.sound(true), .prepareForSleep(false)], holds: [.delay, .block]),
    Row(
      "a sleep that is called off at once ends before the silence, which then lets go of nothing",
      [.sound(true), .prepareForSleep(true), .prepareForSleep(false), .silent(1)], gives: toSleep + [woken],
      holds: [.delay, .block]),
    Row(
      "the silence of one sleep is not that of the next",
      [.sound(true), .prepareForSleep(true), .prepareForSleep(false), .prepareForSleep(true), .silent(1)],
      gives: toSleep + [woken, .fallSilent(2), .watch(2)], holds: [.delay, .block]),
    Row(
      "a logind that goes during a sleep does not keep the sound from going on",
      [.sound(true), .prepareForSleep(true), .silent(1), .gone],
      gives: toSleep + [.wake(source: "the end of logind")], holds: [.delay, .block]),
    Row(
      "a sleep that is long over is asked after, and ends where none is prepared",
      [.sound(true), .prepareForSleep(true), .silent(1), .overdue(1), .notAsleep(1)],
      gives: toSleep + [.ask(1), .wake(source: "logind, which prepares no sleep any more")],
      holds: [.delay, .block]),
    Row(
      "an answer about an earlier sleep ends none",
      [.prepareForSleep(true), .prepareForSleep(false), .overdue(1), .prepareForSleep(true), .notAsleep(1)],
      gives: toSleep + [woken, .fallSilent(2), .watch(2)], holds: []),
  ]

  @Test(arguments: rows)
  func `What happens decides what is held and what is done`(row: Row) {
    var plan = SleepPlan()
    #expect(row.events.flatMap { plan.take($0) } == row.effects)
    #expect(plan.wanted == row.wanted)
  }

  @Test(arguments: [UInt64](1...20))
  func `Whatever happens, each sleep has one end, and silence and sleep hold nothing`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var plan = SleepPlan()
    var hasSound = false
    var isAsleep = false
    var sleeps = 0
    for step in 0..<2_000 {
      let event: SleepPlan.Event =
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1: .sound(Bool.random(using: &generator))
        case 2: .desktopHolds(Bool.random(using: &generator))
        case 3, 4: .prepareForSleep(Bool.random(using: &generator))
        case 5, 6: .silent(max(sleeps - Int.random(in: 0...1, using: &generator), 1))
        case 7: .overdue(max(sleeps, 1))
        case 8: .notAsleep(max(sleeps, 1))
        default: .gone
        }
      let effects = plan.take(event)
      if case .sound(let runs) = event { hasSound = runs }
      for effect in effects {
        switch effect {
        case .fallSilent(let number):
          #expect(!isAsleep, "step \(step): a sleep within a sleep")
          sleeps += 1
          #expect(number == sleeps)
          isAsleep = true
        case .wake:
          #expect(isAsleep, "step \(step): woken without a sleep")
          isAsleep = false
        case .watch, .ask: #expect(isAsleep)
        }
      }
      if !hasSound { #expect(plan.wanted.isEmpty, "step \(step): silence holds \(plan.wanted)") }
      if hasSound, !isAsleep { #expect(plan.wanted.contains(.delay), "step \(step): sound holds nothing") }
    }
    _ = plan.take(.gone)
    _ = plan.take(.sound(true))
    #expect(plan.wanted.contains(.delay))
  }

  @Test func `Only sound that runs, or waits for the end of a sleep, keeps the machine awake`() {
    var snapshot = PlayerSnapshot()
    #expect(!SleepPlan.keepsAwake(snapshot))
    snapshot.intent = PlaybackIntent(wantsToPlay: true, origin: .viewer)
    for (state, keeps) in [
      (PlaybackState.stopped, false), (.loading, true), (.playing, true), (.ended, false),
    ] {
      snapshot.state = state
      #expect(SleepPlan.keepsAwake(snapshot) == keeps, "\(state)")
    }
    snapshot.state = .paused
    snapshot.suppression = .systemAsleep
    #expect(SleepPlan.keepsAwake(snapshot))
    for cause: PlaybackSuppression in [
      .routeLost, .serverLost, .screenLocked, .systemPaused, [.systemAsleep, .routeLost],
    ] {
      snapshot.suppression = cause
      #expect(!SleepPlan.keepsAwake(snapshot), "\(cause)")
    }
    snapshot.suppression = .systemAsleep
    snapshot.intent.wantsToPlay = false
    #expect(!SleepPlan.keepsAwake(snapshot))
  }

  @Test func `Only a video that is seen and runs keeps the screen on`() {
    var snapshot = PlayerSnapshot()
    snapshot.intent = PlaybackIntent(wantsToPlay: true, origin: .viewer)
    snapshot.state = .playing
    #expect(SleepPlan.keepsScreenOn(snapshot, showsVideo: true))
    #expect(!SleepPlan.keepsScreenOn(snapshot, showsVideo: false))
    snapshot.intent.wantsToPlay = false
    #expect(!SleepPlan.keepsScreenOn(snapshot, showsVideo: true))
  }
}
