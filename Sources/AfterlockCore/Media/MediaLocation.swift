/// A path as the file system has it: bytes without NUL, in no promised encoding.
public struct MediaPath: Hashable, Sendable {
  /// The bytes, without the closing NUL.
  public let bytes: [UInt8]

  /// Takes the bytes up to the first NUL.
  public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix { $0 != 0 }) }

  /// Takes the UTF-8 bytes of a string.
  public init(_ string: String) { self.init(bytes: string.utf8) }

  /// The path with broken encodings made valid and control characters escaped, fit for one line of text.
  public var display: String {
    var text = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where Self.isUnseen(scalar.properties.generalCategory):
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Controls, marks that turn the direction of text, and the separators of lines and paragraphs.
  private static func isUnseen(_ category: Unicode.GeneralCategory) -> Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
  }

  /// The part after the last slash.
  public var lastComponent: MediaPath {
    MediaPath(bytes: bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? bytes)
  }
}

/// Where the sound of a queue entry comes from.
public enum MediaLocation: Hashable, Sendable {
  /// A file on this machine.
  case file(MediaPath)
  /// An address that FFmpeg opens (`http`, `https`).
  case url(String)

  /// The location on one line, for messages and the log.
  public var display: String {
    switch self {
    case .file(let path): path.display
    case .url(let address): MediaPath(address).display
    }
  }
}
