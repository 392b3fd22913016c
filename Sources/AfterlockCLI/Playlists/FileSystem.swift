import Glibc

/// What stands under a path, as far as the list of items cares.
enum FileKind: Hashable, Sendable {
  case file, folder
  /// Something that cannot be played, in words: "a pipe".
  case other(String)
}

/// One file or folder, whatever its names are.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

/// Why a call on the file system failed.
struct FileSystemError: Error, Hashable, Sendable {
  let code: Int32

  /// The cause in words for a person.
  var cause: String {
    switch code {
    case ENOENT: "no such file or folder"
    case EACCES: "permission denied"
    case ELOOP: "its symbolic links lead in a circle"
    case ENAMETOOLONG: "the name is too long"
    case ENOTDIR: "a part of its path is no folder"
    default: String(cString: strerror(code))
    }
  }
}

/// The few calls on the file system that listing needs; paths are bytes.
enum FileSystem {
  /// Looks through symbolic links.
  static func kind(_ path: [UInt8]) throws(FileSystemError) -> FileKind {
    var status = stat()
    guard withPath(path, { stat($0, &status) }) == 0 else { throw FileSystemError(code: errno) }
    return kind(status)
  }

  private static func kind(_ status: stat) -> FileKind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFIFO: .other("a pipe")
    case S_IFSOCK: .other("a socket")
    default: .other("a device")
    }
  }

  /// A folder's entry; `kind` is `nil` where the folder does not tell (a symbolic link, some file systems).
  struct Entry {
    let name: [UInt8]
    let kind: FileKind?
  }

  /// Everything in a folder except hidden names, in no order.
  static func list(_ path: [UInt8]) throws(FileSystemError) -> (identity: FileIdentity, entries: [Entry]) {
    guard let folder = withPath(path, { opendir($0) }) else { throw FileSystemError(code: errno) }
    defer { closedir(folder) }
    var status = stat()
    guard fstat(dirfd(folder), &status) == 0 else { throw FileSystemError(code: errno) }
    var entries: [Entry] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        Array(
          UnsafeRawBufferPointer(start: tuple, count: MemoryLayout.size(ofValue: tuple.pointee)).prefix {
            $0 != 0
          })
      }
      guard name.first != UInt8(ascii: ".") else { continue }
      let kind: FileKind? =
        switch Int(entry.pointee.d_type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_LNK), Int(DT_UNKNOWN): nil
        default: .other("no file")
        }
      entries.append(Entry(name: name, kind: kind))
    }
    return (FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)), entries)
  }

  /// What reading a file of bounded size can give.
  enum Contents {
    case bytes([UInt8], FileIdentity)
    case tooLarge
  }

  /// Reads at most `limit` bytes.
  static func read(_ path: [UInt8], limit: Int) throws(FileSystemError) -> Contents {
    let file = withPath(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { throw FileSystemError(code: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileSystemError(code: errno) }
    guard status.st_size <= limit else { return .tooLarge }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw FileSystemError(code: errno)
      }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard bytes.count <= limit else { return .tooLarge }
    let identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    return .bytes(bytes, identity)
  }

  private static func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    var text = path.map(CChar.init(bitPattern:))
    text.append(0)
    return text.withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  /// `name` in `folder`; an absolute name stays as it is.
  static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    if name.first == slash || folder.isEmpty { return name }
    return folder.last == slash ? folder + name : folder + [slash] + name
  }

  /// The folder that a file stands in; empty for the current one.
  static func folder(of path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [] }
    return Array(path[...slash])
  }
}
