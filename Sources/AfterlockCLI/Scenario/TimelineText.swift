import AfterlockCore
import AfterlockScenarios

/// The timeline of a run as text: what happened at each time, how things were then, and what had been expected instead.
///
/// What happened has the whole width; how things were stands in columns that fit into 80. Pure.
struct TimelineText {
  private let result: ScenarioResult
  private let paper: Paper

  private static let timeWidth = 8
  private static let gap = "  "

  init(_ result: ScenarioResult, on paper: Paper) {
    self.result = result
    self.paper = paper
  }

  /// The lines, without anything before or behind them.
  var lines: [String] {
    var lines = [paper.bold(heading)]
    var shown: Duration?
    for line in result.lines {
      switch line {
      case .entry(let entry):
        lines += happened(entry, isFirst: entry.time != shown)
        shown = entry.time
      case .state(let sample):
        lines += state(sample, isFirst: sample.time != shown)
        shown = sample.time
      case .failure(let failure):
        lines += failed(failure, isFirst: failure.time != shown)
        shown = failure.time
      }
    }
    return lines
  }

  private typealias Column = (title: String, width: Int, value: (SceneState) -> String)

  private var columns: [Column] {
    [
      ("app", 10, \.app.rawValue), ("layers", 8, \.layers.rawValue),
      ("wants", 5, { $0.wantsToPlay ? "yes" : "no" }), ("rate", 4, { $0.rate == 0 ? "0" : "1" }),
      ("sound", 5, { $0.isAudible ? "yes" : "no" }), ("item", 4, { $0.item.map(String.init) ?? "-" }),
      ("at", 7, \.position.secondsText),
    ]
  }

  private var heading: String {
    Paper.rightAligned("second", Self.timeWidth) + Self.gap
      + columns.map { Paper.padded($0.title, $0.width) }.joined(separator: Self.gap) + Self.gap + "held by"
  }

  /// What holds the sound has a line of its own where there is no room for it.
  private func state(_ sample: TimelineSample, isFirst: Bool) -> [String] {
    let values = columns.map { Paper.padded($0.value(sample.state), $0.width) }.joined(separator: Self.gap)
    let line = time(sample.time, isFirst) + Self.gap + values
    let held = sample.state.suppression.joined(separator: ", ")
    if DisplayWidth.of(line) + Self.gap.count + DisplayWidth.of(held) <= paper.columns {
      let whole = line + Self.gap + held
      return [paper.faint(String(whole.reversed().drop { $0 == " " }.reversed()))]
    }
    let indent = String(repeating: " ", count: Self.timeWidth + Self.gap.count)
    let more = Paper.lines("held by \(held)", width: paper.columns - indent.count).map { indent + $0 }
    return ([line] + more).map(paper.faint)
  }

  private func happened(_ entry: TimelineEntry, isFirst: Bool) -> [String] {
    // Who changed the rate is no part of its text.
    let origin = entry.kind == .rateChange ? entry.origin.map { ", by \($0)" } ?? "" : ""
    return block(
      time(entry.time, isFirst), mark(entry.kind), paper.plain(entry.text + origin), paint(entry.kind))
  }

  /// It is named as the messages about a wrong file name it.
  private func failed(_ failure: ExpectationFailure, isFirst: Bool) -> [String] {
    let when = failure.time.map { time($0, isFirst) } ?? Paper.rightAligned("end", Self.timeWidth)
    return block(
      when, paper.style.isUnicode ? "✗" : "X", paper.plain("expect[\(failure.index)]: \(failure.words)"),
      paper.red)
  }

  /// Text with a mark before it, broken where the paper ends, and further in where it goes on.
  private func block(
    _ time: String, _ mark: String, _ text: String, _ paint: (String) -> String
  ) -> [String] {
    let indent = Self.timeWidth + Self.gap.count + 2
    let lines = Paper.lines(text, width: max(20, paper.columns - indent))
    return lines.enumerated().map { index, line in
      (index == 0 ? time + Self.gap + paint(mark) + " " : String(repeating: " ", count: indent)) + paint(line)
    }
  }

  private func time(_ time: Duration, _ isFirst: Bool) -> String {
    Paper.rightAligned(isFirst ? time.secondsText : "", Self.timeWidth)
  }

  private func mark(_ kind: TimelineEntry.Kind) -> String {
    let (mark, ascii) =
      switch kind {
      case .action: ("▸", ">")
      case .notice: ("·", "-")
      case .platform: ("◆", "!")
      case .decision: ("△", "=")
      case .rateChange: ("●", "*")
      case .fault: ("✖", "#")
      }
    return paper.style.isUnicode ? mark : ascii
  }

  private func paint(_ kind: TimelineEntry.Kind) -> (String) -> String {
    switch kind {
    case .action: paper.bold
    case .platform: paper.yellow
    case .fault: paper.red
    case .notice, .decision, .rateChange: { $0 }
    }
  }
}
