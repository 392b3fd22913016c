import Glibc
import Synchronization

/// Standard output and standard error without buffering and without Foundation.
enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Tells a person what is wrong, on one line of standard error.
  static func complain(_ message: String) { Self.error.write("afterlock: \(PlainText.line(message))\n") }

  /// The error number of the first write to standard output that failed; 0 for none.
  private static let outputFailure = Atomic<Int32>(0)

  /// Writes all of it; what cannot be written is dropped, and `ending` tells of it.
  func write(_ text: String) {
    guard let error = DescriptorWriter.write(text, to: rawValue), self == .output else { return }
    _ = Self.outputFailure.compareExchange(expected: 0, desired: error, ordering: .relaxed)
  }

  /// How a command ends whose output is all that it is for: output that could not be written is a failure, and standard
  /// error says so. A reader that has gone (`| head`) is told nothing.
  /// - Parameter status: the exit status of the command itself; one that is not 0 stays.
  static func ending(_ status: Int32) -> Int32 {
    let error = outputFailure.load(ordering: .relaxed)
    guard error != 0 else { return status }
    // As if SIGPIPE had ended it, which the main loop takes.
    if error == EPIPE { return status == 0 ? 128 + SIGPIPE : status }
    complain("standard output cannot be written: \(String(cString: strerror(error)))")
    return status == 0 ? 1 : status
  }

  /// Whether it leads to a terminal.
  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Whether a write would go through at once; a terminal that is held with Ctrl-S would not take it.
  func waitUntilWritable(milliseconds: Int32) -> Bool {
    DescriptorWriter.waitUntilWritable(rawValue, milliseconds: milliseconds)
  }
}

/// Writes to descriptors. Called on: any thread.
enum DescriptorWriter {
  /// Writes all of it, or as much as goes: a full disk or a reader that went away does not stop the music.
  /// - Returns: `nil` when all was written, else the error number.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes -> Int32? in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          if errno == EAGAIN, waitUntilWritable(descriptor, milliseconds: 1000) { continue }
          return errno
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return nil
    }
  }

  /// Async-signal-safe.
  static func waitUntilWritable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&entry, 1, milliseconds) == 1 && entry.revents & Int16(POLLOUT) != 0
  }
}
