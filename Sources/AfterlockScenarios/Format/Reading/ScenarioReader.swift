import AfterlockCore

/// Reads what a file means, and collects everything that is wrong with it.
struct ScenarioReader {
  let problems: ProblemCollector

  /// The scenario; `nil` when something is wrong.
  func scenario(_ value: FileValue) -> Scenario? {
    let what = "a scenario: { name: \"…\", platform: \"phone\", queue: […], timeline: […], expect: […] }"
    guard let file = GroupReader(value, at: .root, problems, what: what) else { return nil }
    file.allow(["name", "about", "platform", "app", "queue", "timeline", "expect"])
    file.require("name", example: "\"the side button while a video plays\"")
    file.require("platform", example: "\"phone\"")
    file.require("queue", example: "[{ title: \"Clip\", kind: \"video\", duration: 60 }]")
    file.require("timeline", example: "[{ at: 0, do: \"play\" }]")
    file.require("expect", example: "[{ outcome: \"plays\" }]")

    let name = file.text("name")
    let about = file.text("about", isFilled: false) ?? ""
    let platform: Scenario.Platform? = file.word("platform", "platform")
    let app = file.members["app"].map { appParts($0) } ?? AppParts()
    let queue = queue(file)
    if app.kind == .noiseMaker { checkNoiseMaker(queue) }
    let timeline = timeline(file, platform: platform, app: app)
    let expectations = expectations(file, platform: platform, app: app, queue: queue)
    guard let name, let platform, problems.problems.isEmpty else { return nil }
    let scenario = Scenario(
      name: name, about: about, platform: platform, app: app, queue: queue, timeline: timeline,
      expectations: expectations)
    if app.kind == .noiseMaker { checkLoops(scenario) }
    return problems.problems.isEmpty ? scenario : nil
  }

  /// The items; none when one of them is wrong, since nothing can be said of the others' places then.
  private func queue(_ file: GroupReader) -> [ScenarioItem] {
    guard let elements = file.list("queue", of: "items") else { return [] }
    if elements.isEmpty {
      file.refuse(
        "queue", "is empty, and has to have an item; for example: { title: \"Clip\", duration: 60 }")
    }
    let items = elements.compactMap { value, path -> ScenarioItem? in
      let what = "an item: { title: \"Clip\", kind: \"video\", duration: 60 }"
      guard let item = GroupReader(value, at: path, problems, what: what) else { return nil }
      item.allow(["title", "kind", "source", "duration"])
      item.require("title", example: "\"Clip\"")
      item.require("duration", example: "60")
      let title = item.text("title")
      let kind: ScenarioItem.Kind? = item.word("kind", "kind of item")
      let source: ScenarioItem.Source? = item.word("source", "source")
      let duration = item.time("duration")
      if duration == .zero { item.refuse("duration", "is 0, and an item has to last") }
      guard let title, let duration else { return nil }
      return ScenarioItem(title: title, kind: kind ?? .audio, source: source ?? .file, duration: duration)
    }
    return items.count == elements.count ? items : []
  }

  private func timeline(
    _ file: GroupReader, platform: Scenario.Platform?, app: AppParts
  ) -> [TimedAction] {
    guard let elements = file.list("timeline", of: "actions") else { return [] }
    var latest = Duration.zero
    return elements.compactMap { value, path in
      let what = "an action: { at: 5, do: \"sideButton\" }"
      guard let entry = GroupReader(value, at: path, problems, what: what) else { return nil }
      entry.require("at", example: "5")
      entry.require("do", example: "\"play\"")
      let time = entry.time("at")
      if let time, time < latest {
        entry.refuse(
          "at", "is \(time.secondsText), and the entry before it is at \(latest.secondsText): sort them")
      }
      latest = max(latest, time ?? latest)
      let action = action(entry, platform: platform)
      if let action, app.kind == .noiseMaker { checkNoiseMaker(action, entry) }
      guard let time, let action else { return nil }
      return TimedAction(at: time, action)
    }
  }
}
