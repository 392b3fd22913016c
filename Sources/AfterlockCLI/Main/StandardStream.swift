import Glibc

/// Standard output and standard error without buffering and without Foundation.
enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Writes all of it; what nobody reads any more is dropped.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(rawValue, rest.baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          if errno == EAGAIN, waitUntilWritable(milliseconds: 1000) { continue }
          return
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  /// Whether a write would go through at once; a terminal that is held with Ctrl-S would not take it.
  func waitUntilWritable(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    return poll(&entry, 1, milliseconds) == 1 && entry.revents & Int16(POLLOUT) != 0
  }
}
