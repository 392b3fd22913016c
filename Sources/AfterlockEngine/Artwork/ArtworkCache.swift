public import AfterlockCore
import Glibc

/// The pictures that are given to other programs, each in a file that is named by its content.
///
/// A file is there whole or not at all: it is written under a name of its own and then renamed. Where the disk is full or
/// may not be written to there is no file, and that is all. Called on: any thread, since the file system keeps order.
public struct ArtworkCache: Sendable {
  /// Where the files are.
  public let folder: MediaPath
  /// How much is kept, in bytes, and how long what nobody asked for.
  static let mostBytes: Int64 = 64 << 20
  static let longestAge: Int = 30 * 24 * 3_600
  /// What a program that was ended while it wrote has left is removed after an hour.
  private static let longestWrite = 3_600
  private static let temporaryPrefix = ".new-"

  /// A cache in `folder`, which is made when the first picture comes.
  public init(folder: MediaPath) { self.folder = folder }

  /// The user's own: `$XDG_CACHE_HOME/afterlock/art`, or `~/.cache/afterlock/art`.
  /// - Parameter environment: gives the value of a variable.
  /// - Returns: `nil` where the environment names no home.
  public init?(environment: (String) -> String?) {
    // A relative path is to be ignored, says the specification of the base directories.
    if let base = environment("XDG_CACHE_HOME"), base.hasPrefix("/") {
      folder = MediaPath(base + "/afterlock/art")
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      folder = MediaPath(home + "/.cache/afterlock/art")
    } else {
      return nil
    }
  }

  /// Writes a picture, unless it is there already.
  /// - Returns: the file, or `nil` where none can be written.
  func store(_ picture: PictureScaler.Picture) -> MediaPath? {
    let name = Self.name(of: picture)
    let path = path(name)
    if touch(path, holding: picture.bytes) { return path }
    guard makeFolder(), write(picture.bytes, to: path) else { return nil }
    prune(sparing: name)
    return path
  }

  // MARK: - Names

  /// 128 bits over all bytes, in the manner of FNV-1a, eight bytes at a time. Whether a file of that name holds the picture
  /// is looked at, so that names that are alike do no harm.
  static func digest(_ bytes: [UInt8]) -> UInt128 {
    let prime: UInt128 = 1 << 88 | 0x13B
    var digest: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    func take(_ word: UInt64) { digest = (digest ^ UInt128(word)) &* prime }
    bytes.withUnsafeBytes { buffer in
      let whole = buffer.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        take(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      for byte in buffer[whole...] { take(UInt64(byte)) }
    }
    take(UInt64(bytes.count))
    return digest ^ digest >> 67
  }

  static func name(of picture: PictureScaler.Picture) -> [UInt8] {
    let digits = String(digest(picture.bytes), radix: 16)
    let zeros = String(repeating: "0", count: 32 - digits.utf8.count)
    return Array((zeros + digits + "." + picture.kind.suffix).utf8)
  }

  /// Whether a name is one of ours: nothing else in the folder is touched.
  private static func isOwn(_ name: [UInt8]) -> Bool {
    guard let dot = name.firstIndex(of: UInt8(ascii: ".")), dot == 32 else { return false }
    let isHexadecimal = name[..<dot].allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return isHexadecimal && ["jpg", "png"].contains { name[(dot + 1)...].elementsEqual($0.utf8) }
  }

  private func path(_ name: [UInt8]) -> MediaPath {
    MediaPath(bytes: folder.bytes + [UInt8(ascii: "/")] + name)
  }

  // MARK: - Files

  /// Says that the picture was asked for again; `false` when the file is not there, or is not the picture.
  private func touch(_ path: MediaPath, holding bytes: [UInt8]) -> Bool {
    // Another's link, pipe or folder of that name is not read.
    let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY) }
    guard file >= 0 else { return false }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == bytes.count
    else { return false }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var offset = 0
    while offset < bytes.count {
      let count = pread(file, &chunk, chunk.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0, offset + count <= bytes.count,
        chunk[..<count].elementsEqual(bytes[offset..<(offset + count)])
      else { return false }
      offset += count
    }
    futimens(file, nil)
    return true
  }

  private func makeFolder() -> Bool {
    let bytes = folder.bytes
    // From the root on; what is there already is an error that says nothing.
    for index in bytes.indices where index > 0 && bytes[index] == UInt8(ascii: "/") {
      _ = MediaPath(bytes: bytes[..<index]).withCString { mkdir($0, 0o700) }
    }
    return folder.withCString { mkdir($0, 0o700) } == 0 || errno == EEXIST
  }

  private func write(_ bytes: [UInt8], to path: MediaPath) -> Bool {
    let ending = "\(getpid())-\(UInt64.random(in: .min ... .max))"
    let temporary = self.path(Array((Self.temporaryPrefix + ending).utf8))
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let file = temporary.withCString { open($0, flags, 0o600) }
    guard file >= 0 else { return false }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(file, $0.baseAddress! + written, $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    // Some file systems say only here that there was no room.
    let isClosed = close(file) == 0
    if written == bytes.count, isClosed,
      temporary.withCString({ from in path.withCString { rename(from, $0) } }) == 0
    {
      return true
    }
    _ = temporary.withCString { unlink($0) }
    return false
  }

  // MARK: - Bounds

  /// Removes what is too old, and the oldest of what is too much.
  /// - Parameter name: the file that was just written.
  func prune(sparing name: [UInt8]) {
    guard let stream = folder.withCString({ opendir($0) }) else { return }
    defer { closedir(stream) }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var files: [(name: [UInt8], time: Int, size: Int64)] = []
    var total: Int64 = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      let isTemporary = name.starts(with: Self.temporaryPrefix.utf8)
      guard isTemporary || Self.isOwn(name) else { continue }
      var status = stat()
      guard path(name).withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      let age = now.tv_sec - status.st_mtim.tv_sec
      if age > (isTemporary ? Self.longestWrite : Self.longestAge) {
        _ = path(name).withCString { unlink($0) }
      } else if !isTemporary {
        files.append((name, status.st_mtim.tv_sec, Int64(status.st_size)))
        total += Int64(status.st_size)
      }
    }
    files.sort { $0.time < $1.time }
    for file in files where total > Self.mostBytes && file.name != name {
      _ = path(file.name).withCString { unlink($0) }
      total -= file.size
    }
  }
}

extension MediaPath {
  fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    var text = bytes.map(CChar.init(bitPattern:))
    text.append(0)
    return text.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
