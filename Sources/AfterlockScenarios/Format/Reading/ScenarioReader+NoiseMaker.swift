import AfterlockCore

/// What the noise maker cannot be meant to do (N).
extension ScenarioReader {
  /// Where its slider ends, in percent.
  private static let sliderEnd = 100.0
  /// How often its item may come round, so that a run ends in seconds.
  private static let mostLoops = 10_000

  /// Says what of the queue the noise maker cannot play: it has one item, and no picture.
  func checkNoiseMaker(_ queue: [ScenarioItem]) {
    let path = FilePath.root["queue"]
    if queue.count > 1 {
      problems.add("has \(queue.count) items, and the noise maker plays one", at: path)
    }
    for (index, item) in queue.enumerated() where item.kind == .video {
      problems.add("is video, and the noise maker shows none", at: path[index]["kind"])
    }
  }

  /// Says that the noise maker has no such control. Other buttons of a lock screen are a fact of the platform: that
  /// nothing comes of them can be expected.
  func checkNoiseMaker(_ action: ScenarioAction, _ entry: GroupReader) {
    switch action {
    case .next, .previous, .seek, .addLayer, .dropLayer:
      entry.refuse(
        "do", "the noise maker has no '\(action.word)'; its viewer has play, pause, toggle and volume")
    case .volume(let percent): checkSlider(percent, "to", entry)
    default: break
    }
  }

  /// Says that the noise maker cannot come to be like this.
  func checkNoiseMaker(_ state: StateExpectation, _ entry: GroupReader) {
    if let volume = state.volume { checkSlider(volume, "volume", entry) }
  }

  /// Says that its item is too short for the run.
  func checkLoops(_ scenario: Scenario) {
    guard let item = scenario.queue.first, item.duration * Self.mostLoops < scenario.end else { return }
    problems.add(
      "is so short that the item would be played more than \(Self.mostLoops) times in this run",
      at: FilePath.root["queue"][0]["duration"])
  }

  private func checkSlider(_ percent: Double, _ key: String, _ entry: GroupReader) {
    guard percent > Self.sliderEnd else { return }
    entry.refuse(key, "is \(percent.words), and the noise maker's slider ends at \(Self.sliderEnd.words)")
  }
}
