import AfterlockCore

/// Collects what is wrong with one file, each with its place.
///
/// Isolation: used by the one function that reads the file.
final class ProblemCollector {
  /// How many problems are told of: a file with more has one cause.
  static let most = 100

  private let tree: PlaceTree
  private let lines: LineTable
  private var found: [(offset: Int, problem: ScenarioFileProblem)] = []

  /// No problem so far in a file whose values stand where `tree` says.
  init(tree: PlaceTree, lines: LineTable) {
    self.tree = tree
    self.lines = lines
    for duplicate in tree.duplicates {
      let first = lines.line(of: duplicate.first)
      add(
        "'\(duplicate.key.quotedForMessage)' is written twice; the first is in line \(first)",
        at: duplicate.path, offset: duplicate.second)
    }
  }

  /// What is wrong, in the order of the file.
  var problems: [ScenarioFileProblem] {
    let order = found.indices.sorted { (found[$0].offset, $0) < (found[$1].offset, $1) }
    return order.map { found[$0].problem }
  }

  /// The value at `path` is wrong.
  func add(_ message: String, at path: FilePath) {
    add(message, at: path, offset: tree.offset(of: path) ?? 0)
  }

  /// The key of the object at `path` is wrong.
  func add(_ message: String, atKey key: String, of path: FilePath) {
    add(message, at: path, offset: tree.offset(ofKey: key, at: path) ?? 0)
  }

  private func add(_ message: String, at path: FilePath, offset: Int) {
    guard found.count < Self.most else { return }
    let problem = ScenarioFileProblem(line: lines.line(of: offset), path: path.description, message)
    found.append((offset, problem))
  }
}

/// Sentences about words.
enum WordMessage {
  /// "; did you mean 'play'?", or what there is when nothing is near.
  static func hint(_ word: String, among words: [String]) -> String {
    if let meant = MeantWord.find(word, among: words) { return "; did you mean '\(meant)'?" }
    return words.count == 1 ? "; it can only be \(words[0])" : "; it can be \(list(words))"
  }

  /// "a, b or c".
  static func list(_ words: [String], _ conjunction: String = "or") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}
