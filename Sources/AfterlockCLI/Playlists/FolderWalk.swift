import AfterlockCore

/// Walks a folder and everything below it, in natural order, without hidden names and without going in circles.
final class FolderWalk {
  /// One folder with what is left of it. The first entry is found without sorting, since the first sound waits for
  /// it; the rest is sorted when the second is asked for.
  private struct Level {
    let path: [UInt8]
    /// The next entry stands last.
    var entries: [FileSystem.Entry]
    var isSorted = false

    init(path: [UInt8], entries: [FileSystem.Entry]) {
      self.path = path
      self.entries = entries
      guard let first = entries.indices.min(by: { NaturalOrder.precedes(entries[$0].name, entries[$1].name) })
      else { return }
      self.entries.swapAt(first, entries.count - 1)
    }

    mutating func next() -> FileSystem.Entry? {
      guard let entry = entries.popLast() else { return nil }
      if !isSorted, !entries.isEmpty, wasAsked {
        entries.append(entry)
        entries.sort { NaturalOrder.precedes($1.name, $0.name) }
        isSorted = true
        return entries.popLast()
      }
      wasAsked = true
      return entry
    }
    private var wasAsked = false
  }

  private let name: String
  private var levels: [Level] = []
  /// A folder is walked once, by whatever way it is reached.
  private var visited: Set<FileIdentity> = []
  private var isEmpty = true
  private var start: [UInt8]?

  /// `name` stands for the folder in messages.
  init(_ path: [UInt8], name: String) {
    self.name = name
    start = path
  }

  func next() -> SourcedItem? {
    if let path = start {
      start = nil
      if let fault = enter(path) { return report(fault) }
    }
    while !levels.isEmpty {
      guard let entry = levels[levels.count - 1].next() else {
        levels.removeLast()
        continue
      }
      let path = FileSystem.join(levels[levels.count - 1].path, entry.name)
      switch kind(entry, path) {
      case .folder?:
        if let fault = enter(path) { return report(fault) }
      case .file? where MediaExtension.known.contains(MediaExtension.of(entry.name)):
        isEmpty = false
        return .media(.file(MediaPath(bytes: path)), title: nil)
      default: continue
      }
    }
    guard isEmpty else { return nil }
    return report(ItemFault(name: name, cause: "no music in this folder"))
  }

  private func report(_ fault: ItemFault) -> SourcedItem {
    isEmpty = false
    return .fault(fault)
  }

  private func kind(_ entry: FileSystem.Entry, _ path: [UInt8]) -> FileKind? {
    if let kind = entry.kind { return kind }
    // A link that leads nowhere is listed when its name says music: opening it names the cause.
    return (try? FileSystem.kind(path)) ?? .file
  }

  private func enter(_ path: [UInt8]) -> ItemFault? {
    do throws(FileSystemError) {
      let (identity, entries) = try FileSystem.list(path)
      if visited.insert(identity).inserted { levels.append(Level(path: path, entries: entries)) }
      return nil
    } catch {
      let shown = levels.isEmpty ? name : MediaPath(bytes: path).display
      return ItemFault(name: shown, cause: error.cause)
    }
  }
}
