import AfterlockCore
import AfterlockDesktop
import AfterlockScenarios
import Foundation
import Synchronization

/// The files that real runs play: a tone for each item of a queue, without a silent frame, so that every silence that is heard
/// is the player's. They go with the last reference.
final class ScenarioMedia: Sendable {
  /// Frames per second; the sinks' rate, so that nothing is resampled.
  static let rate = 48_000
  /// The longest sound that is written for one scenario.
  static let longest = Duration.seconds(600)

  private struct Key: Hashable { var tone: Int, frames: Int64 }
  private let folder: String
  private let written = Mutex<[Key: MediaPath]>([:])

  /// An empty folder for them.
  init() throws(DesktopError) {
    folder = "/tmp/afterlock-scenarios.\(UInt64.random(in: 0 ... .max))"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw DesktopError(.fileSystem, "cannot make the folder \(folder): \(error.localizedDescription)")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The file of an item.
  /// - Parameter index: its place in the queue, by which it has its tone.
  func file(for item: ScenarioItem, at index: Int) throws(DesktopError) -> MediaPath {
    let key = Key(tone: index, frames: item.duration.frames(rate: Self.rate))
    let result: Result<MediaPath, DesktopError> = written.withLock { written in
      if let path = written[key] { return .success(path) }
      let path = "\(folder)/\(key.tone)-\(key.frames).wav"
      do {
        try Self.wave(frames: Int(key.frames), tone: index).write(to: URL(filePath: path))
      } catch {
        let words = "cannot write \(path): \(error.localizedDescription)"
        return .failure(DesktopError(.fileSystem, words))
      }
      let media = MediaPath(path)
      written[key] = media
      return .success(media)
    }
    return try result.get()
  }

  /// A second of it, again and again: whole periods of a triangle above zero.
  static func wave(frames: Int, tone index: Int) -> Data {
    // Divisors of the rate, so that a second is whole periods.
    let periods = [96, 80, 64, 60, 48]
    let period = periods[index % periods.count]
    let second = (0..<rate).map { frame in
      let place = frame % period
      return Int16(4_000 + 200 * min(place, period - place))
    }
    var data = WaveFile.header(format: 1, bits: 16, rate: rate, channels: 1, dataBytes: frames * 2)
    second.withUnsafeBytes { bytes in
      var left = frames * 2
      while left > 0 {
        data.append(contentsOf: bytes.prefix(left))
        left -= min(left, bytes.count)
      }
    }
    return data
  }
}
