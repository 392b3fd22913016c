import AfterlockCore

/// What each part of the fix is for: every variant of the app in every canonical scenario, each outcome obtained by a run.
public struct ScenarioMatrix: Hashable, Sendable {
  /// What came of one variant in one scenario.
  public struct Cell: Hashable, Sendable {
    /// What held at the end.
    public var outcome: Outcome
    /// How often the system paused the player.
    public var systemPauses: Int
    /// How long the viewer wanted to hear something, and nothing was heard.
    public var silence: Duration
    /// Whether the app was back in front without its picture.
    public var lacksPicture: Bool
    /// Why the outcome is unknown; `nil` when it is known.
    public var obstacle: String?

    /// What is to be seen in a run.
    init(_ result: ScenarioResult) {
      outcome = result.outcome
      obstacle = result.fault.flatMap { $0.kind == .unknown ? $0.message : nil }
      let timeline = result.timeline
      systemPauses = timeline.entries.count {
        $0.kind == .rateChange && $0.rate == 0 && $0.reason.map(Self.systemReasons.contains) == true
      }
      let samples = timeline.samples
      silence = samples.indices.filter { samples[$0].state.wantsToPlay && !samples[$0].state.isAudible }
        .reduce(.zero) { $0 + ((samples.dropFirst($1 + 1).first?.time ?? timeline.end) - samples[$1].time) }
      let last = samples.last?.state
      lacksPicture = last?.app == .active && last?.layers == .detached
    }

    private static let systemReasons: Set<RateChangeReason> = [
      .appBackgrounded, .audioSessionInterrupted,
    ]

    /// What there is to say, in words: "plays, paused once, silent 1 s". A player that has fallen silent for good has only
    /// that said of it.
    public var words: String {
      var words = [outcome == .doesNotCompile ? "does not compile" : outcome.rawValue]
      if outcome == .plays {
        if systemPauses > 0 { words.append(systemPauses == 1 ? "paused once" : "paused \(systemPauses)×") }
        if silence > .zero { words.append("silent \(silence.secondsText) s") }
      }
      if lacksPicture { words.append("no picture") }
      return words.joined(separator: ", ")
    }
  }

  /// A variant with its cells, one for each scenario.
  public struct Row: Hashable, Sendable {
    /// The app.
    public var variant: FixVariant
    /// In the order of the scenarios.
    public var cells: [Cell]
  }

  /// The headings.
  public var columns: [CanonicalScenario]
  /// The whole fix first.
  public var rows: [Row]

  /// Runs all of it.
  public init(
    variants: [FixVariant] = FixVariant.all, columns: [CanonicalScenario] = CanonicalScenario.all,
    runner: ScenarioRunner = ScenarioRunner()
  ) async {
    self.columns = columns
    let scenarios = variants.flatMap { variant in
      columns.map { column in
        var scenario = column.scenario
        scenario.app = variant.parts
        return scenario
      }
    }
    let cells = await InOrder.map(scenarios) { Cell(await runner.run($0)) }
    rows = variants.enumerated().map { index, variant in
      Row(variant: variant, cells: Array(cells[index * columns.count..<(index + 1) * columns.count]))
    }
  }

  /// Why outcomes are unknown, each cause once, in the order of the rows.
  public var obstacles: [String] {
    var known: Set<String> = []
    return rows.flatMap(\.cells).compactMap(\.obstacle).filter { known.insert($0).inserted }
  }

  /// Whether a cell says something else than that of the whole fix.
  public func differs(row: Int, column: Int) -> Bool {
    rows[row].cells[column].words != rows[0].cells[column].words
  }
}
