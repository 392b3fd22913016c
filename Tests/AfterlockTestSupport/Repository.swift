import Foundation

/// Where the sources of this package are, for tests that read files of the repository.
public enum Repository {
  /// The absolute path of the repository's top folder.
  public static let root: String = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}
