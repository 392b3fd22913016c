import AfterlockCore

extension ScenarioReader {
  /// What an entry of `expect` can be, with the keys that make it that.
  private enum Meaning: String, CaseIterable {
    case state, audible, reason, outcome

    /// The keys that make an entry this one.
    var marks: [String] {
      switch self {
      case .state: ["at"]
      case .audible: ["from", "to", "audible", "longestGap"]
      case .reason: ["times"]
      case .outcome: ["outcome"]
      }
    }

    /// All keys that it can have.
    var keys: [String] {
      switch self {
      case .state: marks + StateExpectation.keys
      case .reason: ["reason"] + marks
      case .audible, .outcome: marks
      }
    }

    /// How one is written.
    var example: String {
      switch self {
      case .state: "{ at: 6, rate: 1 }"
      case .audible: "{ from: 5, to: 20, audible: true }"
      case .reason: "{ reason: \"appBackgrounded\", times: 0 }"
      case .outcome: "{ outcome: \"plays\" }"
      }
    }
  }

  /// The expectations that could be read.
  func expectations(
    _ file: GroupReader, platform: Scenario.Platform?, app: AppParts, queue: [ScenarioItem]
  ) -> [Expectation] {
    guard let elements = file.list("expect", of: "expectations") else { return [] }
    if elements.isEmpty {
      file.refuse("expect", "is empty, so that nothing could fail; for example: { outcome: \"plays\" }")
    }
    return elements.compactMap { value, path in
      let what = "an expectation: \(Meaning.state.example)"
      guard let entry = GroupReader(value, at: path, problems, what: what),
        let meaning = meaning(of: entry)
      else { return nil }
      switch meaning {
      case .state: return state(entry, platform: platform, app: app, queue: queue)
      case .audible: return audible(entry)
      case .reason: return reason(entry)
      case .outcome: return outcome(entry)
      }
    }
  }

  /// What the entry is; says so when it is nothing, or two things at once.
  private func meaning(of entry: GroupReader) -> Meaning? {
    var meanings = Meaning.allCases.filter { meaning in meaning.marks.contains(where: entry.has) }
    // The last reason at a time, and a reason that is counted, share a key.
    if meanings.isEmpty, entry.has("reason") { meanings = [.reason] }
    if meanings == [.state, .audible], !entry.has("from"), !entry.has("to") {
      let key = entry.has("audible") ? "audible" : "longestGap"
      problems.add(
        "'\(key)' is judged over a stretch of time, not at one; write \(Meaning.audible.example)", atKey: key,
        of: entry.path)
      return nil
    }
    let marks = meanings.compactMap { meaning in meaning.marks.first(where: entry.has) }
    guard marks.count < 2 else {
      let list = WordMessage.list(marks.map { "'\($0)'" }, "and")
      problems.add("\(list) do not go together; write an entry for each", at: entry.path)
      return nil
    }
    guard let meaning = meanings.first else {
      let examples = WordMessage.list(Meaning.allCases.map(\.example))
      entry.allow(Meaning.allCases.flatMap(\.keys))
      problems.add("does not say what is expected when; write \(examples)", at: entry.path)
      return nil
    }
    entry.allow(meaning.keys) { key in
      guard let other = Meaning.allCases.first(where: { $0.keys.contains(key) }) else { return nil }
      return
        "'\(key)' does not go with '\(marks.first ?? "reason")'; write \(other.example) as an entry of its own"
    }
    return meaning
  }

  private func audible(_ entry: GroupReader) -> Expectation? {
    entry.require("from", example: "5")
    entry.require("to", example: "20")
    entry.require("audible", example: "true")
    let (from, to) = (entry.time("from"), entry.time("to"))
    if let from, let to, from >= to {
      entry.refuse("to", "is \(to.secondsText), and has to be later than from, which is \(from.secondsText)")
    }
    let audible = entry.flag("audible")
    let longestGap = entry.time("longestGap")
    if let from, let to, from < to, let longestGap, longestGap >= to - from {
      entry.refuse(
        "longestGap",
        "is \(longestGap.secondsText), and the stretch lasts \((to - from).secondsText): nothing could fail; "
          + "write the longest \(audible == false ? "sound" : "silence") that may be in it, such as 0.05")
    }
    guard let from, let to, let audible else { return nil }
    return .audible(from: from, to: to, audible, longestGap: longestGap)
  }

  private func reason(_ entry: GroupReader) -> Expectation? {
    entry.require("reason", example: "\"appBackgrounded\"")
    entry.require("times", example: "0")
    let reason = rateReason(entry)
    let times = entry.whole("times", in: 0...1_000_000)
    guard let reason, let times else { return nil }
    return .reason(reason, times: times)
  }

  private func outcome(_ entry: GroupReader) -> Expectation? {
    entry.word("outcome", "outcome").map { .outcome($0) }
  }

  private func state(
    _ entry: GroupReader, platform: Scenario.Platform?, app: AppParts, queue: [ScenarioItem]
  ) -> Expectation? {
    let time = entry.time("at")
    var state = StateExpectation()
    if entry.members.count == 1 {
      problems.add("expects nothing at that time; add what has to hold, such as rate: 1", at: entry.path)
    }
    state.rate = rate(entry)
    state.layers = entry.word("layers", "state of the layers")
    state.app = appState(entry, platform: platform)
    state.wantsToPlay = entry.flag("wantsToPlay")
    state.item = item(entry, count: queue.count)
    state.position = position(entry, of: state.item, in: queue)
    state.suppression = entry.words("suppression", "cause", among: PlaybackSuppression.known.map(\.name))
    state.reason = rateReason(entry)
    state.origin = entry.closedWord("origin", "origin", among: StateExpectation.origins)
    state.volume = entry.percent("volume")
    readNoiseMaker(entry, app: app, into: &state)
    return time.map { .state(at: $0, state) }
  }

  private func appState(_ entry: GroupReader, platform: Scenario.Platform?) -> SceneState.App? {
    let state: SceneState.App? = entry.word("app", "state of the app")
    if let state, state != .active, platform == .desktop {
      entry.refuse("app", "is '\(state.rawValue)', and an app on a desktop is always active")
    }
    return state
  }

  /// Where playback is; which item it is in has to be known to say that it is too far.
  private func position(_ entry: GroupReader, of index: Int?, in queue: [ScenarioItem]) -> Duration? {
    guard let position = entry.time("position") else { return nil }
    let index = queue.count == 1 ? 0 : index
    if let index, queue.indices.contains(index),
      position > queue[index].duration + JudgeTolerance.exact.position
    {
      entry.refuse(
        "position",
        "is \(position.secondsText), and the item ends at \(queue[index].duration.secondsText)")
    }
    return position
  }

  private func rate(_ entry: GroupReader) -> Double? {
    guard let rate = entry.number("rate", "0 (held) or 1 (runs)") else { return nil }
    guard rate == 0 || rate == 1 else {
      entry.refuse("rate", "is \(rate.words), and has to be 0 (held) or 1 (runs)")
      return nil
    }
    return rate
  }

  private func item(_ entry: GroupReader, count: Int) -> Int? {
    guard let item = entry.whole("item", in: 0...1_000_000) else { return nil }
    if count > 0, item >= count {
      entry.refuse("item", "is \(item), and the last of the queue is \(count - 1): items count from 0")
    }
    return item
  }

  private func rateReason(_ entry: GroupReader) -> RateChangeReason? {
    guard let value = entry.members["reason"] else { return nil }
    let known = RateChangeReason.known.map(\.rawValue)
    return entry.openWord(value, at: entry.path["reason"], "reason", known: known)
      .map(RateChangeReason.init(rawValue:))
  }

  /// What only the noise maker has (N).
  private func readNoiseMaker(_ entry: GroupReader, app: AppParts, into state: inout StateExpectation) {
    for key in ["status", "toggle", "controls"] where entry.has(key) && app.kind != .noiseMaker {
      problems.add(
        "'\(key)' is the noise maker's; say app: { kind: \"noiseMaker\" }, or leave it out", atKey: key,
        of: entry.path)
    }
    if app.kind == .noiseMaker { checkNoiseMaker(state, entry) }
    state.status = entry.text("status")
    state.toggle = entry.word("toggle", "label")
    state.controls = entry.word("controls", "state of the controls")
  }
}

extension StateExpectation {
  /// Every key that an expectation at a time can have besides `at`.
  static let keys = [
    "rate", "layers", "app", "wantsToPlay", "position", "item", "suppression", "reason", "origin", "volume",
    "status", "toggle", "controls",
  ]
  /// The log's words for who made a rate change.
  static let origins = ["viewer", "remote", "system", "engine"]
}
