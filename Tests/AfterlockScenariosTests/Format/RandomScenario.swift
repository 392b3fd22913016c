import AfterlockCore

@testable import AfterlockScenarios

/// Makes scenarios that a file can say: every one follows from the generator's seed.
struct RandomScenario {
  var generator: SeededGenerator

  /// A generator whose scenarios follow from `seed`.
  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The next scenario.
  mutating func next() -> Scenario {
    let platform = pick(Scenario.Platform.allCases)
    let app = chance(2) ? AppParts() : parts()
    let isNoiseMaker = app.kind == .noiseMaker
    let queue = (0..<(isNoiseMaker ? 1 : Int.random(in: 1...4, using: &generator))).map { _ in
      ScenarioItem(
        title: text(), kind: isNoiseMaker ? .audio : pick(ScenarioItem.Kind.allCases),
        source: pick(ScenarioItem.Source.allCases),
        // The noise maker's comes round, and not for ever.
        duration: time() + (isNoiseMaker ? .seconds(101) : .nanoseconds(1)))
    }
    let times = (0..<Int.random(in: 0...8, using: &generator)).map { _ in time() }.sorted()
    let absent: [ActionWord] = isNoiseMaker ? [.next, .previous, .seek, .addLayer, .dropLayer] : []
    let words = ActionWord.offered(on: platform).filter { !absent.contains($0) }
    return Scenario(
      name: text(), about: chance(2) ? "" : text(), platform: platform, app: app, queue: queue,
      timeline: times.map { TimedAction(at: $0, action(pick(words), of: app, on: platform)) },
      expectations: (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        expectation(of: app, on: platform, queue)
      })
  }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

  private mutating func pick<Element>(_ elements: some Collection<Element>) -> Element {
    elements.randomElement(using: &generator)!
  }

  private mutating func maybe<Value>(_ value: Value) -> Value? { chance(3) ? value : nil }

  private mutating func time() -> Duration {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .seconds(Int.random(in: 0...60, using: &generator))
    case 1: .milliseconds(Int.random(in: 0...60_000, using: &generator))
    case 2: .seconds(Int.random(in: 0..<1_000_000, using: &generator))
    default: .nanoseconds(Int64.random(in: 0..<999_999_000_000_000, using: &generator))
    }
  }

  /// Never blank: a name and a title have to say something.
  private mutating func text() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "B", "7", " ", "\"", "'", "\\", "\n", "\t", "\u{1}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}",
      "é",
      "e", "\u{301}", "—", "“", "😀", "{", "}", "/", "*", ",", ":",
    ]
    let length = Int.random(in: 0...12, using: &generator)
    var text = String.UnicodeScalarView(["x"])
    text.append(contentsOf: (0..<length).map { _ in pick(scalars) })
    return String(text)
  }

  private mutating func some<Element: Hashable>(_ all: [Element]) -> Set<Element> {
    Set(all.filter { _ in chance(2) })
  }

  private mutating func parts() -> AppParts {
    var parts = AppParts()
    parts.kind = pick(AppParts.Kind.allCases)
    parts.backgroundModes = some(["audio", "location", "a mode of tomorrow"])
    parts.category = pick(AudioSession.Category.allCases)
    parts.mode = pick(AudioSession.Mode.allCases)
    parts.activatesSession = pick(AppParts.SessionHabit.allCases)
    parts.backgroundPolicy = pick(PolicyConfiguration.BackgroundPolicy.allCases)
    parts.detachesLayersAt = pick(PolicyConfiguration.DetachMoment.allCases)
    parts.reattachesLayersAt = pick(AppParts.ReattachMoment.allCases)
    parts.disablesVideoTracks = chance(2)
    parts.decidesBy = pick(PolicyConfiguration.DecisionBasis.allCases)
    parts.undoesSystemPause = chance(2)
    parts.reasonCrossesAs = pick(AppParts.ReasonCarrier.allCases)
    parts.artworkBuiltIn = pick(AppParts.ArtworkOrigin.allCases)
    parts.onLock = pick(PolicyConfiguration.LockPolicy.allCases)
    parts.onRouteLoss = pick(AppParts.RouteLoss.allCases)
    return parts
  }

  private mutating func percent(of app: AppParts) -> Double {
    Double.random(in: 0...(app.kind == .noiseMaker ? 100 : 150), using: &generator)
  }

  private mutating func action(
    _ word: ActionWord, of app: AppParts, on platform: Scenario.Platform
  ) -> ScenarioAction {
    if let plain = word.plainAction { return plain }
    let all = ScenarioAction.LockSource.allCases
    var sources = some(all)
    if sources.isEmpty || platform != .desktop { sources = Set(all) }
    switch word {
    case .seek: return .seek(to: time())
    case .remoteSeek: return .remoteSeek(to: time())
    case .volume: return .volume(to: percent(of: app))
    case .sideButton: return .sideButton(skipsInactive: chance(2))
    case .beginInterruption:
      return .beginInterruption(
        pick(ScenarioAction.InterruptionKind.allCases),
        pauseSeen: pick(ScenarioAction.ForcedPauseMoment.allCases))
    case .endInterruption: return .endInterruption(shouldResume: pick([true, false, nil]))
    case .lock: return .lock(by: sources)
    case .unlock: return .unlock(by: sources)
    case .wake: return .wake(isTold: chance(2))
    case .removeSink:
      return .removeSink(kind: maybe(pick(SinkKind.allCases)), sessionManagerPauses: chance(2))
    case .addSink: return .addSink(kind: pick(SinkKind.allCases))
    case .setDefaultSink: return .setDefaultSink(kind: maybe(pick(SinkKind.allCases)))
    default: preconditionFailure("\(word) can have arguments, and none are made up here")
    }
  }

  private mutating func reason() -> RateChangeReason {
    pick(RateChangeReason.known + [RateChangeReason(rawValue: "something that nobody knows yet")])
  }

  private mutating func expectation(
    of app: AppParts, on platform: Scenario.Platform, _ queue: [ScenarioItem]
  ) -> Expectation {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      let from = time()
      let to = max(from + .nanoseconds(1), time())
      let gap = min(time(), to - from - .nanoseconds(1))
      return .audible(from: from, to: to, chance(2), longestGap: maybe(gap))
    case 1: return .reason(reason(), times: Int.random(in: 0...9, using: &generator))
    case 2: return .outcome(pick(Outcome.allCases))
    default: return .state(at: time(), state(of: app, on: platform, queue))
    }
  }

  private mutating func state(
    of app: AppParts, on platform: Scenario.Platform, _ queue: [ScenarioItem]
  ) -> StateExpectation {
    var state = StateExpectation()
    state.wantsToPlay = chance(2)
    state.rate = maybe(pick([0, 1]))
    state.layers = maybe(pick(SceneState.Layers.allCases))
    state.app = maybe(platform == .desktop ? .active : pick(SceneState.App.allCases))
    let item = Int.random(in: 0..<queue.count, using: &generator)
    state.item = maybe(item)
    state.position = maybe(min(time(), queue[item].duration))
    state.suppression = maybe(some(PlaybackSuppression.known.map(\.name)))
    state.reason = maybe(reason())
    state.origin = maybe(pick(StateExpectation.origins))
    state.volume = maybe(percent(of: app))
    if app.kind == .noiseMaker {
      state.status = maybe(text())
      state.toggle = maybe(pick(NoiseMaker.Toggle.allCases))
      state.controls = maybe(pick(SceneState.Controls.allCases))
    }
    return state
  }
}
