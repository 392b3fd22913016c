import AfterlockCore

/// A playlist on its way: entries and faults in the order of the lines.
final class PlaylistWalk {
  enum Step {
    case entry(PlaylistEntry)
    case fault(ItemFault)
  }

  /// Where a playlist stands.
  enum Place: Hashable {
    case file(path: [UInt8], FileIdentity)
    case address(String)
  }

  let name: String
  /// Where relative entries begin.
  let place: Place
  let depth: Int
  private var entries: ArraySlice<PlaylistEntry>
  private var faults: ArraySlice<PlaylistFault>

  init(_ playlist: ParsedPlaylist, at place: Place, depth: Int) {
    name =
      switch place {
      case .file(let path, _): MediaPath(bytes: path).display
      case .address(let address): MediaPath(address).display
      }
    self.place = place
    self.depth = depth
    entries = playlist.entries[...]
    faults = playlist.faults[...]
  }

  /// Whether this is the same playlist, by whatever way it was reached.
  func stands(at other: Place) -> Bool {
    switch (place, other) {
    case (.file(_, let a), .file(_, let b)): a == b
    case (.address(let a), .address(let b)): a == b
    default: false
    }
  }

  var isEmpty: Bool { entries.isEmpty && faults.isEmpty }

  func next() -> Step? {
    if let fault = faults.first, entries.first.map({ fault.line <= $0.line }) ?? true {
      faults.removeFirst()
      return .fault(ItemFault(name: "\(name):\(fault.line)", cause: fault.cause))
    }
    return entries.popFirst().map(Step.entry)
  }

  /// Text has no NUL, unless it is UTF-16 with its mark.
  static func isText(_ bytes: [UInt8]) -> Bool {
    let head = bytes.prefix(4096)
    return head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) || !head.contains(0)
  }
}

/// What a line of a playlist may mean as a path, likeliest first.
enum PathGuess {
  static func candidates(_ path: [UInt8]) -> [[UInt8]] {
    var all = [path]
    func add(_ candidate: [UInt8]) {
      if !candidate.contains(0), !candidate.isEmpty, !all.contains(candidate) { all.append(candidate) }
    }
    if path.contains(UInt8(ascii: "%")) { add(PercentEncoding.decode(path)) }
    if path.contains(UInt8(ascii: "\\")) {
      for candidate in all { add(candidate.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }) }
    }
    // Bytes that are no UTF-8 may be the name itself (tried first) or Latin-1 for a name in UTF-8.
    for candidate in all where String(validating: candidate, as: UTF8.self) == nil {
      add(Array(PlaylistText.string(candidate).utf8))
    }
    return all
  }

  /// `C:\Music\song.mp3`
  static func isWindowsPath(_ path: [UInt8]) -> Bool {
    if path.starts(with: "\\\\".utf8) { return true }
    guard path.count > 2, path[1] == UInt8(ascii: ":"), "\\/".utf8.contains(path[2]) else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(path[0] | 0x20)
  }
}
