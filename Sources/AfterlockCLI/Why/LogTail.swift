import AfterlockCore
import Glibc

/// Why a log could not be read, in words for a person.
struct LogError: Error, Hashable, Sendable {
  let message: String
}

/// The last lines of a log, read from its end: as many as it takes to know what last started or stopped the sound.
///
/// Called on: the command's thread; blocks as long as a pipe that is read is open.
struct LogTail: Hashable, Sendable {
  /// The lines that could be read, in order.
  let lines: [PlaybackLogLine]
  /// Whole lines that are none of a log.
  let brokenCount: Int
  /// Whether a player writes to it, as far as can be known.
  private(set) var player = PlayerLife.unknown

  /// Bytes to begin with; each time that they do not tell enough, there are eight times as many.
  static let firstLength = 65_536
  /// More is not read: a log that does not tell in so much is none.
  static let mostLength = 16 << 20

  /// Reads from a file, or from whatever the path leads to.
  init(path: [UInt8]) throws(LogError) {
    let name = MediaPath(bytes: path).display
    let file = path.map(CChar.init(bitPattern:)) + [0]
    // Not to be kept waiting by a pipe that nobody writes to.
    let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.error(name, errno) }
    defer { close(descriptor) }
    // One that somebody does write to is waited for.
    _ = fcntl(descriptor, F_SETFL, 0)
    try self.init(descriptor, name: name)
  }

  /// Reads what a descriptor leads to, to its end.
  init(_ descriptor: Int32, name: String) throws(LogError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.error(name, errno) }
    // Before it is read: a player that leaves meanwhile has written that down.
    let player = LogClaim.life(descriptor)
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw LogError(message: "\(name) is a folder and no log")
    case S_IFREG: self = try Self.fromEnd(of: descriptor, size: Int(status.st_size), name)
    default:
      let (bytes, isWhole) = try Self.all(of: descriptor, name)
      self.init(bytes, isWhole: isWhole)
    }
    self.player = player
    if lines.isEmpty, brokenCount > 0 { throw LogError(message: "\(name) is no log of afterlock") }
    if lines.isEmpty { throw LogError(message: "\(name) has no whole line yet") }
  }

  private static func fromEnd(of descriptor: Int32, size: Int, _ name: String) throws(LogError) -> Self {
    var length = firstLength
    while true {
      let count = min(length, size)
      let bytes = try read(descriptor, at: size - count, count: count, name)
      let tail = Self(bytes, isWhole: count == size)
      if count == size || tail.isEnough || length >= mostLength { return tail }
      length = min(length * 8, mostLength)
    }
  }

  /// Whether the lines tell what last started or stopped the sound, and what came right before that.
  private var isEnough: Bool {
    guard let cause = SoundAccount(lines).cause, let index = lines.lastIndex(of: cause) else { return false }
    return index >= 2
  }

  /// Takes bytes apart into lines.
  /// - Parameter isWhole: the first line is whole. The last one is when a newline is behind it: else it is being written.
  init(_ bytes: some Collection<UInt8>, isWhole: Bool) {
    var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    if !isWhole { parts = parts.dropFirst() }
    // Nothing, where the last line is whole.
    parts = parts.dropLast()
    let written = parts.filter { !$0.isEmpty }
    lines = written.compactMap { PlaybackLogLine(json: $0) }
    brokenCount = written.count - lines.count
  }

  // MARK: Bytes

  private static func read(
    _ descriptor: Int32, at start: Int, count: Int, _ name: String
  ) throws(LogError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(max(count, 1), 1 << 20))
    while bytes.count < count {
      let got = pread(descriptor, &chunk, min(chunk.count, count - bytes.count), off_t(start + bytes.count))
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw error(name, errno) }
      if got == 0 { break }
      bytes += chunk[..<got]
    }
    return bytes
  }

  /// Reads to the end, and keeps the last part.
  private static func all(
    of descriptor: Int32, _ name: String
  ) throws(LogError) -> (bytes: [UInt8], isWhole: Bool) {
    var (bytes, isWhole, hasNewline) = ([UInt8](), true, false)
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let got = Glibc.read(descriptor, &chunk, chunk.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw error(name, errno) }
      if got == 0 { return (bytes, isWhole) }
      bytes += chunk[..<got]
      hasNewline = hasNewline || chunk[..<got].contains(UInt8(ascii: "\n"))
      guard bytes.count > mostLength else { continue }
      // Such as /dev/zero and /dev/urandom, which have no end.
      guard hasNewline, holdsLine(bytes) else { throw LogError(message: "\(name) is no log of afterlock") }
      bytes.removeFirst(bytes.count / 2)
      isWhole = false
    }
  }

  /// Whether there is a line of a log; in a log that is found out with one of the first.
  private static func holdsLine(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n")).contains {
      $0.first == UInt8(ascii: "{") && PlaybackLogLine(json: $0) != nil
    }
  }

  private static func error(_ name: String, _ code: Int32) -> LogError {
    LogError(message: "the log \(name) cannot be read: \(FileSystemError(code: code).cause)")
  }
}
