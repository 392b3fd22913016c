import AfterlockScenarios

/// The matrix as a table for a terminal: as many columns beside each other as there is room for, and the rest below. Pure.
struct MatrixTable {
  private let matrix: ScenarioMatrix
  private let paper: Paper
  /// Wide enough for every single word.
  private static let cellWidth = 12
  private static let titleWidth = 24
  private static let gap = "  "

  init(_ matrix: ScenarioMatrix, on paper: Paper) {
    self.matrix = matrix
    self.paper = paper
  }

  var text: String {
    let room = max(1, (paper.columns - Self.titleWidth) / (Self.cellWidth + Self.gap.count))
    let tables = stride(from: 0, to: matrix.columns.count, by: room).map { first in
      table(of: first..<min(first + room, matrix.columns.count))
    }
    let legend = Paper.lines("* something else than with the whole fix", width: paper.columns)
    return (tables + [legend]).map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// Some of the columns, with every row.
  private func table(of columns: Range<Int>) -> [String] {
    let headings = columns.map { Cell(words: matrix.columns[$0].name, style: .heading) }
    let rows = matrix.rows.enumerated().map { index, row in
      let cells = columns.map { column in
        let differs = matrix.differs(row: index, column: column)
        let words = row.cells[column].words
        return Cell(words: differs ? "* \(words)" : words, style: differs ? .different : .plain)
      }
      return lines(row.variant.name, cells)
    }
    return lines("", headings) + rows.joined()
  }

  private struct Cell {
    enum Style { case heading, plain, different }
    var words: String
    var style: Style
  }

  /// The lines of one row: each cell has as many as it needs.
  private func lines(_ title: String, _ cells: [Cell]) -> [String] {
    let titles = Paper.lines(title, width: Self.titleWidth)
    let wrapped = cells.map { Paper.lines($0.words, width: Self.cellWidth) }
    return (0..<max(titles.count, wrapped.map(\.count).max() ?? 0)).map { line in
      var text = Paper.padded(line < titles.count ? titles[line] : "", Self.titleWidth)
      for (cell, lines) in zip(cells, wrapped) {
        let words = line < lines.count ? lines[line] : ""
        text += Self.gap + painted(words, cell.style)
        text += String(repeating: " ", count: max(0, Self.cellWidth - DisplayWidth.of(words)))
      }
      return text
    }.map { String($0.reversed().drop { $0 == " " }.reversed()) }
  }

  private func painted(_ words: String, _ style: Cell.Style) -> String {
    switch style {
    case .heading: paper.bold(words)
    case .plain: words
    case .different: paper.red(words)
    }
  }
}
