import AfterlockCore
import Glibc

/// A regular file, open for reading; one descriptor, closed once.
///
/// Confined to the reader that owns it.
final class MediaFile {
  /// The descriptor, -1 once closed. libsndfile moves its offset; everything here reads at given places.
  private(set) var descriptor: Int32
  /// Length in bytes when it was opened.
  let size: Int64
  /// Bytes that are read as others than they are, by their places.
  private var replacements: [Int64: UInt8] = [:]

  /// Opens `path`, whose bytes need not be UTF-8.
  ///
  /// Only regular files: a FIFO or a device could block for ever, so what it is is asked before it is opened, and again
  /// of the descriptor.
  init(_ path: MediaPath) throws(PlaybackFailure) {
    let bytes = path.bytes.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    guard stat(bytes, &status) == 0 else { throw Self.failure(posixError: errno) }
    try Self.requireRegular(status)
    let descriptor = open(bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure(posixError: errno) }
    do throws(PlaybackFailure) {
      guard fstat(descriptor, &status) == 0 else { throw Self.failure(posixError: errno) }
      try Self.requireRegular(status)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    size = Int64(status.st_size)
  }

  /// The same file through a descriptor of its own; `nil` when there are no more of them.
  init?(copyOf other: MediaFile) {
    let copy = fcntl(other.descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    descriptor = copy
    size = other.size
    replacements = other.replacements
  }

  deinit { close() }

  /// Closes the descriptor; idempotent.
  func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// From now on the byte at `offset` is read as `byte`; the file itself stays as it is.
  func replace(at offset: Int64, with byte: UInt8) { replacements[offset] = byte }

  /// Reads up to `buffer.count` bytes at `offset`.
  /// - Returns: bytes read, 0 at the end, or minus the error number.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    guard let base = buffer.baseAddress, offset >= 0 else { return 0 }
    while true {
      let count = pread(descriptor, base, buffer.count, off_t(offset))
      if count >= 0 {
        for (place, byte) in replacements where place >= offset && place < offset + Int64(count) {
          buffer[Int(place - offset)] = byte
        }
        return count
      }
      if errno != EINTR { return -Int(errno) }
    }
  }

  /// The bytes at `offset`, fewer at the end of the file; none when they cannot be read.
  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard count > 0, offset >= 0, offset < size else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(min(Int64(count), size - offset))) {
      buffer, initialized in
      while initialized < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...])
        let got = read(into: rest, at: offset + Int64(initialized))
        guard got > 0 else { return }
        initialized += got
      }
    }
  }

  private static func requireRegular(_ status: stat) throws(PlaybackFailure) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw PlaybackFailure(.notMedia, "This is a folder, not a file; give a file in it.")
    case S_IFIFO:
      throw PlaybackFailure(
        .notMedia, "This is a pipe; only regular files are played. Save it to a file first.")
    case S_IFSOCK: throw PlaybackFailure(.notMedia, "This is a socket; only regular files are played.")
    default: throw PlaybackFailure(.notMedia, "This is a device; only regular files are played.")
    }
  }

  private static func failure(posixError: Int32) -> PlaybackFailure {
    switch posixError {
    case ENOENT, ENOTDIR: PlaybackFailure(.missing, "There is no such file.")
    case EACCES, EPERM:
      PlaybackFailure(.notReadable, "You have no permission to read the file; change it with chmod.")
    case ELOOP: PlaybackFailure(.missing, "The link leads in a circle.")
    case ENAMETOOLONG: PlaybackFailure(.missing, "The name is longer than the file system allows.")
    default:
      PlaybackFailure(
        .notReadable, "The file cannot be opened: \(String(cString: strerror(posixError))).")
    }
  }
}

/// Numbers as files have them, read with bounds checked; 0 beyond the end.
extension Array<UInt8> {
  func bigEndian(at index: Int, count: Int) -> Int {
    guard index >= 0, index + count <= self.count else { return 0 }
    return self[index..<(index + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  func littleEndian(at index: Int, count: Int) -> Int {
    guard index >= 0, index + count <= self.count else { return 0 }
    return self[index..<(index + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// `true` when `text` (ASCII) stands at `index`.
  func has(_ text: StaticString, at index: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard index >= 0, index + length <= count else { return false }
    return text.withUTF8Buffer { wanted in (0..<length).allSatisfy { self[index + $0] == wanted[$0] } }
  }
}
