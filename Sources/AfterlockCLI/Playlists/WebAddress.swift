/// Addresses of the web as playlists use them; pure.
enum WebAddress {
  /// The parts that a relative reference is joined to.
  private struct Parts {
    /// With its colon: "http:".
    var scheme: Substring
    /// With its slashes: "//host:port".
    var authority: Substring
    var path: Substring

    init(_ address: String) {
      let colon = address.firstIndex(of: ":") ?? address.endIndex
      scheme = address[..<(colon < address.endIndex ? address.index(after: colon) : colon)]
      let rest = address[scheme.endIndex...]
      let start = rest.hasPrefix("//") ? rest.index(rest.startIndex, offsetBy: 2) : rest.startIndex
      let end = rest[start...].firstIndex { "/?#".contains($0) } ?? rest.endIndex
      authority = rest[..<end]
      path = rest[end...].prefix { $0 != "?" && $0 != "#" }
    }
  }

  /// The lower-case extension of the path; empty when there is none.
  static func pathExtension(_ address: String) -> String {
    MediaExtension.of(Array(Parts(address).path.utf8))
  }

  /// What a line of the playlist at `base` means (RFC 3986, 5.2), whatever characters stand in it.
  ///
  /// A line is meant as a name more often than as an address: a "#" in it is part of the name, and a backslash divides
  /// folders.
  static func resolve(_ reference: [UInt8], at base: String) -> String {
    let slashed = reference.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    let text = escaped(Array(PlaylistText.string(slashed).utf8)).replacing("#", with: "%23")
    let parts = Parts(base)
    if text.hasPrefix("//") { return parts.scheme + text }
    let origin = "\(parts.scheme)\(parts.authority)"
    let path = text.prefix { $0 != "?" }
    let query = text[path.endIndex...]
    if path.isEmpty { return origin + parts.path + query }
    if path.hasPrefix("/") { return origin + withoutDots(String(path)) + query }
    let folder = parts.path.lastIndex(of: "/").map { String(parts.path[...$0]) } ?? "/"
    return origin + withoutDots(folder + path) + query
  }

  /// Every byte that an address may not have as `%XX`; what is an escape already stays one.
  static func escaped(_ bytes: [UInt8]) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      let isEscape = byte == UInt8(ascii: "%") && PercentEncoding.isEscape(bytes[index...])
      if isEscape || allowed.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return text
  }

  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?#[]".utf8)

  /// RFC 3986, 5.2.4, for a path that begins with a slash.
  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in segments.enumerated() {
      switch segment {
      case "..": _ = kept.popLast()
      case ".": break
      default:
        kept.append(segment)
        continue
      }
      if index == segments.count - 1 { kept.append("") }
    }
    return "/" + kept.joined(separator: "/")
  }
}
