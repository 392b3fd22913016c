import AfterlockCore
import Glibc

/// The pictures that stand beside a file, by the names that people and programs give them.
enum FolderPictures {
  /// The names without their endings, the best first; letter case does not matter.
  static let names = ["cover", "folder", "front", "album"]
  /// The endings, the best first.
  static let endings = ["jpg", "jpeg", "png", "webp"]
  /// The most names of a folder that are looked at.
  private static let mostNames = 50_000

  /// The folder's pictures, the best first: by name, then by ending, then by the bytes of the name. What is behind a name
  /// is not looked at: it may be a folder, a pipe, or no picture.
  static func paths(beside file: MediaPath) -> [MediaPath] {
    let folder = file.folder
    var found: [(rank: Int, name: [UInt8])] = []
    for name in fileNames(in: folder) {
      if let rank = rank(of: name) { found.append((rank, name)) }
    }
    found.sort { $0.rank == $1.rank ? $0.name.lexicographicallyPrecedes($1.name) : $0.rank < $1.rank }
    return found.map { MediaPath(bytes: folder.bytes + $0.name) }
  }

  /// 0 for the best; `nil` for what is no picture's name.
  static func rank(of name: [UInt8]) -> Int? {
    // The longest is "folder.jpeg".
    guard name.count <= 11, let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let lower = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    guard let stem = names.firstIndex(where: { lower[..<dot].elementsEqual($0.utf8) }),
      let ending = endings.firstIndex(where: { lower[(dot + 1)...].elementsEqual($0.utf8) })
    else { return nil }
    return stem * endings.count + ending
  }

  private static func fileNames(in folder: MediaPath) -> [[UInt8]] {
    guard let stream = opendir(folder.bytes.map(CChar.init(bitPattern:)) + [0]) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    for _ in 0..<mostNames {
      guard let entry = readdir(stream) else { break }
      // Most names are too long, and are not copied.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        let name = bytes.prefix(12).prefix { $0 != 0 }
        return name.count < 12 ? Array(name) : []
      }
      if !name.isEmpty { names.append(name) }
    }
    return names
  }
}

extension MediaPath {
  /// The folder that the file stands in, with the slash behind it.
  fileprivate var folder: MediaPath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return MediaPath("./") }
    return MediaPath(bytes: bytes[...slash])
  }
}
