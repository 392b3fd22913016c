import AfterlockTestSupport
import Glibc

/// A folder of its own for one test, gone with everything in it when the test is over.
final class ByteNamedFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/afterlock-cli-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("no temporary folder: \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(Array(path.utf8)) }

  /// Removes a file, or a folder with everything in it; names are bytes.
  private static func remove(_ path: [UInt8]) {
    if path.withCString({ Glibc.unlink($0) }) == 0 { return }
    if let folder = path.withCString({ opendir($0) }) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        if name != Array(".".utf8), name != Array("..".utf8) { remove(path + [UInt8(ascii: "/")] + name) }
      }
      closedir(folder)
    }
    _ = path.withCString { rmdir($0) }
  }

  /// The bytes of a name in this folder.
  func bytes(_ name: String) -> [UInt8] { Array("\(path)/\(name)".utf8) }

  @discardableResult
  func file(_ name: String, _ text: String = "x") throws -> [UInt8] {
    try file(bytes(name), Array(text.utf8))
  }

  /// Writes a file whose name is any bytes.
  @discardableResult
  func file(_ path: [UInt8], _ contents: [UInt8]) throws -> [UInt8] {
    let handle = path.withCString { open($0, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644) }
    guard handle >= 0, write(handle, contents, contents.count) == contents.count else {
      throw TestFailure("cannot write \(path): \(errno)")
    }
    close(handle)
    return path
  }

  /// The folder's own name.
  var name: String { String(path.dropFirst("/tmp/".count)) }

  /// Writes a WAV file of noise; a long one repeats its first five seconds, which are quick to make.
  @discardableResult
  func wav(
    _ name: String, frames: Int, rate: Int = 48_000, channels: Int = 2, seed: UInt64 = 1
  ) throws -> [UInt8] {
    try wav(bytes(name), frames: frames, rate: rate, channels: channels, seed: seed)
  }

  @discardableResult
  func wav(
    _ path: [UInt8], frames: Int, rate: Int = 48_000, channels: Int = 2, seed: UInt64 = 1
  ) throws -> [UInt8] {
    let distinct = min(frames, rate * 5)
    var samples = Signals.noise16(frames: distinct, channels: channels, seed: seed)
    while samples.count < frames * channels {
      samples += samples.prefix(min(distinct * channels, frames * channels - samples.count))
    }
    return try file(path, Array(MediaFiles.wav16(samples, rate: rate, channels: channels)))
  }

  @discardableResult
  func folder(_ name: String) throws -> [UInt8] {
    guard bytes(name).withCString({ mkdir($0, 0o755) }) == 0 else { throw TestFailure("no folder \(name)") }
    return bytes(name)
  }

  func link(_ name: String, to target: String) throws {
    guard symlink(target, "\(path)/\(name)") == 0 else { throw TestFailure("no link \(name)") }
  }
}

/// Something that a test needs did not work.
struct TestFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension [UInt8] {
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
