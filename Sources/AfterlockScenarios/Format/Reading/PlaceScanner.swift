import Foundation

/// Walks through JSON5 text and notes where its values stand, up to the first place that is no JSON5.
///
/// Foundation's decoder says what a file means, and nothing of where; and of a file that it refuses it says nothing at all.
struct PlaceScanner {
  /// The first place that is no JSON5.
  struct Fault: Error, Hashable {
    /// The byte where it stands.
    var offset: Int
    /// What was found and what to do about it.
    var message: String
  }

  /// What has been found so far.
  private(set) var tree = PlaceTree()
  let bytes: [UInt8]
  var index = 0
  private var open: [Group] = []

  /// An object or list that is not closed yet.
  private struct Group {
    var node: Int
    var isObject: Bool
    var path: FilePath
    /// Whether a value or nothing has to come before a comma.
    var needsComma = false
  }

  /// Walks through `bytes`; the fault is `nil` when all of it can be JSON5.
  static func scan(_ bytes: [UInt8]) -> (tree: PlaceTree, fault: Fault?) {
    var scanner = PlaceScanner(bytes: bytes)
    do throws(Fault) {
      try scanner.scan()
      return (scanner.tree, nil)
    } catch {
      return (scanner.tree, error)
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// No recursion: a file decides how deep it is nested.
  private mutating func scan() throws(Fault) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    try skipSpace()
    try scanValue(path: .root) { _, _ in }
    while !open.isEmpty {
      try skipSpace()
      try scanInside()
    }
    try skipSpace()
    if index < bytes.count { throw fault("nothing may follow the end of the scenario, and \(found()) does") }
  }

  /// The next thing in the innermost group: its end, a comma, a member or an element.
  private mutating func scanInside() throws(Fault) {
    let depth = open.count - 1
    let group = open[depth]
    guard let byte = current else {
      let (bracket, close) = group.isObject ? ("{", "}") : ("[", "]")
      let line = LineTable(bytes).line(of: tree.nodes[group.node].offset)
      throw fault("the file ends, and the '\(bracket)' of line \(line) is not closed; add '\(close)'")
    }
    switch (byte, group.isObject) {
    case (UInt8(ascii: "}"), true), (UInt8(ascii: "]"), false):
      index += 1
      open.removeLast()
    case (UInt8(ascii: "}"), false):
      throw fault("found '}' in a list, which ends in ']'")
    case (UInt8(ascii: "]"), true):
      throw fault("found ']' in a group, which ends in '}'")
    case (UInt8(ascii: ","), _):
      guard group.needsComma else { throw fault("found ',' where a value belongs before it") }
      index += 1
      open[depth].needsComma = false
    default:
      if group.needsComma { throw wrongSeparator() ?? fault("a comma is missing before \(found())") }
      open[depth].needsComma = true
      if group.isObject { try scanMember(of: group) } else { try scanElement(of: group) }
    }
  }

  private mutating func scanElement(of group: Group) throws(Fault) {
    let position = tree.nodes[group.node].elements.count
    try scanValue(path: group.path[position]) { tree, value in tree.nodes[group.node].elements.append(value) }
  }

  private mutating func scanMember(of group: Group) throws(Fault) {
    let start = index
    let key = try scanKey()
    try skipSpace()
    guard current == UInt8(ascii: ":") else {
      throw fault("a ':' is missing after '\(key.quotedForMessage)'; found \(found())")
    }
    index += 1
    try skipSpace()
    if let first = tree.nodes[group.node].members[key] {
      tree.duplicates.append(.init(path: group.path, key: key, first: first.key, second: start))
    }
    try scanValue(path: group.path[key]) { tree, value in
      tree.nodes[group.node].members[key] = (start, value)
    }
  }

  /// Notes the value that begins here. Of a group only the bracket is taken.
  private mutating func scanValue(path: FilePath, note: (inout PlaceTree, Int) -> Void) throws(Fault) {
    let node = tree.nodes.count
    tree.nodes.append(PlaceTree.Node(offset: index))
    note(&tree, node)
    switch current {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < FileValue.deepest else {
        throw fault("more than \(FileValue.deepest) groups and lists stand in one another")
      }
      open.append(Group(node: node, isObject: bytes[index] == UInt8(ascii: "{"), path: path))
      index += 1
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      _ = try scanText()
    default:
      try scanWord()
    }
  }
}
