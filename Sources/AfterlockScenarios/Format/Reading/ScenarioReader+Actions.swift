import AfterlockCore

extension ScenarioReader {
  /// What comes with every action.
  private static let entryKeys = ["at", "do"]

  /// The action of an entry of the timeline.
  func action(_ entry: GroupReader, platform: Scenario.Platform?) -> ScenarioAction? {
    guard let word = actionWord(entry, platform: platform) else {
      let offered = ActionWord.offered(on: platform)
      entry.allow(
        Self.entryKeys
          + ActionWord.allArgumentKeys.filter { key in
            offered.contains { $0.argumentKeys(on: platform).contains(key) }
          })
      return nil
    }
    allowArguments(of: word, entry, platform: platform)
    if let platform, !word.platforms.contains(platform) {
      entry.refuse("do", absence(of: word, on: platform))
      return nil
    }
    return word.plainAction ?? action(word, entry)
  }

  private func actionWord(_ entry: GroupReader, platform: Scenario.Platform?) -> ActionWord? {
    guard let value = entry.members["do"] else { return nil }
    guard case .text(let text) = value else {
      entry.refuse("do", "is \(value.words), and has to be an action in quotes, such as \"play\"")
      return nil
    }
    if let word = ActionWord(rawValue: text) { return word }
    let offered = ActionWord.offered(on: platform).map(\.rawValue)
    var hint = WordMessage.hint(text, among: offered)
    // A word that this platform has is a better guess than one that it has not.
    if let platform, MeantWord.find(text, among: offered) == nil,
      let meant = MeantWord.find(text, among: ActionWord.allCases.map(\.rawValue)),
      let elsewhere = ActionWord(rawValue: meant)
    {
      hint = "; \(absence(of: elsewhere, on: platform))"
    }
    entry.refuse("do", "unknown action '\(text.quotedForMessage)'\(hint)")
    return nil
  }

  /// That the platform does not have the word, who has it, and what comes nearest to it.
  private func absence(of word: ActionWord, on platform: Scenario.Platform) -> String {
    let others = WordMessage.list(word.platforms.map { "a \($0.rawValue)" })
    let instead = word.counterpart(on: platform).map { "; its counterpart here is '\($0.rawValue)'" } ?? ""
    return "a \(platform.rawValue) has no '\(word.rawValue)', which is for \(others)\(instead)"
  }

  private func allowArguments(of word: ActionWord, _ entry: GroupReader, platform: Scenario.Platform?) {
    entry.allow(Self.entryKeys + word.argumentKeys(on: platform)) { key in
      let owners = ActionWord.allCases.filter { owner in
        (platform.map(owner.platforms.contains) ?? true) && owner.argumentKeys(on: platform).contains(key)
      }
      guard !owners.isEmpty else {
        return ActionWord.allArgumentKeys.contains(key) ? "'\(word.rawValue)' takes no '\(key)' here" : nil
      }
      let list = WordMessage.list(owners.map(\.rawValue), "and")
      return "'\(word.rawValue)' takes no '\(key)', which goes with \(list)"
    }
  }

  /// The actions that can have arguments.
  private func action(_ word: ActionWord, _ entry: GroupReader) -> ScenarioAction? {
    switch word {
    case .seek:
      entry.require("to", example: "42")
      return entry.time("to").map { .seek(to: $0) }
    case .remoteSeek:
      entry.require("to", example: "42")
      return entry.time("to").map { .remoteSeek(to: $0) }
    case .volume:
      entry.require("to", example: "50")
      return entry.percent("to").map { .volume(to: $0) }
    case .sideButton:
      return .sideButton(skipsInactive: entry.flag("skipsInactive") ?? false)
    case .beginInterruption:
      let kind: ScenarioAction.InterruptionKind? = entry.word("kind", "kind of interruption")
      let moment: ScenarioAction.ForcedPauseMoment? = entry.word("pauseSeen", "moment")
      return .beginInterruption(
        kind ?? ScenarioAction.usualInterruption, pauseSeen: moment ?? ScenarioAction.usualForcedPause)
    case .endInterruption:
      return .endInterruption(shouldResume: entry.flag("shouldResume"))
    case .lock:
      return .lock(by: lockSources(entry))
    case .unlock:
      return .unlock(by: lockSources(entry))
    case .removeSink:
      return .removeSink(
        kind: entry.word("kind", "kind of sink"),
        sessionManagerPauses: entry.flag("sessionManagerPauses") ?? true)
    case .wake:
      return .wake(isTold: entry.flag("isTold") ?? true)
    case .addSink:
      return .addSink(kind: entry.word("kind", "kind of sink") ?? .other)
    case .setDefaultSink:
      return .setDefaultSink(kind: entry.word("kind", "kind of sink"))
    default:
      return word.plainAction
    }
  }

  /// Who tells of a lock: all, unless the file names some (L1).
  private func lockSources(_ entry: GroupReader) -> Set<ScenarioAction.LockSource> {
    let all = ScenarioAction.LockSource.allCases
    guard let words = entry.words("by", "source", among: all.map(\.rawValue)) else { return Set(all) }
    if words.isEmpty {
      entry.refuse("by", "is an empty list, and nobody would hear of it; leave it out for all")
    }
    return Set(words.compactMap(ScenarioAction.LockSource.init(rawValue:)))
  }
}
