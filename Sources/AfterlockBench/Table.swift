internal import Foundation

/// One figure of the table: a value for each peer that was measured, and what ours must reach.
struct Row: Codable {
  let title: String
  let unit: String
  /// Median by peer; a peer that could not be measured is missing, and `notes` says why.
  var values: [String: Double] = [:]
  var notes: [String: String] = [:]
  let target: String
  /// Whether ours reaches the target; `nil` before it is judged.
  var holds: Bool?

  func cell(_ peer: String) -> String {
    let note = notes[peer]
    guard let value = values[peer] else { return note ?? "–" }
    let number = value == value.rounded() && abs(value) < 1e6 ? String(Int(value)) : Row.round(value)
    return [number, unit, note.map { "(\($0))" }].compactMap { $0 }.filter { !$0.isEmpty }.joined(
      separator: " ")
  }

  /// Takes what was measured of a peer, or why nothing was.
  mutating func take(_ value: Double?, _ note: String?, of peer: Peer) {
    values[peer.name] = value
    notes[peer.name] = note
  }

  /// Says whether ours reaches the target. What could not be measured of ours does not.
  mutating func judge(_ reaches: (Double) -> Bool) { holds = values["afterlock"].map(reaches) ?? false }

  /// Ours as a multiple of a peer's.
  func ratio(to peer: String) -> String? {
    guard let ours = values["afterlock"], let other = values[peer], other != 0 else { return nil }
    return Row.round(ours / other) + " × " + peer
  }

  private static func round(_ value: Double) -> String {
    String(format: abs(value) < 1 ? "%.3f" : abs(value) < 10 ? "%.2f" : "%.1f", value)
  }
}

/// The table of figures, as Markdown.
struct Table {
  let peers: [String]
  var rows: [Row] = []

  /// Whether every target holds; a figure that is missing holds nothing.
  var holds: Bool { rows.allSatisfy { $0.holds == true } }

  var markdown: String {
    var lines = [
      "| | " + peers.joined(separator: " | ") + " | ratio | must reach | holds |",
      "|---|" + String(repeating: "---|", count: peers.count + 3),
    ]
    for row in rows {
      let ratios = peers.compactMap { $0 == "afterlock" ? nil : row.ratio(to: $0) }
      let holds = row.holds.map { $0 ? "yes" : "**no**" } ?? "–"
      let cells = [row.title] + peers.map(row.cell) + [ratios.joined(separator: ", "), row.target, holds]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}

func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
