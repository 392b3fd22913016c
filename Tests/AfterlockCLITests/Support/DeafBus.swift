import Foundation
import Glibc

/// A bus that accepts whoever comes and never says a word.
final class DeafBus {
  private let descriptor: Int32
  /// Where it listens.
  let address: String

  /// Listens at a path that nobody has yet.
  init(at path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.address = "unix:path=\(path)"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
    }
    // The kernel accepts for it.
    guard descriptor >= 0, isBound, listen(descriptor, 64) == 0 else {
      throw TestFailure("no socket at \(path): \(errno)")
    }
  }

  deinit { close(descriptor) }
}
