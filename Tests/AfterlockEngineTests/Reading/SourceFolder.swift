import AfterlockCore
import AfterlockDesktop
import AfterlockEngine
import Foundation
import Testing

/// A temporary folder for the files of one test, removed with everything in it when the test lets go of it.
final class SourceFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "afterlock-reading-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func location(_ name: String) -> MediaLocation { .file(MediaPath(path(name))) }

  /// Writes a file and returns its name.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return name
  }

  func bytes(of name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// Runs a program in the folder. A missing one is a failure that says what to install.
  func run(_ program: String, _ arguments: String...) throws { try run(program, arguments) }

  func run(_ program: String, _ arguments: [String]) throws {
    guard let executable = Self.find(program) else { throw MissingProgram(program: program) }
    let output = try Command.runBlocking(
      path: "/usr/bin/env", arguments: ["-C", url.path, executable] + arguments,
      environment: ProcessInfo.processInfo.environment, limit: .seconds(120))
    guard output.status == .code(0), !output.timedOut else {
      throw FailedProgram(
        command: ([program] + arguments).joined(separator: " "), errors: output.errorText)
    }
  }

  /// Encodes `input` with ffmpeg.
  func ffmpeg(_ input: String, _ arguments: String...) throws {
    try run("ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", input, "-strict", "-2"] + arguments)
  }

  private static func find(_ program: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  struct MissingProgram: Error, CustomStringConvertible {
    let program: String
    private static let packages = [
      "opusenc": "opus-tools", "oggenc": "vorbis-tools", "metaflac": "flac", "python3": "python3-dbusmock",
    ]
    var description: String {
      "\(program) is not installed: apt install \(Self.packages[program] ?? program)"
    }
  }

  struct FailedProgram: Error, CustomStringConvertible {
    let command: String
    let errors: String
    var description: String { "\(command): \(errors)" }
  }
}

/// What a reader gave when it was read from the first frame to the last.
struct Decoded {
  var info: MediaInfo
  var samples: [Float]
  var damage: PlaybackFailure?
  /// The length as it was known after the end.
  var finalFrames: Int64?
  var frames: Int { samples.count / info.format.channelCount }

  init(_ location: MediaLocation) throws {
    let reader = try MediaOpener.open(location)
    defer { reader.close() }
    info = reader.info
    samples = try reader.readAll()
    damage = reader.takeDamage()
    finalFrames = reader.info.frames
  }
}

extension MediaReader {
  /// Reads to the end, in pieces of odd sizes so that seams between them are met in many places.
  func readAll() throws -> [Float] {
    var samples: [Float] = []
    var piece = 1
    while true {
      let more = try read(frames: piece)
      if more.isEmpty { return samples }
      samples += more
      piece = min(piece * 3 % 8191 + 1, 8191)
    }
  }

  /// Reads up to `frames`.
  func read(frames: Int) throws -> [Float] {
    let channels = info.format.channelCount
    return try [Float](unsafeUninitializedCapacity: frames * channels) { buffer, initialized in
      var done = 0
      while done < frames {
        let count = try read(into: UnsafeMutableBufferPointer(rebasing: buffer[(done * channels)...]))
        if count == 0 { break }
        done += count
      }
      initialized = done * channels
    }
  }
}
