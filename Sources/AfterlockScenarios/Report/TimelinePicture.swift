import AfterlockCore

/// The picture of a run as SVG: rows for app, layers, intent, rate and sound, with what happened as numbered marks.
///
/// The numbers are those of the list of events that stands beside it, so that long words need no room in the picture. The
/// colours come from the style sheet of the page.
struct TimelinePicture {
  private let result: ScenarioResult
  /// Begins every id, which are unique in a page.
  private let id: String
  private let axis: TimeAxis
  private let lanes: [PictureLane]

  private static let left = 70.0
  private static let margin = 34.0
  private static let laneHeight = 22.0
  private static let laneStep = 30.0
  private static let markStep = 15.0
  /// A time as "12.345" has room.
  private static let nearest = 46.0
  /// How wide a character is at the most.
  private static let characterWidth = 7.0

  init(_ result: ScenarioResult, id: String, width: Double = 960) {
    self.result = result
    self.id = id
    lanes = PictureLane.all(of: result.timeline)
    let timeline = result.timeline
    let times =
      timeline.entries.map(\.time) + timeline.samples.map(\.time) + result.failures.compactMap(\.time)
    axis = TimeAxis(
      Set(times + [.zero, timeline.end]), left: Self.left, width: width - Self.left - Self.margin,
      nearest: Self.nearest)
  }

  /// Marks at one time stand below each other; so many is the most.
  private var deepest: Int {
    Dictionary(grouping: result.timeline.entries, by: \.time).values.map(\.count).max() ?? 0
  }
  private var lanesTop: Double { 38 }
  private var eventsTop: Double { lanesTop + Double(lanes.count) * Self.laneStep + 6 }
  private var height: Double { eventsTop + Double(deepest) * Self.markStep + 12 }
  private var width: Double { axis.right + Self.margin }

  /// The whole element.
  var svg: String {
    let size = "\(Markup.number(width)) \(Markup.number(height))"
    let parts = [
      Markup.element("title", "id=\"\(id)-title\"", "Timeline of \(result.scenario.name)"),
      Markup.element("desc", "id=\"\(id)-desc\"", description),
      scale, lanes.enumerated().map(lane).joined(separator: "\n"), marks, failures,
    ]
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="timeline" viewBox="0 0 \(size)" \
      width="\(Markup.number(width))" height="\(Markup.number(height))" role="img" \
      aria-labelledby="\(id)-title" aria-describedby="\(id)-desc">
      \(parts.joined(separator: "\n"))
      </svg>
      """
  }

  /// The picture in words.
  private var description: String {
    let rows = lanes.map { lane in
      let stretches = lane.stretches.map {
        "\($0.words) from \($0.from.secondsText) to \($0.to.secondsText) s"
      }
      return "\(lane.title): \(stretches.joined(separator: ", "))."
    }
    let failures = result.failures.map { failure in
      "Failed\(failure.time.map { " at \($0.secondsText) s" } ?? ""): \(failure.words)."
    }
    return (rows + failures).joined(separator: " ")
  }

  private var scale: String {
    axis.times.map { time in
      let place = Markup.number(axis.place(of: time))
      return
        "<line class=\"grid\" x1=\"\(place)\" y1=\"17\" x2=\"\(place)\" y2=\"\(Markup.number(height - 4))\"/>"
        + Markup.element("text", "class=\"time\" x=\"\(place)\" y=\"12\"", time.secondsText)
    }.joined(separator: "\n")
  }

  private func lane(_ row: Int, _ lane: PictureLane) -> String {
    let top = lanesTop + Double(row) * Self.laneStep
    let baseline = Markup.number(top + Self.laneHeight / 2 + 4)
    let place = "class=\"lane\" x=\"\(Markup.number(Self.left - 12))\" y=\"\(baseline)\""
    let stretches = lane.stretches.map { stretch in
      let (from, to) = (stretch.from.secondsText, stretch.to.secondsText)
      let title = Markup.element("title", "", "\(lane.title): \(stretch.words), \(from) to \(to) s")
      return "<g>\(title)\(bar(stretch, top: top))\(words(stretch, top: top, baseline: baseline))</g>"
    }
    return ([Markup.element("text", place, lane.title)] + stretches).joined(separator: "\n")
  }

  private func bar(_ stretch: PictureLane.Stretch, top: Double) -> String {
    let (from, to) = (axis.place(of: stretch.from), axis.place(of: stretch.to))
    let height = stretch.fill == .none ? 3 : Self.laneHeight
    return rectangle(
      stretch.fill.rawValue, x: from, y: top + (Self.laneHeight - height) / 2, width: to - from,
      height: height)
  }

  /// The words of a stretch, where no failure's line goes through them; none where there is no room.
  private func words(_ stretch: PictureLane.Stretch, top: Double, baseline: String) -> String {
    let (from, to) = (axis.place(of: stretch.from), axis.place(of: stretch.to))
    let lines = failureTimes.map(axis.place).filter { from < $0 && $0 < to }
    let rooms = zip([from] + lines, lines + [to])
    guard let room = rooms.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return "" }
    let needed = Double(stretch.words.count) * Self.characterWidth + 6
    guard needed <= room.1 - room.0 else { return "" }
    let middle = (room.0 + room.1) / 2
    // Words on a thin line stand in a gap of it.
    let gap =
      stretch.fill == .none
      ? rectangle("gap", x: middle - needed / 2, y: top, width: needed, height: Self.laneHeight) : ""
    let place = "class=\"on-\(stretch.fill.rawValue)\" x=\"\(Markup.number(middle))\" y=\"\(baseline)\""
    return gap + Markup.element("text", place, stretch.words)
  }

  private func rectangle(_ style: String, x: Double, y: Double, width: Double, height: Double) -> String {
    """
    <rect class="\(style)" x="\(Markup.number(x))" y="\(Markup.number(y))" width="\(Markup.number(width))" \
    height="\(Markup.number(height))"/>
    """
  }

  /// What happened, numbered in reading order; with the action or the reason where there is room for it.
  private var marks: String {
    let place = "class=\"lane\" x=\"\(Markup.number(Self.left - 12))\" y=\"\(Markup.number(eventsTop + 11))\""
    let times = Set(result.timeline.entries.map(\.time)).sorted()
    var deep: [Duration: Int] = [:]
    var lines = [Markup.element("text", place, "Events")]
    for (index, entry) in result.timeline.entries.enumerated() {
      let x = axis.place(of: entry.time)
      let y = eventsTop + Double(deep[entry.time, default: 0]) * Self.markStep + 7
      deep[entry.time, default: 0] += 1
      let room = (times.first { $0 > entry.time }.map(axis.place) ?? width) - x - 18
      var label = "\(index + 1)"
      if let word = entry.reason?.rawValue ?? (entry.kind == .action ? entry.text : nil),
        Double(label.count + 1 + word.count) * Self.characterWidth <= room
      {
        label += " \(word)"
      }
      let title = Markup.element("title", "", "\(index + 1). \(entry.time.secondsText) s: \(entry.text)")
      let mark = "<path class=\"mark \(entry.kind.rawValue)\" d=\"\(Self.shape(entry.kind, x, y))\"/>"
      let text = "class=\"number\" x=\"\(Markup.number(x + 9))\" y=\"\(Markup.number(y + 4))\""
      lines.append("<g>\(title)\(mark)\(Markup.element("text", text, label))</g>")
    }
    return lines.joined(separator: "\n")
  }

  /// Each kind has a shape of its own.
  static func shape(_ kind: TimelineEntry.Kind, _ x: Double, _ y: Double) -> String {
    func at(_ dx: Double, _ dy: Double) -> String { "\(Markup.number(x + dx)) \(Markup.number(y + dy))" }
    switch kind {
    case .action: return "M\(at(-4, -5))L\(at(5, 0))L\(at(-4, 5))Z"
    case .notice: return "M\(at(-4, -4))L\(at(4, -4))L\(at(4, 4))L\(at(-4, 4))Z"
    case .platform: return "M\(at(0, -5))L\(at(5, 0))L\(at(0, 5))L\(at(-5, 0))Z"
    case .decision: return "M\(at(-5, 4))L\(at(0, -5))L\(at(5, 4))Z"
    case .rateChange: return "M\(at(-4.5, 0))a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z"
    case .fault:
      return "M\(at(-5, -3))L\(at(-3, -5))L\(at(0, -2))L\(at(3, -5))L\(at(5, -3))L\(at(2, 0))L\(at(5, 3))"
        + "L\(at(3, 5))L\(at(0, 2))L\(at(-3, 5))L\(at(-5, 3))L\(at(-2, 0))Z"
    }
  }

  /// When expectations failed; one of the whole run at its end.
  private var failureTimes: [Duration] {
    Set(result.failures.map { $0.time ?? result.timeline.end }).sorted()
  }

  /// A line through all rows where an expectation failed.
  private var failures: String {
    let bottom = Markup.number(eventsTop - 6)
    return failureTimes.map { time in
      let place = Markup.number(axis.place(of: time))
      let failures = result.failures.filter { ($0.time ?? result.timeline.end) == time }
      let words = failures.map(\.words).joined(separator: "; ")
      return """
        <g class="failure">\(Markup.element("title", "", "failed at \(time.secondsText) s: \(words)"))\
        <line x1="\(place)" y1="34" x2="\(place)" y2="\(bottom)"/><text x="\(place)" y="31">✗</text></g>
        """
    }.joined(separator: "\n")
  }
}
