/// Finds what a person meant to write.
package enum NearestWord {
  /// The candidate that is fewest edits away from `word`, when that is near enough to be worth a guess.
  package static func find(_ word: String, among candidates: [String]) -> String? {
    let folded = word.lowercased()
    let limit = max(1, folded.count / 3)
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let foldedCandidate = candidate.lowercased()
      let isPrefix = folded.count >= 2 && foldedCandidate.hasPrefix(folded)
      // Every character that one has more than the other is an edit, so that most words need no closer look.
      guard isPrefix || abs(foldedCandidate.count - folded.count) <= limit else { continue }
      let distance = self.distance(Array(folded), Array(foldedCandidate))
      guard distance <= limit || isPrefix else { continue }
      let rank = isPrefix ? min(distance, 1) : distance
      if best.map({ rank < $0.distance }) ?? true { best = (candidate, rank) }
    }
    return best?.word
  }

  /// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var value = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { value = min(value, rows[i - 1][j - 1] + 1) }
        row.append(value)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
