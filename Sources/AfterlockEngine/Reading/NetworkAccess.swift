import AfterlockCore
import CAfterlockShims
import CFFmpeg
import Glibc

/// How addresses are opened, for sound and for playlists alike.
enum NetworkAccess {
  /// Where FFmpeg may go from an address, and how long it may wait there.
  static let options: [String: String] = [
    "protocol_whitelist": "http,https,httpproxy,tcp,tls,crypto",
    "rw_timeout": "10000000",
    "reconnect": "1",
    "reconnect_delay_max": "4",
    "tls_verify": "1",
    "user_agent": "Afterlock",
  ]

  /// Options as FFmpeg takes them; the caller frees them.
  static func dictionary(_ options: [String: String], _ ffmpeg: FFmpeg) -> OpaquePointer? {
    var dictionary: OpaquePointer?
    for (key, value) in options { _ = ffmpeg.pointee.av_dict_set(&dictionary, key, value, 0) }
    return dictionary
  }

  /// Asks `limit` whether to go on, while FFmpeg waits. The limit must outlive what is opened with it.
  static func interruption(_ limit: OperationLimit) -> AVIOInterruptCB {
    AVIOInterruptCB(callback: shouldInterrupt, opaque: Unmanaged.passUnretained(limit).toOpaque())
  }

  /// A server that gave no length ends what it sends by closing, which FFmpeg takes for an error of reading.
  static func isUnannouncedEnd(
    _ code: Int32, of io: UnsafeMutablePointer<AVIOContext>?, _ ffmpeg: FFmpeg
  ) -> Bool {
    guard code == afl_averror(EIO), let io else { return false }
    return ffmpeg.pointee.avio_size(io) < 0
  }

  /// The reason in words for an error of FFmpeg at an address.
  static func failure(_ code: Int32, _ ffmpeg: FFmpeg) -> PlaybackFailure {
    let words = FFmpegLibrary.message(ffmpeg, code)
    return switch code {
    case afl_averror_http_not_found:
      PlaybackFailure(.missing, "The server has no such file (404); check the address.")
    case afl_averror_http_forbidden, afl_averror_http_unauthorized:
      PlaybackFailure(.notReadable, "The server does not let you have this (\(words)).")
    case afl_averror_protocol_not_found:
      PlaybackFailure(.unsupported, "FFmpeg here cannot open this kind of address.")
    default: PlaybackFailure(.network, "The address cannot be opened: \(words).")
    }
  }

  /// Why nothing more comes: broken off, or too slow.
  static func stopped(_ limit: OperationLimit) -> PlaybackFailure {
    limit.interrupter.isInterrupted
      ? PlaybackFailure(.network, "The reading was broken off.")
      : PlaybackFailure(.network, "The server did not answer in time; check the connection and try again.")
  }
}

/// Called within a reader's own calls into FFmpeg, on its thread.
private func shouldInterrupt(_ opaque: UnsafeMutableRawPointer?) -> Int32 {
  guard let opaque else { return 0 }
  return Unmanaged<OperationLimit>.fromOpaque(opaque).takeUnretainedValue().shouldStop ? 1 : 0
}
