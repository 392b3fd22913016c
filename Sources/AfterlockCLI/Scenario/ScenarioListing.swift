import AfterlockScenarios

/// `scenario list` and `scenario check`: what stands in files, and whether they can be read.
enum ScenarioListing {
  static func list(_ selection: ScenarioSelection, on paper: Paper) -> Int32 {
    let rows = selection.files.map { file in
      [
        paper.plain(file.scenario.name), file.scenario.platform.rawValue,
        paper.plain(rules(citedIn: file.scenario.about).joined(separator: " ")),
      ]
    }
    let widths = (0..<3).map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
    for (row, file) in zip(rows, selection.files) {
      let cells = zip(row, widths).map { Paper.padded($0, $1) }
      StandardStream.output.write(
        (cells + [paper.faint(paper.plain(file.path))]).joined(separator: "  ") + "\n")
    }
    selection.complain()
    return selection.wrongFiles.isEmpty ? 0 : 2
  }

  static func check(_ selection: ScenarioSelection) -> Int32 {
    selection.complain()
    let (fine, wrong) = (selection.files.count, selection.wrongFiles.count)
    // One wrong file has its own words, and is not counted beside them.
    if fine + wrong != 1 || wrong == 0 {
      StandardStream.output.write(counted(fine: fine, wrong: wrong) + "\n")
    }
    return wrong == 0 ? 0 : 2
  }

  /// "2 files are fine, 1 is wrong".
  static func counted(fine: Int, wrong: Int) -> String {
    func verb(_ count: Int) -> String { count == 1 ? "is" : "are" }
    func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }
    if wrong == 0 { return "\(files(fine)) \(verb(fine)) fine" }
    if fine == 0 { return "\(files(wrong)) \(verb(wrong)) wrong" }
    return "\(files(fine)) \(verb(fine)) fine, \(wrong) \(verb(wrong)) wrong"
  }

  /// The rules that a text names: P1 to P13, L1 to L9, F and N; each once, in the order of the text. "P1–P3" names three.
  static func rules(citedIn text: String) -> [String] {
    var rules: [String] = []
    for match in text.matches(of: /\b(?:([PL])([0-9]{1,2})(?:[–-]\1?([0-9]{1,2}))?|[FN])\b/) {
      guard let letter = match.1, let first = match.2.flatMap({ Int($0) }) else {
        rules.append(String(match.0))
        continue
      }
      let last = match.3.flatMap { Int($0) } ?? first
      rules += (first...max(first, last)).map { "\(letter)\($0)" }
    }
    var known: Set<String> = []
    return rules.filter { known.insert($0).inserted }
  }
}
