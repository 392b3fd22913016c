import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

/// Random lives of random apps: whatever happens in whatever order, some things never do.
@Suite(.computesForLong) struct PhoneWalkTests {
  private static let actions: [ScenarioAction] = [
    .play, .pause, .toggle, .stop, .next, .previous, .seek(to: .seconds(5)), .volume(to: 0), .volume(to: 80),
    .addLayer, .dropLayer, .remotePlay, .remotePause, .remoteToggle, .remoteNext, .press,
    .sideButton(skipsInactive: true), .unlock, .switchApp, .returnToApp, .openControlCenter,
    .closeControlCenter, .ringSwitchSilent, .ringSwitchRing, .call,
    .beginInterruption(.alarm, pauseSeen: .after), .beginInterruption(.otherAudio, pauseSeen: .afterEnd),
    .endInterruption(shouldResume: true), .endInterruption(shouldResume: false),
    .endInterruption(shouldResume: nil), .unplugRoute, .plugRoute, .killServer, .startServer, .failItem,
    .endItem,
  ]

  private static func app(_ generator: inout SeededGenerator) -> AppParts {
    var app = AppParts()
    if Bool.random(using: &generator) { return app }
    app.backgroundModes = Bool.random(using: &generator) ? ["audio"] : []
    app.category = AudioSession.Category.allCases.randomElement(using: &generator) ?? .playback
    app.activatesSession = AppParts.SessionHabit.allCases.randomElement(using: &generator) ?? .beforePlay
    app.backgroundPolicy =
      PolicyConfiguration.BackgroundPolicy.allCases.randomElement(using: &generator) ?? .automatic
    app.detachesLayersAt =
      PolicyConfiguration.DetachMoment.allCases.randomElement(using: &generator) ?? .never
    app.disablesVideoTracks = Bool.random(using: &generator)
    app.decidesBy = Bool.random(using: &generator) ? .intent : .state
    app.undoesSystemPause = Bool.random(using: &generator)
    app.onRouteLoss = Bool.random(using: &generator) ? .pause : .follow
    return app
  }

  /// One life; gives all that it was.
  private func walk(seed: UInt64) async -> ScenarioTimeline {
    var generator = SeededGenerator(seed: seed)
    let app = Self.app(&generator)
    let queue = [
      ScenarioItem(title: "One", kind: .video, duration: .seconds(15)),
      ScenarioItem(title: "Two", duration: .seconds(15)),
      ScenarioItem(title: "Three", kind: .video, source: .stream, duration: .seconds(15)),
    ]
    let bench = await PhoneBench(queue: queue) { $0 = app }
    var before = await bench.perform(.play)
    for _ in 0..<30 {
      let action = Self.actions.randomElement(using: &generator) ?? .play
      await bench.phone.advance(to: bench.recorder.now + .seconds(1))
      let idle = await bench.phone.scene()
      let moved = before.rate == 1 && before.item == idle.item
      let context = "seed \(seed), \(bench.recorder.now.secondsText) s, \(action.words)"
      #expect(
        idle.position == before.position + (moved ? .seconds(1) : .zero) || idle.item != before.item
          || idle.playback == .ended, "moved: \(context)")
      await bench.phone.perform(action)
      let scene = await bench.phone.scene()
      check(scene, bench.phone, context)
      bench.recorder.sample(scene)
      before = scene
    }
    let timeline = bench.recorder.finish()
    let rates = timeline.entries.filter { $0.kind == .rateChange && $0.reason != .setRateFailed }
    // A suspension is not told of, nor is a player's death; and one kind of interruption here tells late on purpose.
    let isPlain = !timeline.entries.contains {
      $0.text.contains("suspend") || $0.text.contains("service is killed") || $0.text.contains("otherAudio")
    }
    if isPlain {
      for (one, next) in zip(rates, rates.dropFirst()) where one.rate == next.rate {
        Issue.record("told twice: seed \(seed), \(next.time.secondsText) s: \(next.text)")
      }
    }
    return timeline
  }

  private func check(_ scene: SceneState, _ phone: SimulatedPhone, _ context: String) {
    let isStopped = scene.app == .suspended || scene.app == .ended
    #expect(!scene.isAudible || scene.rate == 1, "audible while held: \(context)")
    #expect(!isStopped || scene.rate == 0, "runs while stopped: \(context)")
    #expect(phone.interruption == nil || scene.rate == 0, "runs during an interruption: \(context)")
    #expect(!phone.isServiceDead || scene.rate == 0, "runs without the service: \(context)")
    #expect(!phone.isLocked || scene.app != .active, "active behind the lock: \(context)")
    let parts = phone.scenario.app
    if parts.detachesLayersAt == .willResignActive, parts.decidesBy == .intent, scene.app != .active,
      scene.app != .ended
    {
      #expect(scene.layers != .attached, "on screen and not in front: \(context)")
    }
    #expect(
      parts != AppParts() || scene.rate == 0 || scene.wantsToPlay, "runs though nobody wants it: \(context)")
    if parts == AppParts(), scene.wantsToPlay, scene.suppression.isEmpty, scene.item != nil, !isStopped,
      scene.playback != .ended
    {
      #expect(scene.rate == 1, "the fix is silent for no cause: \(context)")
    }
  }

  @Test func `Random lives never do what no phone does, and each is the same every time`() async {
    for seed in 0..<150 as Range<UInt64> {
      let life = await walk(seed: seed)
      if seed % 10 == 0 { #expect(await walk(seed: seed) == life) }
    }
  }
}
