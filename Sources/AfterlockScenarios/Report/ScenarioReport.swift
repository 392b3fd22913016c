import AfterlockCore

/// What came of many scenarios, as one HTML file that needs nothing beside it: no script, no font, no picture from elsewhere.
public struct ScenarioReport: Hashable, Sendable {
  /// A scenario that was run.
  public struct Run: Hashable, Sendable {
    /// Where its file is; `nil` for one without a file.
    public var path: String?
    /// What came of it.
    public var result: ScenarioResult
    /// What runs it again.
    public var command: String?

    /// A run of a file.
    public init(path: String? = nil, result: ScenarioResult, command: String? = nil) {
      self.path = path
      self.result = result
      self.command = command
    }
  }

  /// A file that was not run, and why.
  public struct Other: Hashable, Sendable {
    /// Where it is.
    public var path: String
    /// One line for each thing that there is to say.
    public var reasons: [String]

    /// A file with what there is to say of it.
    public init(path: String, reasons: [String]) {
      self.path = path
      self.reasons = reasons
    }
  }

  /// The heading.
  public var title: String
  /// In the order in which they are shown.
  public var runs: [Run]
  /// Files that are no scenarios.
  public var wrongFiles: [Other]
  /// Scenarios that could not be run this way.
  public var skipped: [Other]
  /// What each part of the fix is for.
  public var matrix: ScenarioMatrix?

  /// A report of all this.
  public init(
    title: String = "Scenarios", runs: [Run] = [], wrongFiles: [Other] = [], skipped: [Other] = [],
    matrix: ScenarioMatrix? = nil
  ) {
    self.title = title
    self.runs = runs
    self.wrongFiles = wrongFiles
    self.skipped = skipped
    self.matrix = matrix
  }

  /// The whole file.
  public var html: String {
    let body = [
      Markup.element("h1", "", title), summary, others("Wrong files", wrongFiles), others("Not run", skipped),
      matrix.map(table), runs.isEmpty ? nil : failureList, runs.isEmpty ? nil : filter,
      runs.isEmpty ? nil : scenarios,
    ]
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \(Markup.element("title", "", title))
      <style>
      \(ReportStyle.sheet)
      </style>
      </head>
      <body>
      \(body.compactMap(\.self).joined(separator: "\n"))
      </body>
      </html>

      """
  }

  private var failed: [Int] { runs.indices.filter { !runs[$0].result.passed } }

  private var summary: String? {
    guard !runs.isEmpty || !wrongFiles.isEmpty || !skipped.isEmpty else { return nil }
    var parts = ["\(runs.count - failed.count) passed", "\(failed.count) failed"]
    if !wrongFiles.isEmpty { parts.append("\(wrongFiles.count) wrong") }
    if !skipped.isEmpty { parts.append("\(skipped.count) not run") }
    let isGood = failed.isEmpty && wrongFiles.isEmpty
    return Markup.element(
      "p", "class=\"summary \(isGood ? "good" : "bad")\"",
      (isGood ? "✓ " : "✗ ") + parts.joined(separator: ", "))
  }

  private func others(_ heading: String, _ files: [Other]) -> String? {
    guard !files.isEmpty else { return nil }
    let items = files.map { file in
      let reasons = file.reasons.map { Markup.element("li", "", $0) }.joined()
      return "<li>\(Markup.element("code", "", file.path))<ul>\(reasons)</ul></li>"
    }
    return Markup.element("h2", "", heading) + "\n<ul>\(items.joined(separator: "\n"))</ul>"
  }

  /// Links to what failed.
  private var failureList: String? {
    guard !failed.isEmpty else { return nil }
    let items = failed.map { index in
      let result = runs[index].result
      let what = result.failures.first.map { ": \($0.words)" } ?? ""
      return
        "<li><a href=\"#s\(index + 1)\">\(Markup.escaped(result.scenario.name))</a>\(Markup.escaped(what))</li>"
    }
    return "<nav aria-label=\"Failures\"><h2>Failed</h2>\n<ol>\(items.joined(separator: "\n"))</ol></nav>"
  }

  /// Plain radio buttons, which the style sheet looks at.
  private var filter: String {
    """
    <h2 id="scenarios">Each scenario</h2>
    \(ReportStyle.legend)
    <input type="radio" name="show" id="show-all" checked><label for="show-all">all \(runs.count)</label>
    <input type="radio" name="show" id="show-failed"><label for="show-failed">only the \(failed.count) that failed</label>
    """
  }

  private var scenarios: String {
    "<main>\n" + runs.indices.map(scenario).joined(separator: "\n") + "\n</main>"
  }

  private func scenario(_ index: Int) -> String {
    let (run, id) = (runs[index], "s\(index + 1)")
    let (result, scenario) = (run.result, run.result.scenario)
    let passed = result.passed
    // Few are shown at once; of many only those that failed.
    let isOpen = !passed || runs.count <= 3
    let failures = result.failures.map { failure in
      Markup.element(
        "li", "", "\(failure.time.map { "At \($0.secondsText) s" } ?? "In the whole run"): \(failure.words).")
    }
    return """
      <details class="\(passed ? "passed" : "failed")" id="\(id)"\(isOpen ? " open" : "")>
      <summary><span class="mark">\(passed ? "✓ passed" : "✗ failed")</span> \
      \(Markup.element("span", "class=\"name\"", scenario.name)) \
      \(Markup.element("span", "class=\"outcome\"", "\(scenario.platform.rawValue), \(result.outcome.rawValue)")) \
      \(run.path.map { Markup.element("code", "", $0) } ?? "")</summary>
      \(scenario.about.isEmpty ? "" : Markup.element("p", "", scenario.about))
      \(failures.isEmpty ? "" : "<ul class=\"failures\">\(failures.joined())</ul>")
      <div class="scroll">
      \(TimelinePicture(result, id: id).svg)
      </div>
      \(result.fault.map(faultText) ?? "")
      \(events(result))
      \(run.command.map { "<p>To run it again: \(Markup.element("code", "", $0))</p>" } ?? "")
      </details>
      """
  }

  /// What the real child process or the real compiler said.
  private func faultText(_ fault: ScenarioFault) -> String {
    Markup.element("p", "class=\"failures\"", "\(fault.message).")
      + Markup.element("pre", "class=\"scroll\"", fault.text.joined(separator: "\n"))
  }

  /// What happened, with the numbers of the picture, and what failed at its place.
  private func events(_ result: ScenarioResult) -> String {
    var number = 0
    let rows = result.lines.compactMap { line -> String? in
      switch line {
      case .state: return nil
      case .failure(let failure):
        let time = failure.time?.secondsText ?? ""
        return "<tr class=\"failure\"><td>✗</td><td>\(time)</td><td>failed</td>"
          + Markup.element("td", "", failure.words) + "</tr>"
      case .entry(let entry):
        number += 1
        return
          "<tr><td>\(number)</td><td>\(entry.time.secondsText)</td><td>\(ReportStyle.word(entry.kind))</td>"
          + Markup.element("td", "", entry.text) + "</tr>"
      }
    }
    return """
      <table class="events"><caption>What happened</caption>
      <thead><tr><th scope="col">No.</th><th scope="col">Second</th><th scope="col">Kind</th>\
      <th scope="col">What</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      """
  }

  private func table(_ matrix: ScenarioMatrix) -> String {
    let headings = matrix.columns.map { Markup.element("th", "scope=\"col\"", $0.name) }.joined()
    let rows = matrix.rows.enumerated().map { index, row in
      let cells = row.cells.enumerated().map { column, cell in
        matrix.differs(row: index, column: column)
          ? Markup.element("td", "class=\"different\"", "≠\u{A0}\(cell.words)")
          : Markup.element("td", "", cell.words)
      }
      return "<tr>\(Markup.element("th", "scope=\"row\"", row.variant.name))\(cells.joined())</tr>"
    }
    return """
      \(runs.isEmpty ? "" : "<h2 id=\"matrix\">What each part of the fix is for</h2>")
      <p>Each cell is the outcome of a run. ≠ is something else than with the whole fix.</p>
      <div class="scroll"><table class="matrix">
      <thead><tr><td></td>\(headings)</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }
}
