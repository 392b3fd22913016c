import AfterlockCore

/// Where in a scenario file a value stands, such as `timeline[2].do`.
struct FilePath: Hashable, Sendable, CustomStringConvertible {
  /// One step down.
  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// From the file's own object down to the value.
  var steps: [Step] = []

  /// The file's own object.
  static let root = FilePath()

  subscript(key: String) -> FilePath { FilePath(steps: steps + [.key(key)]) }
  subscript(index: Int) -> FilePath { FilePath(steps: steps + [.index(index)]) }

  /// As people write it; empty for the file's own object.
  var description: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .key(let key): text += (text.isEmpty ? "" : ".") + key.quotedForMessage
      case .index(let index): text += "[\(index)]"
      }
    }
  }
}

extension String {
  /// The text on one line, without what a terminal would act on, and not too long for a message.
  var quotedForMessage: String {
    let visible = MediaPath(self).display
    return visible.count > 60 ? visible.prefix(60) + "…" : visible
  }
}
