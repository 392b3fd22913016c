public import AfterlockCore
import CAfterlockShims
import CSndfile

/// What of the sound that people have can be decoded here; for a report, never asked while playing.
public enum MediaSupport {
  /// The formats that are promised, each with the decoder of FFmpeg that it needs.
  private static let promised: [(format: String, decoder: String)] = [
    ("FLAC", "flac"), ("ALAC", "alac"), ("WavPack", "wavpack"), ("MP3", "mp3float"), ("AAC", "aac"),
    ("Vorbis", "vorbis"), ("Opus", "opus"), ("WAV, AIFF and CAF", "pcm_s24be"),
  ]

  /// The formats that can be decoded and those that cannot. Loads FFmpeg, which takes some 40 ms.
  /// - Throws: why FFmpeg cannot be loaded, and what to install.
  public static func formats() throws(PlaybackFailure) -> (decoded: [String], missing: [String]) {
    _ = try FFmpegLibrary.load()
    let decoders = Set(FFmpegLibrary.soundDecoders.split(separator: ",").map(String.init))
    let decoded = promised.filter { decoders.contains($0.decoder) }.map(\.format)
    return (decoded, promised.map(\.format).filter { !decoded.contains($0) })
  }

  /// The library that reads WAV and FLAC, with its version.
  public static var plainReader: String { String(cString: sf_version_string()) }
}
