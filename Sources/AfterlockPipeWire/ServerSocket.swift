import Glibc

/// Where the server listens, and whether it does, without PipeWire's own attempt, which costs more and may log.
struct ServerSocket {
  let path: String?

  /// Follows the order that PipeWire's own client follows.
  init(remoteName: String?, environment: (String) -> String? = Self.environment) {
    let name = remoteName ?? environment("PIPEWIRE_REMOTE") ?? "pipewire-0"
    if name.hasPrefix("/") {
      path = name
      return
    }
    let directory =
      environment("PIPEWIRE_RUNTIME_DIR") ?? environment("XDG_RUNTIME_DIR") ?? environment("USERPROFILE")
    path = directory.map { $0 + "/" + name }
  }

  /// `true` when somebody accepts connections there; `nil` when the path is not known.
  var isListening: Bool? {
    guard let path else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
