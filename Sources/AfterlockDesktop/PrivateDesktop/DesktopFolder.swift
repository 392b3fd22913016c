import Foundation

/// The folder of a private desktop, locked for as long as its owner lives.
///
/// The supervising shell removes the folder when the owner ends. If both were killed at once, nobody is left to do it:
/// then the next desktop on this machine finds the folder without a lock and removes it.
final class DesktopFolder: Sendable {
  /// Its absolute path, short enough for sockets: a Unix socket's path may have 107 bytes, and TMPDIR can be long.
  let path: String
  private let lock: Int32

  private static let parent = "/tmp"
  private static let prefix = "afterlock."
  /// A younger folder may belong to a desktop that has not locked it yet.
  private static let graceSeconds = 60

  /// Makes the folder, readable by this user only.
  init() throws(DesktopError) {
    Self.removeAbandoned()
    var template = Array("\(Self.parent)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw DesktopError(.fileSystem, "cannot make a folder in /tmp: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    flock(lock, LOCK_EX | LOCK_NB)
  }

  deinit {
    close(lock)
  }

  /// Removes the folder if it is still there.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes the folders of a user, of this one unless another is given, whose owners are gone. Called on: any thread.
  static func removeAbandoned(olderThan seconds: Int = graceSeconds, of user: uid_t = getuid()) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let folder = "\(parent)/\(name)"
      // Of the link itself where it is one.
      guard let lock = try? FileManager.default.attributesOfItem(atPath: "\(folder)/lock"),
        (lock[.ownerAccountID] as? NSNumber)?.uint32Value == user,
        let change = lock[.modificationDate] as? Date, -change.timeIntervalSinceNow >= Double(seconds)
      else { continue }
      let descriptor = open("\(folder)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: folder) }
      close(descriptor)
    }
  }
}
