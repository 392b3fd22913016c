public import AfterlockCore
import CAfterlockShims
import CFFmpeg

/// What a short file at an address is, read for its text and not for its sound.
public enum NetworkText: Hashable, Sendable {
  /// All of it, and the address that gave it once the server had sent us on.
  case whole([UInt8], address: String)
  /// More than was wanted.
  case tooLarge
  /// The first bytes were no text.
  case notText

  /// Seconds for all of it.
  private static let limit = 15

  /// Reads what stands at an `http` or `https` address.
  ///
  /// Waits up to 15 s; `interrupter` breaks that off from another thread. FFmpeg's own clients are used, so that a
  /// playlist is found wherever a sound would be.
  /// - Parameters:
  ///   - limit: bytes that are read at most.
  ///   - isText: asked once, about the first bytes; what is no text may be a stream without end.
  public static func read(
    _ address: String, limit: Int, interrupter: ReadInterrupter, isText: ([UInt8]) -> Bool
  ) throws(PlaybackFailure) -> NetworkText {
    let ffmpeg = try FFmpegLibrary.load()
    _ = ffmpeg.pointee.avformat_network_init()
    let operation = OperationLimit(interrupter: interrupter)
    operation.begin(seconds: Self.limit)
    var callback = NetworkAccess.interruption(operation)
    // Not asking for a part of the file: some servers answer that with less than all of it.
    var options = NetworkAccess.dictionary(
      NetworkAccess.options.merging(["seekable": "0", "reconnect": "0"]) { $1 }, ffmpeg)
    defer { ffmpeg.pointee.av_dict_free(&options) }
    var opened: UnsafeMutablePointer<AVIOContext>?
    let result = ffmpeg.pointee.avio_open2(&opened, address, AVIO_FLAG_READ, &callback, &options)
    guard result >= 0, let io = opened else {
      throw operation.shouldStop ? NetworkAccess.stopped(operation) : NetworkAccess.failure(result, ffmpeg)
    }
    defer { _ = ffmpeg.pointee.avio_closep(&opened) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    var isJudged = false
    while true {
      let count = ffmpeg.pointee.avio_read_partial(io, &chunk, Int32(chunk.count))
      if count == 0 || count == afl_averror_eof { break }
      if NetworkAccess.isUnannouncedEnd(count, of: io, ffmpeg) { break }
      guard count > 0 else {
        throw operation.shouldStop ? NetworkAccess.stopped(operation) : NetworkAccess.failure(count, ffmpeg)
      }
      bytes += chunk[..<Int(count)]
      if bytes.count > limit { return .tooLarge }
      guard !isJudged, bytes.count >= 4096 else { continue }
      isJudged = true
      guard isText(bytes) else { return .notText }
    }
    guard isJudged || isText(bytes) else { return .notText }
    return .whole(bytes, address: location(io, ffmpeg) ?? address)
  }

  /// Where the server has sent us, as FFmpeg's client knows it.
  private static func location(_ io: UnsafeMutablePointer<AVIOContext>, _ ffmpeg: FFmpeg) -> String? {
    var text: UnsafeMutablePointer<UInt8>?
    guard ffmpeg.pointee.av_opt_get(io, "location", AV_OPT_SEARCH_CHILDREN, &text) >= 0, let text else {
      return nil
    }
    defer { ffmpeg.pointee.av_free(text) }
    let location = String(cString: text)
    return location.isEmpty ? nil : location
  }
}
