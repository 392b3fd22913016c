import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@Suite(.computesForLong) struct PolicyWalkTests {
  /// Distinct states of policy and world that sequences of up to 8 of the 41 events reach.
  static let statesAtDepth8 = 114_481
  /// All states there are; with `AFTERLOCK_WALK_DEPTH=30` the walk comes to its end and covers sequences of any length.
  static let statesInAll = 338_632

  @Test func `Every sequence of 8 events keeps every rule`() throws {
    let deeper = ProcessInfo.processInfo.environment["AFTERLOCK_WALK_DEPTH"].flatMap(Int.init)
    let result = PolicyWalk(depth: deeper ?? 8).run()
    #expect(result.violations.isEmpty, "\(result.story)")
    if result.isComplete {
      #expect(result.states == Self.statesInAll)
    } else if deeper == nil {
      #expect(result.states == Self.statesAtDepth8)
    }
  }

  @Test func `Every sequence of 6 events keeps every rule where a lock pauses`() {
    var configuration = PolicyConfiguration()
    configuration.onLock = .pauses
    let result = PolicyWalk(configuration: configuration, depth: 6).run()
    #expect(result.violations.isEmpty, "\(result.story)")
    #expect(result.states == 36_533)
  }

  @Test(arguments: PlantedPolicyFault.all)
  func `A broken policy breaks its rule in the walk`(fault: PlantedPolicyFault) {
    var configuration = PolicyConfiguration()
    // More happens so, and what breaks with the default breaks here too.
    configuration.onLock = .pauses
    let walk = PolicyWalk(
      configuration: configuration, depth: 4, stopsAtFirst: false, step: fault.makeStep())
    let result = walk.run()
    #expect(result.rules.contains(fault.breaks), "\(result.story)")
  }

  @Test func `There is a planted fault for each rule`() {
    #expect(Set(PlantedPolicyFault.all.map(\.breaks)) == Set(PolicyWalk.Rule.allCases))
  }

  @Test(arguments: SwitchedOffPart.all)
  func `A part of the fix that is switched off breaks what it is for and no more`(part: SwitchedOffPart) {
    var configuration = PolicyConfiguration()
    part.switchOff(&configuration)
    let result = PolicyWalk(configuration: configuration, depth: 4, stopsAtFirst: false).run()
    #expect(result.rules == part.breaks, "\(result.story)")
  }

  /// The walk judges only what holds in the background; that the side button needs the early moment is P6.
  @Test func `Without switching anything off nothing is broken`() {
    #expect(PolicyWalk(depth: 4, stopsAtFirst: false).run().rules.isEmpty)
  }
}

extension PolicyWalk.Result {
  /// What happened, as a timeline.
  var story: String {
    violations.map { violation in
      let events = violation.events.map { "  \($0)" }.joined(separator: "\n")
      return "\(violation.rule.rawValue):\n\(events)\n  => \(violation.effects)"
    }.joined(separator: "\n")
  }
}

/// A small mutation of the policy, and the rule that must notice.
struct PlantedPolicyFault: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var breaks: PolicyWalk.Rule
  var makeStep: @Sendable () -> PolicyWalk.Step

  private init(
    _ name: String, _ rule: PolicyWalk.Rule,
    _ step: @escaping @Sendable (inout PlaybackPolicy, PlaybackEvent) -> [PlaybackEffect]
  ) {
    testDescription = name
    breaks = rule
    makeStep = { step }
  }

  private init(_ name: String, _ rule: PolicyWalk.Rule, make: @escaping @Sendable () -> PolicyWalk.Step) {
    testDescription = name
    breaks = rule
    makeStep = make
  }

  static let all: [PlantedPolicyFault] = [
    .init("a system pause is taken for the person's", .intentIsAPersons) { policy, event in
      if event == PolicyWalk.rate(0, .appBackgrounded) {
        return policy.handle(.pause(.viewer))
      }
      return policy.handle(event)
    },
    .init("a program that acts for the system sets the intent", .intentIsAPersons) { policy, event in
      policy.handle(event == .play(.system) ? .play(.viewer) : event)
    },
    .init("a new route always starts", .noStartWithoutWish) { policy, event in
      policy.handle(event) + (event == .routeRestored ? [.start(reason: .routeRestored)] : [])
    },
    .init("a start by nobody is let be", .noSoundWithoutWish) { policy, event in
      let effects = policy.handle(event)
      return event == PolicyWalk.rate(1, .setRateCalled) ? [] : effects
    },
    .init("Pause is forgotten while loading", .noSoundWithoutWish) { policy, event in
      let isLoading = policy.state == .loading
      let effects = policy.handle(event)
      return isLoading && event == .pause(.viewer) ? [] : effects
    },
    .init("Play starts without a server", .noStartWhileHeld) { policy, event in
      let effects = policy.handle(event)
      guard event == .play(.viewer), policy.suppression.contains(.serverLost) else { return effects }
      return effects + [.start(reason: .setRateCalled)]
    },
    .init("a pause in the background is not undone", .wishIsHeard) { policy, event in
      let effects = policy.handle(event)
      return event == PolicyWalk.rate(0, .appBackgrounded) ? [] : effects
    },
    .init("waking does not lift the sleep", .pauseIsUndone) { policy, event in
      event == .lifecycle(.systemDidWake) ? [] : policy.handle(event)
    },
    .init("the server's return is not heard of", .pauseIsUndone) { policy, event in
      event == .serverRestored ? [] : policy.handle(event)
    },
    .init("a lock that skips willResignActive detaches nothing", .layersFollow) { policy, event in
      let effects = policy.handle(event)
      return event == .lifecycle(.didEnterBackground) ? [] : effects
    },
    .init("an unlock attaches although the app is behind", .layersFollow) { policy, event in
      policy.handle(event) + (event == .lifecycle(.screenUnlocked) ? [.attachLayers] : [])
    },
    .init("a lock is not heard of", .lockIsSilent) { policy, event in
      event == .lifecycle(.screenLocked) ? [] : policy.handle(event)
    },
    .init("the second source of a lock is a second lock, and the first unlock ends it", .lockIsSilent) {
      policy, event in
      event == .lifecycle(.screenLocked) && policy.isScreenLocked
        ? policy.handle(.lifecycle(.screenUnlocked)) : policy.handle(event)
    },
    .init("an unlock takes every pause back", .unlockIsNoPlay) { policy, event in
      policy.handle(event) + (event == .lifecycle(.screenUnlocked) ? policy.handle(.play(.system)) : [])
    },
    .init("a new sink lifts the loss of the headset", .lossWaitsForPerson) { policy, event in
      let effects = policy.handle(event)
      guard event == .routeRestored, policy.suppression == .sinkLost else { return effects }
      return effects + policy.handle(.play(.viewer))
    },
    .init("a Pause from WirePlumber is taken for the person's", .intentIsAPersons) { policy, event in
      policy.handle(event == .pause(PolicyWalk.sessionManager) ? .pause(PolicyWalk.remote) : event)
    },
    .init("the sound does not follow from an ordinary sink", .wishIsHeard) { policy, event in
      let effects = policy.handle(event)
      return event == .sinkLost(.other) ? [] : effects
    },
    .init("the session stays inactive after an interruption", .sessionBeforeStart) { policy, event in
      let effects = policy.handle(event)
      guard event == .lifecycle(.interruptionEnded(shouldResume: true)) else { return effects }
      return effects.filter { $0 != .activateSession }
    },
    .init(
      "a decision depends on something outside", .sameEffects,
      make: {
        var calls = 0
        return { policy, event in
          calls += 1
          let effects = policy.handle(event)
          return calls % 5 == 0 ? effects.reversed() + [.unload] : effects
        }
      }),
  ]
}

/// A part of the fix (F), and what breaks without it.
struct SwitchedOffPart: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var breaks: Set<PolicyWalk.Rule>
  var switchOff: @Sendable (inout PolicyConfiguration) -> Void

  static let all: [SwitchedOffPart] = [
    .init(testDescription: "decides by state (P7)", breaks: [.pauseIsUndone, .layersFollow]) {
      $0.decidesBy = .state
    },
    .init(testDescription: "leaves a system pause (P8)", breaks: [.pauseIsUndone]) {
      $0.undoesSystemPause = false
    },
    .init(testDescription: "never detaches (P4)", breaks: [.layersFollow]) { $0.detachesLayersAt = .never },
    .init(testDescription: "never reattaches (P4)", breaks: [.layersFollow]) { $0.reattachesLayers = false },
    .init(testDescription: "never activates the session (P3)", breaks: [.sessionBeforeStart]) {
      $0.activatesSession = false
    },
    .init(testDescription: "follows from a headset (L5)", breaks: [.lossWaitsForPerson]) {
      $0.onRouteLoss = .follow
    },
    .init(testDescription: "pauses for every sink (L5): held, and on again on the viewer's word", breaks: [])
    {
      $0.onRouteLoss = .pause
    },
    .init(testDescription: "pauses in the background (P5): held, and on again in front", breaks: []) {
      $0.backgroundPolicy = .pauses
    },
  ]
}
