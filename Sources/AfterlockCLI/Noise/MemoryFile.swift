import AfterlockCore
import Glibc

/// glibc's own, which its Swift module leaves out.
@_silgen_name("memfd_create")
private func createMemoryFile(_ name: UnsafePointer<CChar>, _ flags: UInt32) -> Int32

/// A file in memory alone: nothing of it is left behind, however the program ends.
enum MemoryFile {
  private static let closeOnExec: UInt32 = 1

  /// Makes one that lives as long as the program.
  /// - Returns: where this program, and others of the same user, can read it.
  static func make(_ name: String, _ bytes: [UInt8]) throws(MemoryFileError) -> MediaPath {
    let descriptor = createMemoryFile(name, closeOnExec)
    guard descriptor >= 0 else { throw MemoryFileError(number: errno) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        defer { close(descriptor) }
        throw MemoryFileError(number: errno)
      }
      rest = rest.dropFirst(count)
    }
    return MediaPath("/proc/\(getpid())/fd/\(descriptor)")
  }
}

/// Why there is no file in memory.
struct MemoryFileError: Error, Hashable, Sendable {
  /// The system's number of the cause.
  let number: Int32

  /// For a person.
  var message: String { String(cString: strerror(number)) }
}
