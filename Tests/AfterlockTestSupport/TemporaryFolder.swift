public import Foundation

/// A folder for one test, removed when the last reference goes.
public final class TemporaryFolder: Sendable {
  /// Its absolute path.
  public let path: String

  /// Makes an empty folder with a short path in /tmp.
  public init() throws {
    path = "/tmp/afterlock-test.\(UInt64.random(in: 0...UInt64.max))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The absolute path of a file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and returns its path; folders on the way are made.
  @discardableResult
  public func write(_ name: String, _ data: Data) throws -> String {
    let path = file(name)
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Writes a text file and returns its path.
  @discardableResult
  public func write(_ name: String, text: String) throws -> String {
    try write(name, Data(text.utf8))
  }
}
