public import AfterlockDesktop
public import Foundation

/// Makes sound files: WAV by hand, every other format by the program that real files come from.
///
/// A missing program is an error that ends with the line that installs it; nothing is skipped.
public enum MediaFiles {
  /// A canonical 16-bit WAV file.
  public static func wav16(_ samples: [Int16], rate: Int = 48_000, channels: Int = 2) -> Data {
    WaveFile.data(samples, rate: rate, channels: channels)
  }

  /// A 32-bit float WAV file.
  public static func wavFloat(_ clip: SoundClip) -> Data { WaveFile.data(clip) }

  /// Encodes a file with `ffmpeg`; the output's name decides the format unless the options do.
  @discardableResult
  public static func ffmpeg(_ input: String, to output: String, _ options: [String] = []) async throws
    -> String
  {
    try await encode(
      "ffmpeg", ["-nostdin", "-y", "-loglevel", "error", "-i", input] + options + [output], output)
  }

  /// Converts a file with `sox`, without dither, so that lossless stays lossless.
  @discardableResult
  public static func sox(_ input: String, to output: String, _ effects: [String] = []) async throws -> String
  {
    try await encode("sox", ["-D", input, output] + effects, output)
  }

  /// Encodes a WAV file with `flac`; options such as `-T TITLE=…`.
  @discardableResult
  public static func flac(_ input: String, to output: String, _ options: [String] = []) async throws -> String
  {
    try await encode("flac", ["--silent", "--force"] + options + ["-o", output, input], output)
  }

  /// Encodes a WAV file with `lame`, which writes the header that gapless play needs.
  @discardableResult
  public static func lame(_ input: String, to output: String, _ options: [String] = []) async throws -> String
  {
    try await encode("lame", ["--silent"] + options + [input, output], output)
  }

  /// Decodes a file with `ffmpeg` to the floats that a sink should receive.
  public static func decode(_ input: String, rate: Int, channels: Int) async throws -> SoundClip {
    let output = try await Command.run(
      "ffmpeg",
      [
        "-nostdin", "-loglevel", "error", "-i", input, "-f", "f32le", "-ac", "\(channels)", "-ar", "\(rate)",
        "-",
      ],
      limit: .seconds(60))
    guard output.status == .code(0), !output.timedOut else {
      throw DesktopError(.programEnded, "ffmpeg cannot decode \(input)", details: output.errorText)
    }
    let count = output.standardOutput.count / 4
    let samples = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized =
        output.standardOutput.copyBytes(to: UnsafeMutableRawBufferPointer(buffer), count: count * 4) / 4
    }
    return SoundClip(rate: rate, channels: channels, samples: samples)
  }

  private static func encode(_ program: String, _ arguments: [String], _ output: String) async throws
    -> String
  {
    let result = try await Command.run(program, arguments, limit: .seconds(60))
    guard result.status == .code(0), !result.timedOut, FileManager.default.fileExists(atPath: output) else {
      throw DesktopError(
        .programEnded, "\(program) \(arguments.joined(separator: " ")) failed: \(result.status)",
        details: result.errorText)
    }
    return output
  }
}
