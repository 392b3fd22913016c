extension ScenarioMatrix {
  /// A table in Markdown; what is another than with the whole fix stands in bold.
  public var markdown: String {
    var lines = [
      "| | " + columns.map(\.name).joined(separator: " | ") + " |",
      "|---|" + String(repeating: "---|", count: columns.count),
    ]
    for (index, row) in rows.enumerated() {
      let cells = row.cells.enumerated().map { column, cell in
        differs(row: index, column: column) ? "**\(cell.words)**" : cell.words
      }
      lines.append("| \(row.variant.name) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
