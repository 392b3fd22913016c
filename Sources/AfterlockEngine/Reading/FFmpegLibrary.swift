import AfterlockCore
import CAfterlockShims
import CFFmpeg

/// FFmpeg's functions, loaded at the first use; the pointer is good for the life of the process.
typealias FFmpeg = UnsafePointer<afl_ffmpeg>

/// Loads FFmpeg, and chooses what of it is let near a file.
enum FFmpegLibrary {
  /// What to install when FFmpeg is missing.
  static let packages = "libavformat-dev libavcodec-dev libavutil-dev libswresample-dev"

  /// Takes some 40 ms the first time. Any thread.
  static func load() throws(PlaybackFailure) -> FFmpeg {
    if let functions = afl_ffmpeg_load() { return functions }
    throw PlaybackFailure(
      .unsupported,
      "This kind of file needs FFmpeg, which cannot be loaded (\(String(cString: afl_ffmpeg_load_error()))); "
        + "install it with: apt install \(packages)")
  }

  /// The containers that are opened. FFmpeg also has formats that open other files or devices, and text that it would
  /// draw; none of them is music.
  static let fileFormats: Set<String> = [
    "aac", "ac3", "aiff", "amr", "ape", "asf", "au", "avi", "caf", "dsf", "dts", "eac3", "flac", "flv",
    "matroska",
    "mov", "mp3", "mpc", "mpc8", "mpeg", "mpegts", "ogg", "rm", "shn", "tak", "truehd", "tta", "voc", "w64",
    "wav",
    "webm", "wsaud", "wv", "xwma",
  ]
  /// Over the network, lists of segments too.
  static let networkFormats = fileFormats.union(["hls"])

  /// The names of all sound decoders, so that looking at a film opens no picture decoder.
  static let soundDecoders: String = {
    guard let ffmpeg = afl_ffmpeg_load() else { return "" }
    var names: [String] = []
    var state: UnsafeMutableRawPointer?
    while let codec = ffmpeg.pointee.av_codec_iterate(&state) {
      guard codec.pointee.type == AVMEDIA_TYPE_AUDIO, ffmpeg.pointee.av_codec_is_decoder(codec) != 0,
        let name = codec.pointee.name
      else { continue }
      names.append(String(cString: name))
    }
    return names.joined(separator: ",")
  }()

  /// `true` when one of the names of a demuxer ("mov,mp4,m4a") is in `formats`.
  static func isFormat(_ format: UnsafePointer<AVInputFormat>, in formats: Set<String>) -> Bool {
    names(of: format).contains { formats.contains($0) }
  }

  static func names(of format: UnsafePointer<AVInputFormat>) -> [String] {
    format.pointee.name.map { String(cString: $0).split(separator: ",").map(String.init) } ?? []
  }

  /// The short name of a codec.
  static func codecName(_ ffmpeg: FFmpeg, _ id: AVCodecID) -> String {
    ffmpeg.pointee.avcodec_get_name(id).map { String(cString: $0) } ?? "unknown"
  }

  /// FFmpeg's words for an error.
  static func message(_ ffmpeg: FFmpeg, _ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      base[0] = 0
      _ = ffmpeg.pointee.av_strerror(code, base, 128)
      return String(cString: base)
    }
  }
}
