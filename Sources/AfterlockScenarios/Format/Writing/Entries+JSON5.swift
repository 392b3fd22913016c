import AfterlockCore

extension AppParts {
  /// The parts that are not as in the complete fix.
  var changedMembers: [JSON5Member] {
    let usual = AppParts()
    var members: [JSON5Member] = []
    func word<Word: RawRepresentable & Equatable>(_ key: String, _ part: KeyPath<AppParts, Word>)
    where Word.RawValue == String {
      let value = self[keyPath: part]
      if value != usual[keyPath: part] { members.append((key, .text(value.rawValue))) }
    }
    func flag(_ key: String, _ part: KeyPath<AppParts, Bool>) {
      let value = self[keyPath: part]
      if value != usual[keyPath: part] { members.append((key, .flag(value))) }
    }
    word("kind", \.kind)
    if backgroundModes != usual.backgroundModes {
      members.append(("backgroundModes", .texts(backgroundModes.sorted())))
    }
    word("category", \.category)
    word("mode", \.mode)
    word("activatesSession", \.activatesSession)
    word("backgroundPolicy", \.backgroundPolicy)
    word("detachesLayersAt", \.detachesLayersAt)
    word("reattachesLayersAt", \.reattachesLayersAt)
    flag("disablesVideoTracks", \.disablesVideoTracks)
    word("decidesBy", \.decidesBy)
    flag("undoesSystemPause", \.undoesSystemPause)
    word("reasonCrossesAs", \.reasonCrossesAs)
    word("artworkBuiltIn", \.artworkBuiltIn)
    word("onLock", \.onLock)
    word("onRouteLoss", \.onRouteLoss)
    return members
  }
}

extension ScenarioItem {
  /// What its entry says.
  var members: [JSON5Member] {
    var members: [JSON5Member] = [("title", .text(title))]
    if kind != .audio { members.append(("kind", .text(kind.rawValue))) }
    if source != .file { members.append(("source", .text(source.rawValue))) }
    return members + [("duration", .time(duration))]
  }
}

extension TimedAction {
  /// What its entry says.
  var members: [JSON5Member] { [("at", .time(time)), ("do", .text(action.word))] + action.arguments }
}

extension ScenarioAction {
  /// What has to be said besides its word.
  var arguments: [JSON5Member] {
    switch self {
    case .seek(let position), .remoteSeek(let position): [("to", .time(position))]
    case .volume(let percent): [("to", .number(percent))]
    case .sideButton(skipsInactive: true): [("skipsInactive", .flag(true))]
    case .beginInterruption(let kind, let moment):
      (kind == Self.usualInterruption ? [] : [("kind", .text(kind.rawValue))])
        + (moment == Self.usualForcedPause ? [] : [("pauseSeen", .text(moment.rawValue))])
    case .endInterruption(let shouldResume?): [("shouldResume", .flag(shouldResume))]
    case .lock(let sources) where sources.count < LockSource.allCases.count,
      .unlock(let sources) where sources.count < LockSource.allCases.count:
      [("by", .texts(sources.map(\.rawValue).sorted()))]
    case .removeSink(let kind, let pauses):
      (kind.map { [("kind", .text($0.rawValue))] } ?? [])
        + (pauses ? [] : [("sessionManagerPauses", .flag(false))])
    case .wake(isTold: false): [("isTold", .flag(false))]
    case .addSink(let kind) where kind != .other: [("kind", .text(kind.rawValue))]
    case .setDefaultSink(let kind?): [("kind", .text(kind.rawValue))]
    default: []
    }
  }
}

extension Expectation {
  /// What its entry says.
  var members: [JSON5Member] {
    switch self {
    case .state(let time, let state): [("at", .time(time))] + state.members
    case .audible(let from, let to, let isAudible, let longestGap):
      [("from", .time(from)), ("to", .time(to)), ("audible", .flag(isAudible))]
        + (longestGap.map { [("longestGap", .time($0))] } ?? [])
    case .reason(let reason, let times):
      [("reason", .text(reason.rawValue)), ("times", .number(Double(times)))]
    case .outcome(let outcome): [("outcome", .text(outcome.rawValue))]
    }
  }
}

extension StateExpectation {
  /// What its entry says, without the time.
  var members: [JSON5Member] {
    var members: [JSON5Member] = []
    func add<Value>(_ key: String, _ value: Value?, _ written: (Value) -> JSON5Value) {
      if let value { members.append((key, written(value))) }
    }
    add("rate", rate) { .number($0) }
    add("layers", layers) { .text($0.rawValue) }
    add("app", app) { .text($0.rawValue) }
    add("wantsToPlay", wantsToPlay) { .flag($0) }
    add("position", position) { .time($0) }
    add("item", item) { .number(Double($0)) }
    add("suppression", suppression) { $0.count == 1 ? .text($0.first ?? "") : .texts($0.sorted()) }
    add("reason", reason) { .text($0.rawValue) }
    add("origin", origin) { .text($0) }
    add("volume", volume) { .number($0) }
    add("status", status) { .text($0) }
    add("toggle", toggle) { .text($0.rawValue) }
    add("controls", controls) { .text($0.rawValue) }
    return members
  }
}
