import AfterlockCore

extension ScenarioReader {
  /// Every key of `app`.
  static let appKeys = [
    "kind", "backgroundModes", "category", "mode", "activatesSession", "backgroundPolicy", "detachesLayersAt",
    "reattachesLayersAt", "disablesVideoTracks", "decidesBy", "undoesSystemPause", "reasonCrossesAs",
    "artworkBuiltIn", "onLock", "onRouteLoss",
  ]

  /// The platform's own words for what an app may do in the background; others may come (P1).
  private static let knownBackgroundModes = [
    "audio", "location", "voip", "fetch", "processing", "remote-notification", "external-accessory",
    "bluetooth-central", "bluetooth-peripheral", "nearby-interaction", "push-to-talk", "newsstand-content",
  ]

  /// The parts of the app; the complete fix where the file says nothing (F).
  func appParts(_ value: FileValue) -> AppParts {
    var parts = AppParts()
    let path = FilePath.root["app"]
    guard
      let app = GroupReader(value, at: path, problems, what: "the app's parts: { category: \"playback\" }")
    else { return parts }
    app.allow(Self.appKeys)
    set(&parts.kind, app.word("kind", "kind of app"))
    set(&parts.backgroundModes, backgroundModes(app))
    set(&parts.category, app.word("category", "category"))
    set(&parts.mode, app.word("mode", "mode"))
    set(&parts.activatesSession, app.word("activatesSession", "habit"))
    set(&parts.backgroundPolicy, app.word("backgroundPolicy", "policy"))
    set(&parts.detachesLayersAt, app.word("detachesLayersAt", "moment"))
    set(&parts.reattachesLayersAt, app.word("reattachesLayersAt", "moment"))
    set(&parts.disablesVideoTracks, app.flag("disablesVideoTracks"))
    set(&parts.decidesBy, app.word("decidesBy", "basis"))
    set(&parts.undoesSystemPause, app.flag("undoesSystemPause"))
    set(&parts.reasonCrossesAs, app.word("reasonCrossesAs", "carrier"))
    set(&parts.artworkBuiltIn, app.word("artworkBuiltIn", "isolation"))
    set(&parts.onLock, app.word("onLock", "answer to a lock"))
    set(&parts.onRouteLoss, app.word("onRouteLoss", "answer to a lost route"))
    return parts
  }

  private func set<Value>(_ part: inout Value, _ value: Value?) {
    if let value { part = value }
  }

  private func backgroundModes(_ app: GroupReader) -> Set<String>? {
    guard let elements = app.list("backgroundModes", of: "texts") else { return nil }
    return Set(
      elements.compactMap {
        app.openWord($0.value, at: $0.path, "background mode", known: Self.knownBackgroundModes)
      })
  }
}
