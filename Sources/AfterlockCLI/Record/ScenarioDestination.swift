import AfterlockCore
import AfterlockScenarios
import Glibc

/// A file that a scenario is to be written into: nothing else is written over, and what is there is whole at any time.
struct ScenarioDestination: Hashable, Sendable {
  /// The file that is replaced; where the name is a link, what it leads to.
  private let file: [UInt8]
  /// The name, for messages.
  let display: String

  /// Looks whether the file can be written, and leaves it as it is.
  /// - Parameter option: what named it, for messages.
  init(_ path: MediaPath, option: String) throws(UsageError) {
    display = path.display
    file = Self.target(of: path.bytes)
    switch Self.kind(of: file) {
    case .none, .empty: break
    case .folder: throw UsageError(message: "\(display) is a folder; give \(option) a file")
    case .special:
      throw UsageError(message: "\(display) is no file that can be replaced; give \(option) another")
    case .full(let bytes):
      guard (try? ScenarioFile.parse(bytes, named: display)) != nil else {
        throw UsageError(
          message:
            "\(display) is there and is no scenario, so it is not written over; give \(option) another file")
      }
    }
    if let cause = check() {
      throw UsageError(message: "the scenario \(display) cannot be written: \(cause)")
    }
  }

  /// Writes the text beside the file, and puts that in its place.
  /// - Returns: why that failed; `nil` when it did not.
  func write(_ text: String) -> String? {
    let (name, descriptor) = openBeside()
    guard descriptor >= 0 else { return cause() }
    var failure = DescriptorWriter.write(text, to: descriptor)
    // The name is given once the content is on the disk: a machine that fails leaves the old file or the new one.
    if failure == nil, fsync(descriptor) != 0 { failure = errno }
    close(descriptor)
    if failure == nil, rename(name, Self.name(file)) != 0 { failure = errno }
    guard let failure else { return nil }
    unlink(name)
    return String(cString: strerror(failure))
  }

  // MARK: What is there

  private enum Kind {
    case none, empty, folder, special
    case full([UInt8])
  }

  private static func kind(of path: [UInt8]) -> Kind {
    var status = stat()
    guard stat(name(path), &status) == 0 else { return .none }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: break
    default: return .special
    }
    if status.st_size == 0 { return .empty }
    guard case .bytes(let bytes, _)? = try? FileSystem.read(path, limit: ScenarioFile.largest + 1) else {
      return .full([])
    }
    return .full(bytes)
  }

  /// Whether a file can be made beside it, and one that is there be changed.
  private func check() -> String? {
    let existing = Self.name(file)
    if access(existing, F_OK) == 0, access(existing, W_OK) != 0 { return cause() }
    let (name, descriptor) = openBeside()
    guard descriptor >= 0 else { return cause() }
    close(descriptor)
    unlink(name)
    return nil
  }

  private func openBeside() -> (name: [CChar], descriptor: Int32) {
    let slash = file.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let name = Self.name(Array(file[..<slash]) + Array(".afterlock-\(getpid()).json5".utf8))
    return (name, open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644))
  }

  private func cause() -> String { String(cString: strerror(errno)) }

  private static func target(of path: [UInt8]) -> [UInt8] {
    guard let resolved = realpath(name(path), nil) else { return path }
    defer { free(resolved) }
    return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  private static func name(_ path: [UInt8]) -> [CChar] { path.map(CChar.init(bitPattern:)) + [0] }
}
