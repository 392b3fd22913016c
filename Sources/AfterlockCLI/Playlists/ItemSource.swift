import AfterlockCore

/// Something that cannot be played, with its cause.
struct ItemFault: Hashable, Sendable {
  /// The item on one line, with its playlist and line number where it has them.
  let name: String
  let cause: String

  /// The line for standard error.
  var message: String { "afterlock: \(name): \(cause)" }
}

/// What the words of the command line come to, one at a time.
enum SourcedItem: Hashable, Sendable {
  case media(MediaLocation, title: String?)
  case fault(ItemFault)
}

/// Limits that keep an odd playlist from filling the memory or running for ever.
struct ItemLimits: Sendable {
  var playlistBytes = 16 << 20
  var playlistDepth = 8
  /// Items that may come out of playlists, altogether.
  var playlistItems = 1_000_000
}

/// Lists what is to be played: walks folders and reads playlists as far as the next item needs, and no further.
///
/// Not `Sendable`: it reads the file system, so it lives in one task off the main actor.
final class ItemSource {
  private enum Frame {
    case arguments(ArraySlice<[UInt8]>)
    case folder(FolderWalk)
    case playlist(PlaylistWalk)
  }

  private var frames: [Frame]
  private let limits: ItemLimits
  private var itemsFromPlaylists = 0

  init(_ arguments: [[UInt8]], limits: ItemLimits = ItemLimits()) {
    frames = [.arguments(arguments[...])]
    self.limits = limits
  }

  /// The next item or fault, in the order of the command line; `nil` at the end.
  func next() -> SourcedItem? {
    while !frames.isEmpty {
      guard let item = step() else { continue }
      return countPlaylistItem() ?? item
    }
    return nil
  }

  /// One step of the innermost frame; `nil` when it gave no item yet, or has ended and is gone.
  private func step() -> SourcedItem? {
    let innermost = frames.count - 1
    switch frames[innermost] {
    case .arguments(var rest):
      if let argument = rest.popFirst() {
        frames[innermost] = .arguments(rest)
        return open(argument)
      }
    case .folder(let walk):
      if let found = walk.next() { return found }
    case .playlist(let walk):
      switch walk.next() {
      case .entry(let entry): return open(entry, of: walk)
      case .fault(let fault): return .fault(fault)
      case nil: break
      }
    }
    frames.removeLast()
    return nil
  }

  /// The fault that ends a playlist with too many items; `nil` while there are not too many.
  private func countPlaylistItem() -> SourcedItem? {
    let first = frames.firstIndex { if case .playlist = $0 { true } else { false } }
    guard let first, case .playlist(let outermost) = frames[first] else { return nil }
    itemsFromPlaylists += 1
    guard itemsFromPlaylists > limits.playlistItems else { return nil }
    frames.removeSubrange(first...)
    return .fault(
      ItemFault(
        name: outermost.name,
        cause: "playlists come to more than \(limits.playlistItems) items; the rest is left out"))
  }

  // MARK: Words of the command line

  private func open(_ argument: [UInt8]) -> SourcedItem? {
    let name = MediaPath(bytes: argument).display
    if argument == [UInt8(ascii: "-")] {
      return .fault(ItemFault(name: "-", cause: "standard input cannot be played; name a file"))
    }
    switch ItemReference(argument) {
    case .address(let address): return .media(.url(address), title: nil)
    case .refused(let cause): return .fault(ItemFault(name: name, cause: cause))
    case .path(let path), .decodedPath(let path):
      do throws(FileSystemError) {
        return open(path, kind: try FileSystem.kind(path), name: name, title: nil, depth: 0)
      } catch {
        return .fault(ItemFault(name: name, cause: error.cause))
      }
    }
  }

  // MARK: Lines of a playlist

  private func open(_ entry: PlaylistEntry, of playlist: PlaylistWalk) -> SourcedItem? {
    let name = "\(playlist.name):\(entry.line): \(MediaPath(bytes: entry.reference).display)"
    let candidates: [[UInt8]]
    switch ItemReference(entry.reference) {
    case .address(let address): return .media(.url(address), title: entry.title)
    case .refused(let cause): return .fault(ItemFault(name: name, cause: cause))
    case .path(let path): candidates = PathGuess.candidates(path)
    case .decodedPath(let path): candidates = [path]
    }
    var cause: String?
    for candidate in candidates {
      let path = FileSystem.join(playlist.folder, candidate)
      do throws(FileSystemError) {
        let kind = try FileSystem.kind(path)
        return open(path, kind: kind, name: name, title: entry.title, depth: playlist.depth + 1)
      } catch {
        cause = cause ?? error.cause
      }
    }
    if PathGuess.isWindowsPath(entry.reference) {
      cause = "this path is of another system, and there is no such file here"
    }
    return .fault(ItemFault(name: name, cause: cause ?? "names no file"))
  }

  /// Opens what stands under `path`; `nil` when its items follow.
  private func open(_ path: [UInt8], kind: FileKind, name: String, title: String?, depth: Int) -> SourcedItem?
  {
    switch kind {
    case .other(let what): return .fault(ItemFault(name: name, cause: "\(what) cannot be played"))
    case .folder:
      frames.append(.folder(FolderWalk(path, name: name)))
      return nil
    case .file:
      guard let format = PlaylistFormat(pathExtension: MediaExtension.of(path)) else {
        return .media(.file(MediaPath(bytes: path)), title: title)
      }
      return openPlaylist(path, format, name: name, depth: depth)
    }
  }

  private func openPlaylist(
    _ path: [UInt8], _ format: PlaylistFormat, name: String, depth: Int
  ) -> SourcedItem? {
    func fault(_ cause: String) -> SourcedItem { .fault(ItemFault(name: name, cause: cause)) }
    guard depth < limits.playlistDepth else {
      return fault("playlists are nested deeper than \(limits.playlistDepth)")
    }
    do throws(FileSystemError) {
      guard case .bytes(let bytes, let identity) = try FileSystem.read(path, limit: limits.playlistBytes)
      else {
        return fault("the playlist is larger than \(limits.playlistBytes >> 20) MiB")
      }
      for case .playlist(let outer) in frames where outer.identity == identity {
        return fault("the playlist leads back to itself")
      }
      guard PlaylistWalk.isText(bytes) else { return fault("this is no playlist: it is not text") }
      let walk = PlaylistWalk(
        PlaylistParser.parse(bytes, as: format), path: path, identity: identity, depth: depth)
      guard !walk.isEmpty else { return fault("the playlist is empty") }
      frames.append(.playlist(walk))
      return nil
    } catch {
      return fault(error.cause)
    }
  }
}

/// A playlist on its way: entries and faults in the order of the lines.
final class PlaylistWalk {
  enum Step {
    case entry(PlaylistEntry)
    case fault(ItemFault)
  }

  let name: String
  /// Where relative paths begin.
  let folder: [UInt8]
  let identity: FileIdentity
  let depth: Int
  private var entries: ArraySlice<PlaylistEntry>
  private var faults: ArraySlice<PlaylistFault>

  init(_ playlist: ParsedPlaylist, path: [UInt8], identity: FileIdentity, depth: Int) {
    name = MediaPath(bytes: path).display
    folder = FileSystem.folder(of: path)
    self.identity = identity
    self.depth = depth
    entries = playlist.entries[...]
    faults = playlist.faults[...]
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
