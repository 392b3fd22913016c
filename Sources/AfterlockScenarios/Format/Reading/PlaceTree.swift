/// Where the values of a JSON5 text stand; only for messages, never for what a file means.
struct PlaceTree {
  /// A value: the byte where it begins, and the values in it.
  struct Node {
    var offset: Int
    var members: [String: (key: Int, value: Int)] = [:]
    var elements: [Int] = []
  }

  /// A key that an object has twice.
  struct Duplicate {
    var path: FilePath
    var key: String
    var first: Int
    var second: Int
  }

  /// All values; the first is the file's own. Empty when there is none.
  var nodes: [Node] = []
  /// The keys that are written twice, in the order of the file.
  var duplicates: [Duplicate] = []

  /// The byte where the value at `path` begins; the nearest value around it when there is none.
  func offset(of path: FilePath) -> Int? { node(at: path)?.offset }

  /// The byte where the key of the object at `path` begins.
  func offset(ofKey key: String, at path: FilePath) -> Int? {
    let node = node(at: path)
    return node?.members[key]?.key ?? node?.offset
  }

  private func node(at path: FilePath) -> Node? {
    guard var node = nodes.first else { return nil }
    for step in path.steps {
      switch step {
      case .key(let key):
        guard let member = node.members[key] else { return node }
        node = nodes[member.value]
      case .index(let index):
        guard node.elements.indices.contains(index) else { return node }
        node = nodes[node.elements[index]]
      }
    }
    return node
  }
}

/// Lines and columns of a text.
struct LineTable {
  private let bytes: [UInt8]
  private let starts: [Int]

  /// Finds the lines of a text: they end in LF, CR or both.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    for index in bytes.indices {
      let isBreak =
        bytes[index] == UInt8(ascii: "\n")
        || bytes[index] == UInt8(ascii: "\r")
          && (index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
      if isBreak { starts.append(index + 1) }
    }
    self.starts = starts
  }

  /// The line of a byte, from 1.
  func line(of offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The column of a byte in its line, in characters from 1.
  func column(of offset: Int) -> Int {
    let start = starts[line(of: offset) - 1]
    return String(decoding: bytes[start..<min(max(offset, start), bytes.count)], as: UTF8.self).count + 1
  }
}
