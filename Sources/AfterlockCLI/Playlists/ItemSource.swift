import AfterlockCore
import AfterlockEngine

/// Something that cannot be played, with its cause.
struct ItemFault: Hashable, Sendable {
  /// The item on one line, with its playlist and line number where it has them.
  let name: String
  /// A clause without a capital and a full stop.
  let cause: String

  init(name: String, cause: String) {
    self.name = name
    self.cause = cause
  }

  /// What the engine says, in the words of a command line.
  init(name: String, _ failure: PlaybackFailure, isPlayedOn: Bool = false) {
    // Most of them say already what is played of it.
    let isSaid = !isPlayedOn || failure.message.contains("is played")
    self.init(name: name, cause: PlainText.clause(failure.message + (isSaid ? "" : " It plays on.")))
  }

  /// The line for standard error.
  var message: String { "afterlock: \(name): \(cause)" }
}

/// What the words of the command line come to, one at a time.
enum SourcedItem: Hashable, Sendable {
  case media(MediaLocation, title: String?)
  case fault(ItemFault)
  /// The next call waits for a server: whoever has something to go on with does so first.
  case waiting
}

/// Limits that keep an odd playlist from filling the memory or running for ever.
struct ItemLimits: Sendable {
  var playlistBytes = 16 << 20
  /// Bytes of a playlist at an address.
  var remotePlaylistBytes = 4 << 20
  var playlistDepth = 8
  /// Items that may come out of playlists, altogether.
  var playlistItems = 1_000_000
}

/// Lists what is to be played: walks folders and reads playlists as far as the next item needs, and no further.
///
/// Not `Sendable`: it reads the file system and waits for servers, so it lives in one task, on an executor that may block.
final class ItemSource {
  private enum Frame {
    case arguments(ArraySlice<[UInt8]>)
    case folder(FolderWalk)
    case playlist(PlaylistWalk)
    /// A playlist that is still to be read; its name is for messages.
    case address(String, PlaylistFormat, name: String, title: String?, depth: Int)
  }

  private var frames: [Frame]
  private let limits: ItemLimits
  private let interrupter: ReadInterrupter
  private var itemsFromPlaylists = 0
  private var hasSaidThatItWaits = false

  /// - Parameter interrupter: breaks off what waits for a server, from any thread.
  init(
    _ arguments: [[UInt8]], limits: ItemLimits = ItemLimits(),
    interrupter: ReadInterrupter = ReadInterrupter()
  ) {
    frames = [.arguments(arguments[...])]
    self.limits = limits
    self.interrupter = interrupter
  }

  /// The next item or fault, in the order of the command line; `nil` at the end.
  func next() -> SourcedItem? {
    while !frames.isEmpty {
      if case .address = frames.last, !hasSaidThatItWaits {
        hasSaidThatItWaits = true
        return .waiting
      }
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
    case .address(let address, let format, let name, let title, let depth):
      hasSaidThatItWaits = false
      frames.removeLast()
      return fetchPlaylist(address, format, name: name, title: title, depth: depth)
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
    case .address(let address): return open(address: address, name: name, title: nil, depth: 0)
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
    let depth = playlist.depth + 1
    let reference = ItemReference(entry.reference)
    switch (reference, playlist.place) {
    case (.address(let address), _):
      return open(address: address, name: name, title: entry.title, depth: depth)
    case (.refused(let cause), _): return .fault(ItemFault(name: name, cause: cause))
    case (.path(let path), .file(let list, _)):
      let asWritten = [entry.referenceWithBlanks].compactMap(\.self)
      return open(
        PathGuess.candidates(path) + asWritten, beside: list, of: entry, name: name, depth: depth)
    case (.decodedPath(let path), .file(let list, _)):
      return open([path], beside: list, of: entry, name: name, depth: depth)
    case (.path(let path), .address(let base)):
      guard !PathGuess.isWindowsPath(path) else {
        return .fault(ItemFault(name: name, cause: "this path is of another system"))
      }
      let address = WebAddress.resolve(path, at: base)
      return open(address: address, name: name, title: entry.title, depth: depth)
    case (.decodedPath, .address):
      // Whoever writes the list elsewhere has no business with the files here.
      return .fault(
        ItemFault(name: name, cause: "a playlist from a server may not name files of this machine"))
    }
  }

  /// Opens the first of `candidates` that exists beside the playlist `list`.
  private func open(
    _ candidates: [[UInt8]], beside list: [UInt8], of entry: PlaylistEntry, name: String, depth: Int
  ) -> SourcedItem? {
    var cause: String?
    for candidate in candidates {
      let path = FileSystem.join(FileSystem.folder(of: list), candidate)
      do throws(FileSystemError) {
        let kind = try FileSystem.kind(path)
        return open(path, kind: kind, name: name, title: entry.title, depth: depth)
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
    if let fault = faultOfDepth(depth, name: name) { return fault }
    do throws(FileSystemError) {
      guard case .bytes(let bytes, let identity) = try FileSystem.read(path, limit: limits.playlistBytes)
      else { return tooLarge(name, limits.playlistBytes) }
      guard PlaylistWalk.isText(bytes) else {
        return .fault(ItemFault(name: name, cause: "this is no playlist: it is not text"))
      }
      let playlist = PlaylistParser.parse(bytes, as: format)
      return enter(playlist, at: .file(path: path, identity), name: name, depth: depth)
    } catch {
      return .fault(ItemFault(name: name, cause: error.cause))
    }
  }

  private func faultOfDepth(_ depth: Int, name: String) -> SourcedItem? {
    guard depth >= limits.playlistDepth else { return nil }
    return .fault(ItemFault(name: name, cause: "playlists are nested deeper than \(limits.playlistDepth)"))
  }

  private func tooLarge(_ name: String, _ limit: Int) -> SourcedItem {
    .fault(ItemFault(name: name, cause: "the playlist is larger than \(limit >> 20) MiB"))
  }

  /// Goes on with the entries of a playlist that was read.
  private func enter(
    _ playlist: ParsedPlaylist, at place: PlaylistWalk.Place, name: String, depth: Int
  ) -> SourcedItem? {
    for case .playlist(let outer) in frames where outer.stands(at: place) {
      return .fault(ItemFault(name: name, cause: "the playlist leads back to itself"))
    }
    let walk = PlaylistWalk(playlist, at: place, depth: depth)
    guard !walk.isEmpty else { return .fault(ItemFault(name: name, cause: "the playlist is empty")) }
    frames.append(.playlist(walk))
    return nil
  }

  // MARK: Addresses

  /// Opens an address; `nil` when it is a playlist, which is read in the next step.
  private func open(address: String, name: String, title: String?, depth: Int) -> SourcedItem? {
    guard let format = PlaylistFormat(pathExtension: WebAddress.pathExtension(address)) else {
      return .media(.url(address), title: title)
    }
    if let fault = faultOfDepth(depth, name: name) { return fault }
    frames.append(.address(address, format, name: name, title: title, depth: depth))
    return nil
  }

  /// Reads the playlist at an address. What turns out to be sound, or a list of the segments of one, is played.
  private func fetchPlaylist(
    _ address: String, _ format: PlaylistFormat, name: String, title: String?, depth: Int
  ) -> SourcedItem? {
    do throws(PlaybackFailure) {
      let text = try NetworkText.read(
        address, limit: limits.remotePlaylistBytes, interrupter: interrupter, isText: PlaylistWalk.isText)
      switch text {
      case .notText: return .media(.url(address), title: title)
      case .tooLarge: return tooLarge(name, limits.remotePlaylistBytes)
      case .whole(let bytes, let place):
        if PlaylistParser.isStreamList(bytes) { return .media(.url(address), title: title) }
        guard !PlaylistParser.isWebPage(bytes) else {
          return .fault(ItemFault(name: name, cause: "this is no playlist: the server sends a web page"))
        }
        let playlist = PlaylistParser.parse(bytes, as: format)
        return enter(playlist, at: .address(place), name: name, depth: depth)
      }
    } catch {
      return .fault(ItemFault(name: name, error))
    }
  }
}
