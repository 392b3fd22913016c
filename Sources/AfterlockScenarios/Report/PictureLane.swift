import AfterlockCore

/// One row of the picture of a run: how one thing was, from the start to the end.
struct PictureLane: Hashable {
  /// How a stretch is drawn; its words stand in it as well, so that nothing hangs on a colour.
  enum Fill: String, Hashable {
    /// Full height.
    case strong
    /// Full height, hatched.
    case weak
    /// A thin line.
    case none
  }
  /// How it was for a while.
  struct Stretch: Hashable {
    var from: Duration
    var to: Duration
    let words: String
    let fill: Fill
  }

  /// What the row shows.
  let title: String
  /// In order, without a gap.
  let stretches: [Stretch]

  private init(
    _ title: String, _ timeline: ScenarioTimeline, _ look: (SceneState) -> (words: String, fill: Fill)
  ) {
    self.title = title
    var stretches: [Stretch] = []
    for (index, sample) in timeline.samples.enumerated() {
      let end = index + 1 < timeline.samples.count ? timeline.samples[index + 1].time : timeline.end
      let (words, fill) = look(sample.state)
      if let last = stretches.last, last.words == words {
        stretches[stretches.count - 1].to = end
      } else {
        stretches.append(Stretch(from: sample.time, to: end, words: words, fill: fill))
      }
    }
    self.stretches = stretches.filter { $0.from < $0.to }
  }

  /// App state, layers, intent, rate and sound, from top to bottom.
  static func all(of timeline: ScenarioTimeline) -> [PictureLane] {
    [
      PictureLane("App", timeline) { state in
        switch state.app {
        case .active: ("active", .strong)
        case .inactive, .background: (state.app.rawValue, .weak)
        case .suspended, .ended: (state.app.rawValue, .none)
        }
      },
      PictureLane("Layers", timeline) { state in
        switch state.layers {
        case .attached: ("attached", .strong)
        case .detached: ("detached", .weak)
        case .none: ("none", .none)
        }
      },
      PictureLane("Intent", timeline) { $0.wantsToPlay ? ("play", .strong) : ("no", .none) },
      PictureLane("Rate", timeline) { $0.rate == 0 ? ("0", .none) : ("1", .strong) },
      PictureLane("Sound", timeline) { $0.isAudible ? ("sound", .strong) : ("silence", .none) },
    ]
  }
}
