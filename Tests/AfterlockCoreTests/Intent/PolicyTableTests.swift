import AfterlockCore
import Testing

/// Event sequences and what they must come to, rule by rule.
@Suite struct PolicyTableTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var configuration = PolicyConfiguration()
    var given: [PlaybackEvent] = PolicyTableTests.playing
    var events: [PlaybackEvent]
    var effects: [PlaybackEffect]
    var state: PlaybackState
    var wants: Bool
    var held: PlaybackSuppression = []

    init(
      _ name: String, given: [PlaybackEvent] = PolicyTableTests.playing, _ events: [PlaybackEvent],
      gives effects: [PlaybackEffect], _ state: PlaybackState, wants: Bool, held: PlaybackSuppression = [],
      with configure: (inout PolicyConfiguration) -> Void = { _ in }
    ) {
      testDescription = name
      self.given = given
      self.events = events
      self.effects = effects
      self.state = state
      self.wants = wants
      self.held = held
      configure(&configuration)
    }
  }

  static let playing: [PlaybackEvent] = [.play(.viewer), .itemReady]
  static let paused: [PlaybackEvent] = [.play(.viewer), .itemReady, .pause(.viewer)]
  static let start = PlaybackEffect.start(reason: .setRateCalled)
  static let pause = PlaybackEffect.pause(reason: .setRateCalled)

  @Test(arguments: commands + phone + desktop + locks + routes)
  func `A sequence of events has these effects`(row: Row) {
    var policy = PlaybackPolicy(configuration: row.configuration)
    for event in row.given { _ = policy.handle(event) }
    let effects = row.events.flatMap { policy.handle($0) }
    #expect(effects == row.effects)
    #expect(policy.state == row.state)
    #expect(policy.intent.wantsToPlay == row.wants)
    #expect(policy.suppression == row.held, "held by \(policy.suppression)")
  }

  @Test func `Every cause that holds has a bit and a name of its own`() {
    let names = (0..<16).map { PlaybackSuppression(rawValue: 1 << $0).causes }
    #expect(names.allSatisfy { $0.count <= 1 }, "\(names)")
    #expect(Set(names.joined()).count == names.joined().count)
    #expect(PlaybackSuppression(rawValue: .max).causes.count >= 11)
  }

  @Test func `The intent remembers who said so last`() {
    var policy = PlaybackPolicy()
    _ = policy.handle(.play(.viewer))
    _ = policy.handle(.pause(PolicyWalk.remote))
    #expect(policy.intent == PlaybackIntent(wantsToPlay: false, origin: PolicyWalk.remote))
    _ = policy.handle(.play(.system))
    #expect(policy.intent == PlaybackIntent(wantsToPlay: false, origin: PolicyWalk.remote))
  }

  static let commands: [Row] = [
    Row(
      "the first Play loads, activates the session right before the start (P3), and starts", given: [],
      [.play(.viewer)], gives: [.load, .activateSession, start], .loading, wants: true),
    Row("an item that opens plays", given: [.play(.viewer)], [.itemReady], gives: [], .playing, wants: true),
    Row(
      "an item that was loaded without a wish is held", given: [.itemSelected], [.itemReady], gives: [],
      .paused, wants: false),
    Row("Play is idempotent (MPRIS)", [.play(.viewer)], gives: [], .playing, wants: true),
    Row("Pause pauses", [.pause(.viewer)], gives: [pause], .paused, wants: false),
    Row("Pause is idempotent (MPRIS)", given: paused, [.pause(.viewer)], gives: [], .paused, wants: false),
    Row(
      "Stop lets go of the item (MPRIS)", [.stop(.viewer)], gives: [pause, .unload], .stopped, wants: false),
    Row(
      "Stop is idempotent (MPRIS)", given: [.play(.viewer), .stop(.viewer)], [.stop(.viewer)], gives: [],
      .stopped, wants: false),
    Row(
      "Play after Stop begins anew (MPRIS)", given: [.play(.viewer), .stop(.viewer)], [.play(.viewer)],
      gives: [.load, start], .loading, wants: true),
    Row("a toggle pauses what plays", [.togglePlayPause(.viewer)], gives: [pause], .paused, wants: false),
    Row(
      "a toggle plays what is paused", given: paused, [.togglePlayPause(.viewer)], gives: [start], .playing,
      wants: true),
    Row(
      "a toggle starts what is stopped (MPRIS PlayPause)", given: [], [.togglePlayPause(.viewer)],
      gives: [.load, .activateSession, start], .loading, wants: true),
    Row(
      "a toggle while the server is away takes the wish back", given: playing + [.serverLost],
      [.togglePlayPause(.viewer)], gives: [], .paused, wants: false, held: .serverLost),
    Row(
      "a toggle in the silence after an unwelcome interruption means play",
      given: playing + [.lifecycle(.interruptionBegan), .lifecycle(.interruptionEnded(shouldResume: false))],
      [.togglePlayPause(.viewer)], gives: [.activateSession, start], .playing, wants: true),
    Row(
      "the end of the queue holds the engine and keeps the wish", [.queueEnded],
      gives: [.pause(reason: .endOfQueue)], .ended, wants: true),
    Row(
      "an item added after the end plays, since it is still wanted", given: playing + [.queueEnded],
      [.itemSelected, .itemReady], gives: [start], .playing, wants: true),
    Row(
      "Play after the end begins anew", given: playing + [.queueEnded], [.play(.viewer)],
      gives: [.load, start], .loading, wants: true),
    Row("the next item plays on", [.itemSelected, .itemReady], gives: [], .playing, wants: true),
    Row(
      "the next item of a paused player stays paused (MPRIS)", given: paused, [.itemSelected, .itemReady],
      gives: [], .paused, wants: false),
    Row(
      "a Pause from the system is not the viewer's (L4)", [.pause(.system)], gives: [pause], .paused,
      wants: true, held: .systemPaused),
    Row(
      "a Play from the system starts nothing against the wish", given: paused, [.play(.system)], gives: [],
      .paused, wants: false),
  ]

  static let phone: [Row] = [
    Row(
      "the side button: layers go before the system's pause (P6)",
      [.lifecycle(.willResignActive), .lifecycle(.didEnterBackground)], gives: [.detachLayers], .playing,
      wants: true),
    Row(
      "back in front the layers come back (P4)",
      given: playing + [.lifecycle(.willResignActive), .lifecycle(.didEnterBackground)],
      [.lifecycle(.willEnterForeground), .lifecycle(.didBecomeActive)], gives: [.attachLayers], .playing,
      wants: true),
    Row(
      "a detach at did-enter-background comes after the system's pause, which is undone (P6, P8)",
      [
        .lifecycle(.willResignActive), PolicyWalk.rate(0, .appBackgrounded), .lifecycle(.didEnterBackground),
      ], gives: [start, .detachLayers], .playing, wants: true,
      with: { $0.detachesLayersAt = .didEnterBackground }
    ),
    Row(
      "a lock that skips inactive: by intent it goes on (P7)",
      [PolicyWalk.rate(0, .appBackgrounded), .lifecycle(.didEnterBackground)], gives: [start, .detachLayers],
      .playing, wants: true),
    Row(
      "a lock that skips inactive: by state it gives up (P7)",
      [PolicyWalk.rate(0, .appBackgrounded), .lifecycle(.didEnterBackground)], gives: [], .paused,
      wants: true, held: .systemPaused, with: { $0.decidesBy = .state }),
    Row(
      "a system pause is left alone when that part is off, also back in front (P8)",
      [PolicyWalk.rate(0, .appBackgrounded), .lifecycle(.didBecomeActive)], gives: [], .paused, wants: true,
      held: .systemPaused, with: { $0.undoesSystemPause = false }),
    Row(
      "a system pause is never undone against the wish (P8)", given: paused,
      [PolicyWalk.rate(0, .appBackgrounded)], gives: [], .paused, wants: false),
    Row(
      "a player that pauses in the background is held until it is active (P5)",
      [PolicyWalk.rate(0, .appBackgrounded), .lifecycle(.didBecomeActive)], gives: [start], .playing,
      wants: true, with: { $0.backgroundPolicy = .pauses }),
    Row(
      "an unknown reason is not undone at once", [PolicyWalk.rate(0, .unheardOf)], gives: [], .paused,
      wants: true, held: .systemPaused),
    Row(
      "a start that failed is not tried again at once (P8)", [PolicyWalk.rate(0, .setRateFailed)], gives: [],
      .paused, wants: true, held: .startFailed),
    Row(
      "a start that failed is tried again on the viewer's word",
      given: playing + [
        PolicyWalk.rate(0, .setRateFailed)
      ], [.play(.viewer)], gives: [start], .playing, wants: true),
    Row(
      "a start that nobody wished for is taken back", given: paused, [PolicyWalk.rate(1, .setRateCalled)],
      gives: [pause], .paused, wants: false),
    Row(
      "an interruption holds, and its end goes on with an active session (P11, P13)",
      [.lifecycle(.interruptionBegan), .lifecycle(.interruptionEnded(shouldResume: true))],
      gives: [.pause(reason: .interruptionBegan), .activateSession, start], .playing, wants: true),
    Row(
      "an interruption that ends without its options goes on (P11)",
      given: playing + [.lifecycle(.interruptionBegan)], [.lifecycle(.interruptionEnded(shouldResume: nil))],
      gives: [.activateSession, start], .playing, wants: true),
    Row(
      "an interruption that ends without leave waits for the viewer (P11)",
      given: playing + [.lifecycle(.interruptionBegan)],
      [.lifecycle(.interruptionEnded(shouldResume: false))], gives: [], .paused, wants: true,
      held: .resumeNotAdvised),
    Row(
      "the forced pause before the notice waits for it (P11)",
      [PolicyWalk.rate(0, .audioSessionInterrupted)], gives: [], .paused, wants: true,
      held: .audioSessionInterrupted),
    Row(
      "the forced pause before the notice, whole (P11)",
      [
        PolicyWalk.rate(0, .audioSessionInterrupted), .lifecycle(.interruptionBegan),
        .lifecycle(.interruptionEnded(shouldResume: true)),
      ], gives: [.activateSession, start], .playing, wants: true),
    Row(
      "the forced pause after the end of the interruption is undone (P11)",
      given: playing + [.lifecycle(.interruptionBegan), .lifecycle(.interruptionEnded(shouldResume: true))],
      [PolicyWalk.rate(0, .audioSessionInterrupted)], gives: [start], .playing, wants: true),
    Row(
      "the player's own pause for an interruption is not the forced one (P11)",
      given: playing + [
        .lifecycle(.interruptionBegan), PolicyWalk.rate(0, .interruptionBegan),
        .lifecycle(.interruptionEnded(shouldResume: true)),
      ],
      [PolicyWalk.rate(0, .audioSessionInterrupted)], gives: [start], .playing, wants: true),
    Row(
      "a forced pause counts as late once only: the next one comes before a notice of its own (P11)",
      given: playing + [
        .lifecycle(.interruptionBegan), PolicyWalk.rate(0, .audioSessionInterrupted),
        .lifecycle(.interruptionEnded(shouldResume: true)),
      ],
      [PolicyWalk.rate(0, .audioSessionInterrupted)], gives: [], .paused, wants: true,
      held: .audioSessionInterrupted),
    Row(
      "pausing during an interruption is the viewer's word, and its end starts nothing",
      given: playing + [.lifecycle(.interruptionBegan), .pause(.viewer)],
      [.lifecycle(.interruptionEnded(shouldResume: true))], gives: [], .paused, wants: false),
    Row(
      "a suspended app goes on when it runs again (P1)",
      [.lifecycle(.appSuspended), .lifecycle(.appResumed)],
      gives: [.pause(reason: .appSuspended), start], .playing, wants: true),
    Row(
      "a session that somebody deactivates holds, until it is active again (P3)",
      [.lifecycle(.sessionDeactivated), .lifecycle(.sessionActivated)],
      gives: [.pause(reason: .sessionInactive), start], .playing, wants: true),
  ]

  static let routes: [Row] = [
    Row(
      "a headset that goes pauses once, and the wish is kept (L5)", [.sinkLost(.headset), .sinkLost(.other)],
      gives: [.pause(reason: .routeLost)], .paused, wants: true, held: .sinkLost),
    Row(
      "a headset that goes waits for the viewer's word (L5)", given: playing + [.sinkLost(.headset)],
      [.play(.viewer)], gives: [start], .playing, wants: true),
    Row(
      "a media key is the viewer's word (L5)", given: playing + [.sinkLost(.bluetooth)],
      [.togglePlayPause(PolicyWalk.remote)], gives: [start], .playing, wants: true),
    Row(
      "nothing else starts it: no other sink, no same one, no waking, no server (L5)",
      given: playing + [.routeLost, .sinkLost(.usb)],
      [
        .routeRestored, .lifecycle(.systemWillSleep), .lifecycle(.systemDidWake), .serverLost,
        .serverRestored, .itemSelected, .itemReady, .lifecycle(.didBecomeActive), .play(.system),
        .play(PolicyWalk.sessionManager),
      ], gives: [], .paused, wants: true, held: .sinkLost),
    Row(
      "an ordinary sink that goes has the next one take its place (L5)", [.sinkLost(.other)],
      gives: [.start(reason: .routeRestored)], .playing, wants: true),
    Row(
      "an ordinary sink that was the last one: the next one is enough (L6)", [.routeLost, .sinkLost(.other)],
      gives: [.pause(reason: .routeLost)], .paused, wants: true, held: .routeLost),
    Row(
      "who chose to pause pauses for every sink (L5)", [.sinkLost(.other)],
      gives: [.pause(reason: .routeLost)], .paused, wants: true, held: .sinkLost,
      with: { $0.onRouteLoss = .pause }),
    Row(
      "who chose to follow follows from a headset (L5)", [.sinkLost(.headset)],
      gives: [.start(reason: .routeRestored)], .playing, wants: true, with: { $0.onRouteLoss = .follow }),
    Row(
      "a headset that goes from a paused player changes nothing (L5)", given: paused,
      [.sinkLost(.headset), .play(.viewer)], gives: [start], .playing, wants: true),
    Row(
      "a Pause after the headset went is the viewer's, and a Play ends both (L5)",
      given: playing + [.sinkLost(.headset)], [.pause(.viewer), .play(.viewer)], gives: [start], .playing,
      wants: true),
    Row(
      "a headset that goes while the machine sleeps holds after it wakes (L2, L5)",
      given: playing + [.lifecycle(.systemWillSleep)], [.sinkLost(.headset), .lifecycle(.systemDidWake)],
      gives: [], .paused, wants: true, held: .sinkLost),
    Row(
      "a Pause from WirePlumber is a lost route, whenever it comes (L4)",
      [.pause(PolicyWalk.sessionManager)], gives: [.pause(reason: .routeLost)], .paused, wants: true,
      held: .sinkLost),
    Row(
      "a Stop and a toggle from WirePlumber are no more than that (L4)",
      [.stop(PolicyWalk.sessionManager), .togglePlayPause(PolicyWalk.sessionManager)],
      gives: [.pause(reason: .routeLost)], .paused, wants: true, held: .sinkLost),
    Row(
      "a Pause from WirePlumber before or after the loss pauses once (L4)",
      [.pause(PolicyWalk.sessionManager), .sinkLost(.headset), .pause(PolicyWalk.sessionManager)],
      gives: [.pause(reason: .routeLost)], .paused, wants: true, held: .sinkLost),
    Row(
      "a Pause from WirePlumber to a paused player holds nothing (L4)", given: paused,
      [.pause(PolicyWalk.sessionManager), .play(.viewer)], gives: [start], .playing, wants: true),
    Row(
      "who chose to follow is not paused by WirePlumber (L4)",
      [.sinkLost(.headset), .pause(PolicyWalk.sessionManager)], gives: [.start(reason: .routeRestored)],
      .playing, wants: true, with: { $0.onRouteLoss = .follow }),
  ]

  static let desktop: [Row] = [
    Row(
      "one lock told three times detaches once, and the sound goes on (L1)",
      [.lifecycle(.screenLocked), .lifecycle(.screenLocked), .lifecycle(.screenLocked)],
      gives: [.detachLayers], .playing, wants: true),
    Row(
      "an unlock attaches again (L1)", given: playing + [.lifecycle(.screenLocked)],
      [.lifecycle(.screenUnlocked), .lifecycle(.screenUnlocked)], gives: [.attachLayers], .playing,
      wants: true
    ),
    Row(
      "sleep holds and waking goes on by intent (L2)",
      [.lifecycle(.systemWillSleep), .lifecycle(.systemDidWake)],
      gives: [.pause(reason: .systemSleep), .start(reason: .systemWake)], .playing, wants: true),
    Row(
      "waking starts nothing that was paused (L2)", given: paused,
      [.lifecycle(.systemWillSleep), .lifecycle(.systemDidWake)], gives: [], .paused, wants: false),
    Row(
      "no sink: the wish is kept, and a sink is enough to go on (L6)", [.routeLost, .routeRestored],
      gives: [.pause(reason: .routeLost), .start(reason: .routeRestored)], .playing, wants: true),
    Row(
      "no sink at the start: Play waits for one (L6)", given: [.routeLost], [.play(.viewer), .routeRestored],
      gives: [.allowOtherSink, .load, .activateSession, .start(reason: .routeRestored)], .loading, wants: true
    ),
    Row(
      "the server dies and returns (L7)", [.serverLost, .serverRestored],
      gives: [.pause(reason: .serverLost), .activateSession, .start(reason: .serverRestored)], .playing,
      wants: true),
    Row(
      "the server returns to a paused player, which stays paused (L7)", given: paused,
      [.serverLost, .serverRestored], gives: [], .paused, wants: false),
    Row(
      "a Pause while the server is away holds when it is back (L7)", given: playing + [.serverLost],
      [.pause(.viewer), .serverRestored], gives: [], .paused, wants: false),
    Row(
      "a confirmation that comes late decides nothing",
      given: playing + [.serverLost, .serverRestored], [PolicyWalk.rate(0, .serverLost)], gives: [], .playing,
      wants: true),
    Row(
      "two causes: the last one to go lets playback go on",
      given: playing + [.serverLost, .lifecycle(.systemWillSleep)],
      [.serverRestored, .lifecycle(.systemDidWake)], gives: [.activateSession, .start(reason: .systemWake)],
      .playing, wants: true),
  ]
}
