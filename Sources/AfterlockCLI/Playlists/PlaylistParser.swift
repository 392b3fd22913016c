import AfterlockCore

/// One item of a playlist, as its line has it.
struct PlaylistEntry: Hashable, Sendable {
  /// Counted from 1.
  let line: Int
  let reference: [UInt8]
  /// The line with the blanks around it, which belong to the name of some files; `nil` without any.
  var referenceWithBlanks: [UInt8]?
  var title: String?
}

/// A line that says nothing that can be played.
struct PlaylistFault: Hashable, Sendable {
  let line: Int
  let cause: String
}

/// What a playlist says, before anything is looked up.
struct ParsedPlaylist: Hashable, Sendable {
  var entries: [PlaylistEntry] = []
  var faults: [PlaylistFault] = []
}

/// The formats of playlists.
enum PlaylistFormat: String, Hashable, Sendable {
  case m3u, m3u8, pls

  /// By the extension of the name.
  init?(pathExtension: String) {
    self.init(rawValue: pathExtension)
  }
}

/// Reads playlists; pure, so that every odd line can be tested without files.
enum PlaylistParser {
  /// Longest line that can name a file or an address.
  static let longestLine = 8192

  static func parse(_ bytes: [UInt8], as format: PlaylistFormat) -> ParsedPlaylist {
    let lines = PlaylistText.lines(bytes)
    return format == .pls ? pls(lines) : m3u(lines)
  }

  // MARK: m3u

  private static func m3u(_ lines: [ArraySlice<UInt8>]) -> ParsedPlaylist {
    var playlist = ParsedPlaylist()
    var title: String?
    for (index, raw) in lines.enumerated() {
      let line = PlaylistText.trimmed(raw)
      if line.isEmpty { continue }
      if line.first == UInt8(ascii: "#") {
        if let found = extendedTitle(line) { title = found }
        if isStreamList(line) {
          playlist.faults.append(
            PlaylistFault(
              line: index + 1,
              cause: "this is a list of stream segments (HLS); give its http or https address instead"))
          return playlist
        }
        continue
      }
      if let cause = refusal(line) {
        playlist.faults.append(PlaylistFault(line: index + 1, cause: cause))
      } else {
        playlist.entries.append(
          PlaylistEntry(
            line: index + 1, reference: Array(line),
            referenceWithBlanks: raw.count > line.count ? Array(raw) : nil,
            title: title))
      }
      title = nil
    }
    return playlist
  }

  /// The text behind the comma of `#EXTINF:123 key="a,b",Title`.
  private static func extendedTitle(_ line: ArraySlice<UInt8>) -> String? {
    let mark = "#EXTINF:"
    guard PlaylistText.string(line.prefix(mark.utf8.count)).uppercased() == mark else { return nil }
    var isQuoted = false
    for (index, byte) in zip(line.indices, line) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard byte == UInt8(ascii: ","), !isQuoted else { continue }
      let title = PlaylistText.string(PlaylistText.trimmed(line[(index + 1)...]))
      return title.isEmpty ? nil : title
    }
    return nil
  }

  /// The marks of HLS, the same ones by which FFmpeg knows it.
  private static func isStreamList(_ line: ArraySlice<UInt8>) -> Bool {
    ["#EXT-X-TARGETDURATION", "#EXT-X-STREAM-INF", "#EXT-X-MEDIA-SEQUENCE"].contains {
      line.starts(with: $0.utf8)
    }
  }

  /// Whether a text lists the segments of one stream (HLS), which FFmpeg plays from its address.
  static func isStreamList(_ bytes: [UInt8]) -> Bool {
    PlaylistText.lines(bytes).contains { isStreamList(PlaylistText.trimmed($0)) }
  }

  /// Whether a text is a page for a browser, as servers send it with their errors and log-ins.
  static func isWebPage(_ bytes: [UInt8]) -> Bool {
    let first = PlaylistText.lines(bytes).lazy.map(PlaylistText.trimmed).first { !$0.isEmpty }
    return first?.first == UInt8(ascii: "<")
  }

  // MARK: pls

  private static func pls(_ lines: [ArraySlice<UInt8>]) -> ParsedPlaylist {
    var playlist = ParsedPlaylist()
    var files: [Int: PlaylistEntry] = [:]
    var titles: [Int: String] = [:]
    var hasHeader = false
    for (index, raw) in lines.enumerated() {
      let line = PlaylistText.trimmed(raw)
      func fault(_ cause: String) { playlist.faults.append(PlaylistFault(line: index + 1, cause: cause)) }
      guard let first = line.first, first != UInt8(ascii: ";"), first != UInt8(ascii: "#") else { continue }
      if first == UInt8(ascii: "[") {
        if PlaylistText.string(line).lowercased() == "[playlist]" { hasHeader = true }
        continue
      }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
        fault("not a line of a pls playlist: no \"=\"")
        continue
      }
      let key = PlaylistText.string(PlaylistText.trimmed(line[..<equals])).lowercased()
      let value = PlaylistText.trimmed(line[(equals + 1)...])
      if let number = suffix(of: key, after: "file") {
        if let cause = refusal(value) {
          fault(cause)
        } else if files[number] != nil {
          fault("File\(number) is named twice; the first one holds")
        } else {
          files[number] = PlaylistEntry(line: index + 1, reference: Array(value))
        }
      } else if let number = suffix(of: key, after: "title") {
        if !value.isEmpty { titles[number] = PlaylistText.string(value) }
      } else if key.hasPrefix("file") {
        fault("\"\(MediaPath(key).display)\" has no number behind \"File\"")
      }
    }
    if !hasHeader, !files.isEmpty || lines.contains(where: { !$0.isEmpty }) {
      playlist.faults.insert(PlaylistFault(line: 1, cause: "the header [playlist] is missing"), at: 0)
    }
    playlist.entries = files.sorted { $0.key < $1.key }.map { number, entry in
      PlaylistEntry(line: entry.line, reference: entry.reference, title: titles[number])
    }
    return playlist
  }

  private static func suffix(of key: String, after prefix: String) -> Int? {
    guard key.hasPrefix(prefix) else { return nil }
    let digits = key.dropFirst(prefix.count)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits)
  }

  private static func refusal(_ line: ArraySlice<UInt8>) -> String? {
    if line.isEmpty { return "names no file" }
    if line.contains(0) { return "a NUL in the line: this is no text" }
    if line.count > longestLine { return "the line is longer than \(longestLine) bytes" }
    return nil
  }
}
