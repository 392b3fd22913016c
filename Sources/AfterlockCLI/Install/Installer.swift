import AfterlockCore
import Glibc

/// Writes and removes the files of an installation; a file that it has not written itself stays as it is.
///
/// Called on: the thread of the command; blocks.
struct Installer {
  /// What became of a file.
  enum Outcome: Hashable, Sendable {
    case written, rewritten, unchanged, removed, absent
    /// It was ours, and other than it is written now: an earlier version's, or changed by hand.
    case removedOther
    /// Somebody else's, and why that is known.
    case foreign(String)
    case failed(String)

    /// Whether somebody has to look after it.
    var isFault: Bool {
      switch self {
      case .written, .rewritten, .unchanged, .removed, .removedOther, .absent: false
      case .foreign, .failed: true
      }
    }
  }

  /// Says what would be done, and does nothing.
  let isDryRun: Bool

  /// What is under a path.
  private enum Found {
    case nothing
    case own([UInt8])
    case foreign(String)
  }

  /// Writes a file, whole or not at all.
  func install(_ file: InstalledFile) -> Outcome {
    let contents = Array(file.contents.utf8)
    do throws(FileSystemError) {
      switch try find(file.path) {
      case .foreign(let why): return .foreign(why)
      case .own(contents): return .unchanged
      case .own:
        if !isDryRun { try write(file) }
        return .rewritten
      case .nothing:
        if !isDryRun { try write(file) }
        return .written
      }
    } catch {
      return .failed(error.cause)
    }
  }

  /// Removes a file that was written here; the folders stay.
  func uninstall(_ file: InstalledFile) -> Outcome {
    do throws(FileSystemError) {
      switch try find(file.path) {
      case .foreign(let why): return .foreign(why)
      case .nothing: return .absent
      case .own(let bytes):
        guard isDryRun || unlink(file.path) == 0 else { throw FileSystemError(code: errno) }
        return bytes == Array(file.contents.utf8) ? .removed : .removedOther
      }
    } catch {
      return .failed(error.cause)
    }
  }

  /// Removes the link that systemd has made to a file, which would lead to nothing.
  func uninstallLink(to file: InstalledFile) -> Outcome {
    guard let link = file.link, leads(link, to: file.path) else { return .absent }
    guard isDryRun || unlink(link) == 0 else { return .failed(FileSystemError(code: errno).cause) }
    return .removed
  }

  private func leads(_ link: String, to path: String) -> Bool {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    guard count > 0, count < bytes.count else { return false }
    let target = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Whoever makes it by hand may say it from where it stands.
    return target == path || target == "../" + path.split(separator: "/").suffix(1).joined()
  }

  private func find(_ path: String) throws(FileSystemError) -> Found {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return .nothing }
      throw FileSystemError(code: errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: return .foreign("it is a link")
    default: return .foreign("it is no file")
    }
    guard case .bytes(let bytes, _) = try FileSystem.read(Array(path.utf8), limit: 1 << 20) else {
      return .foreign("it is too long")
    }
    let begin = String(decoding: bytes.prefix(InstallPlan.markerReach), as: UTF8.self)
    return begin.contains(InstallPlan.marker) ? .own(bytes) : .foreign("afterlock has not written it")
  }

  private func write(_ file: InstalledFile) throws(FileSystemError) {
    try makeFolder(String(file.path[..<(file.path.lastIndex(of: "/") ?? file.path.endIndex)]))
    let new = file.path + ".afterlock-new"
    // One that was left behind when a machine went down.
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileSystemError(code: errno) }
    var failure = DescriptorWriter.write(file.contents, to: descriptor)
    close(descriptor)
    if failure == nil, rename(new, file.path) != 0 { failure = errno }
    guard let failure else { return }
    unlink(new)
    throw FileSystemError(code: failure)
  }

  /// Makes a folder and those above it.
  private func makeFolder(_ path: String) throws(FileSystemError) {
    if path.isEmpty || mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { throw FileSystemError(code: errno) }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileSystemError(code: errno) }
  }
}
