internal import Foundation

/// The sounds that are played: seeded noise whose samples are never silence, so that every missing frame shows.
struct Source {
  let path: String
  /// Interleaved stereo samples.
  let samples: [Int16]
  var frames: Int { samples.count / 2 }

  /// Writes `seconds` of 48 kHz 16-bit stereo noise as a WAV file into `folder`.
  static func noise(seconds: Double, seed: UInt64, name: String, in folder: String) throws -> Source {
    var state = seed
    var samples = [Int16]()
    let count = Int(seconds * 48_000) * 2
    samples.reserveCapacity(count)
    for _ in 0..<count {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let sample = Int16(truncatingIfNeeded: state >> 40) / 4
      samples.append(sample == 0 ? 1 : sample)
    }
    let path = "\(folder)/\(name).wav"
    var file = Data("RIFF".utf8)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { file.append(contentsOf: $0) }
    }
    append(UInt32(36 + count * 2))
    file.append(contentsOf: "WAVEfmt ".utf8)
    append(UInt32(16))
    append(UInt16(1))
    append(UInt16(2))
    append(UInt32(48_000))
    append(UInt32(192_000))
    append(UInt16(4))
    append(UInt16(16))
    file.append(contentsOf: "data".utf8)
    append(UInt32(count * 2))
    samples.withUnsafeBytes { file.append(contentsOf: $0) }
    try file.write(to: URL(filePath: path))
    return Source(path: path, samples: samples)
  }

  /// The same sound as FLAC, through the `flac` program.
  func asFLAC() throws -> String {
    let target = path.replacing(".wav", with: ".flac")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["flac", "--silent", "--force", "-o", target, path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchFailure("flac could not encode \(path)") }
    return target
  }

  /// `true` when frame `index` of the source is what `heard` holds at its frame `frame`.
  func matches(_ heard: UnsafeBufferPointer<Float>, frame: Int, at index: Int) -> Bool {
    (0..<2).allSatisfy { Float(samples[index * 2 + $0]) / 32_768 == heard[frame * 2 + $0] }
  }

  /// Frames at which the 8 frames of `heard` that begin at `frame` stand in the source; `nil` when nowhere.
  func position(of heard: UnsafeBufferPointer<Float>, frame: Int) -> Int? {
    guard frame + 8 <= heard.count / 2 else { return nil }
    let first = Int16(clamping: Int((heard[frame * 2] * 32_768).rounded()))
    for index in 0..<(frames - 8) where samples[index * 2] == first {
      if (0..<8).allSatisfy({ matches(heard, frame: frame + $0, at: index + $0) }) { return index }
    }
    return nil
  }
}
