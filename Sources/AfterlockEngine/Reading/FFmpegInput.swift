import AfterlockCore
import CAfterlockShims
import CFFmpeg
import Glibc

/// A file or an address that FFmpeg's demuxer has opened.
///
/// Confined to the reader that owns it. Teardown: the format context, then the I/O context that it reads through, then
/// the file below.
final class FFmpegInput {
  let ffmpeg: FFmpeg
  let limit: OperationLimit
  /// `nil` for an address.
  let source: FileSource?
  /// The demuxer's context; `nil` once closed.
  private(set) var context: UnsafeMutablePointer<AVFormatContext>?
  /// The demuxer's names, "mov", "mp4", …
  private(set) var formatNames: [String] = []
  /// `true` when the content only looks faintly like what it was taken for.
  private(set) var isDoubtful = false
  /// The frames of an MP3 file, for trimming and seeking; `nil` for everything else.
  private(set) var mpegFrames: MPEGAudioFrames?
  private var mp4Timing: MP4Timing?
  private var io: UnsafeMutablePointer<AVIOContext>?

  /// Seconds that opening may take, and a read.
  static let openLimit = 20
  static let readLimit = 15

  /// Opens a file, which from then on is closed by this object.
  init(_ file: MediaFile, ffmpeg: FFmpeg, limit: OperationLimit) throws(PlaybackFailure) {
    self.ffmpeg = ffmpeg
    self.limit = limit
    let source = FileSource(file, limit: limit)
    self.source = source
    limit.begin(seconds: Self.openLimit)
    let (format, score) = try FormatProbe.probe(source, ffmpeg)
    // Four MP3 frames in a row reach 51; below this a byte pattern was met by chance or the file is very short.
    isDoubtful = score <= 25
    guard let context = ffmpeg.pointee.avformat_alloc_context(), let io = source.makeContext(ffmpeg) else {
      throw PlaybackFailure.outOfMemory
    }
    self.io = io
    context.pointee.pb = io
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    // A file may name other files and addresses; nothing but itself is opened.
    context.pointee.io_open = refuseToOpen
    var options = ["protocol_whitelist": "none"]
    let names = FFmpegLibrary.names(of: format)
    if names.contains("mp3") { mpegFrames = MPEGAudioFrames(file) }
    if names.contains("mov") {
      let timing = MP4Timing(file)
      if !timing.hasComplexEdits {
        mp4Timing = timing
        options["ignore_editlist"] = "1"
      }
    }
    try open(context, address: nil, format: format, options: options)
  }

  /// Opens an http or https address.
  init(address: String, ffmpeg: FFmpeg, limit: OperationLimit) throws(PlaybackFailure) {
    self.ffmpeg = ffmpeg
    self.limit = limit
    source = nil
    limit.begin(seconds: Self.openLimit)
    _ = ffmpeg.pointee.avformat_network_init()
    guard let context = ffmpeg.pointee.avformat_alloc_context() else { throw PlaybackFailure.outOfMemory }
    try open(
      context, address: address, format: nil,
      options: NetworkAccess.options.merging(
        ["format_whitelist": FFmpegLibrary.networkFormats.joined(separator: ",")]) { $1 })
  }

  deinit { close() }

  /// Whether the demuxer can go to another place: a file always, a server when it sends parts of a file.
  var canSeek: Bool {
    guard source == nil, let context else { return true }
    guard context.pointee.ctx_flags & AVFMTCTX_UNSEEKABLE == 0 else { return false }
    // A list of segments opens each of them by itself.
    if formatNames.contains("hls") { return true }
    return context.pointee.pb.map { $0.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 } ?? false
  }

  /// Whether one sound is all that the file holds, besides pictures and attachments.
  var holdsOnlyOneSound: Bool {
    guard let context, let streams = context.pointee.streams else { return false }
    let playable = (0..<Int(context.pointee.nb_streams)).compactMap { streams[$0] }.filter {
      let type = $0.pointee.codecpar.pointee.codec_type
      return $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        && [AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_SUBTITLE].contains(type)
    }
    return playable.count == 1
  }

  /// Closes demuxer, I/O and file; idempotent.
  func close() {
    if context != nil { ffmpeg.pointee.avformat_close_input(&context) }
    if let io {
      // The buffer may have been replaced by FFmpeg; the one that is there now is freed.
      ffmpeg.pointee.av_free(io.pointee.buffer)
      ffmpeg.pointee.avio_context_free(&self.io)
    }
    source?.file.close()
  }

  private func open(
    _ context: UnsafeMutablePointer<AVFormatContext>, address: String?,
    format: UnsafePointer<AVInputFormat>?, options: [String: String]
  ) throws(PlaybackFailure) {
    context.pointee.interrupt_callback = NetworkAccess.interruption(limit)
    // A damaged header can announce streams without end.
    context.pointee.max_streams = 64
    var dictionary = NetworkAccess.dictionary(options, ffmpeg)
    defer { ffmpeg.pointee.av_dict_free(&dictionary) }
    _ = ffmpeg.pointee.av_dict_set(&dictionary, "codec_whitelist", FFmpegLibrary.soundDecoders, 0)
    // Frees the context when it fails.
    var opened: UnsafeMutablePointer<AVFormatContext>? = context
    let result = ffmpeg.pointee.avformat_open_input(&opened, address, format, &dictionary)
    guard result >= 0, let opened else { throw openFailure(result) }
    self.context = opened
    if let format = opened.pointee.iformat { formatNames = FFmpegLibrary.names(of: format) }
    let found = ffmpeg.pointee.avformat_find_stream_info(opened, nil)
    if limit.shouldStop { throw stopped() }
    if found < 0, opened.pointee.nb_streams == 0 { throw openFailure(found) }
  }

  /// What the container itself says of a stream's trimming, where that is better than FFmpeg's word.
  func trimmedLength(of stream: UnsafeMutablePointer<AVStream>, rate: Int) -> TrimmedLength? {
    guard let file = source?.file, let context else { return nil }
    if formatNames.contains("caf") {
      return CafTiming.read(file, rate: Int(stream.pointee.codecpar.pointee.sample_rate))
    }
    guard let mp4Timing else { return nil }
    let timing = mp4Timing.tracks[stream.pointee.id]
    if timing.map({ $0.start == 0 }) ?? true,
      let entry = ffmpeg.pointee.av_dict_get(context.pointee.metadata, "iTunSMPB", nil, 0),
      let value = entry.pointee.value, strnlen(value, 256) < 256,
      let note = MP4Timing.iTunesNote(String(cString: value), unit: Int64(stream.pointee.time_base.den))
    {
      return note
    }
    return timing
  }

  /// Why nothing more comes: broken off, or too slow.
  func stopped() -> PlaybackFailure {
    guard source != nil, !limit.interrupter.isInterrupted else { return NetworkAccess.stopped(limit) }
    return PlaybackFailure(.corrupt, "The file is so damaged that reading it takes too long.")
  }

  /// The reason in words for an error of FFmpeg while opening.
  private func openFailure(_ code: Int32) -> PlaybackFailure {
    if limit.shouldStop { return stopped() }
    let words = FFmpegLibrary.message(ffmpeg, code)
    guard source != nil else {
      guard code != afl_averror_invalid_data, code != afl_averror(EINVAL) else {
        return PlaybackFailure(.notMedia, "What the server sends is not a sound file.")
      }
      return NetworkAccess.failure(code, ffmpeg)
    }
    if let readError = source?.readError { return .unreadable(readError) }
    switch code {
    case afl_averror(EINVAL) where isDoubtful: return .notMedia
    case afl_averror(EPERM), afl_averror(EINVAL):
      return PlaybackFailure(.corrupt, "The file is damaged: its header makes no sense.")
    case afl_averror(ENOMEM), afl_averror_invalid_data, afl_averror_eof:
      return PlaybackFailure(.corrupt, "The file is damaged: its header cannot be read (\(words)).")
    case afl_averror_patch_welcome, afl_averror(ENOSYS):
      return PlaybackFailure(.unsupported, "This kind of file is not supported by FFmpeg (\(words)).")
    default: return PlaybackFailure(.corrupt, "The file cannot be read (\(words)).")
    }
  }
}

/// Reads a file for FFmpeg, through `pread`, so that libsndfile's use of the same descriptor is not disturbed.
final class FileSource {
  let file: MediaFile
  /// The first error number of a read, for the message.
  fileprivate(set) var readError: Int32?
  fileprivate var offset: Int64 = 0
  fileprivate let limit: OperationLimit
  /// Bytes at the beginning that are hidden while probing.
  fileprivate var base: Int64 = 0

  init(_ file: MediaFile, limit: OperationLimit) {
    self.file = file
    self.limit = limit
  }

  /// An I/O context that begins `base` bytes into the file. The caller frees it, and its buffer.
  ///
  /// This object must outlive it: the context holds it unretained.
  func makeContext(_ ffmpeg: FFmpeg, base: Int64 = 0) -> UnsafeMutablePointer<AVIOContext>? {
    self.base = base
    offset = base
    let size = 32 << 10
    guard let buffer = ffmpeg.pointee.av_malloc(size) else { return nil }
    let context = ffmpeg.pointee.avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(size), 0, Unmanaged.passUnretained(self).toOpaque(),
      readPacket, nil, seekSource)
    if context == nil { ffmpeg.pointee.av_free(buffer) }
    return context
  }
}

/// Finds out what a file is.
enum FormatProbe {
  /// The demuxer for a file, and how sure FFmpeg is (0…100).
  ///
  /// A tag of ID3v2 may be longer than what FFmpeg looks at, so it is jumped over first.
  static func probe(
    _ source: FileSource, _ ffmpeg: FFmpeg
  ) throws(PlaybackFailure) -> (UnsafePointer<AVInputFormat>, Int32) {
    let start = ID3v2Tag.lengthOfAll(source.file)
    var io = source.makeContext(ffmpeg, base: start)
    guard let opened = io else { throw PlaybackFailure.outOfMemory }
    defer {
      ffmpeg.pointee.av_free(opened.pointee.buffer)
      ffmpeg.pointee.avio_context_free(&io)
    }
    var format: UnsafePointer<AVInputFormat>?
    let score = ffmpeg.pointee.av_probe_input_buffer2(opened, &format, "", nil, 0, 0)
    if let error = source.readError { throw PlaybackFailure.unreadable(error) }
    guard score >= 0, let format else { throw PlaybackFailure.notMedia }
    guard FFmpegLibrary.isFormat(format, in: FFmpegLibrary.fileFormats) else {
      let name = format.pointee.long_name.map { String(cString: $0) } ?? "unknown"
      throw PlaybackFailure(.notMedia, "This is not a sound file (it looks like: \(name)).")
    }
    return (format, score)
  }
}

extension PlaybackFailure {
  static var notMedia: PlaybackFailure { PlaybackFailure(.notMedia, "This is not a sound file.") }
  static var cutOff: PlaybackFailure {
    PlaybackFailure(
      .truncated, "The file ends before its sound does; what is there is played. Copy it again.")
  }
  static var indexBehindSound: PlaybackFailure {
    PlaybackFailure(
      .unsupported,
      "The server does not send parts of a file, and this one's index stands behind its sound: it must be read to its "
        + "end before it can be played. Save it first.")
  }
  static var outOfMemory: PlaybackFailure {
    PlaybackFailure(.unsupported, "There is not enough memory to open the file.")
  }
  static func unreadable(_ error: Int32) -> PlaybackFailure {
    PlaybackFailure(
      .notReadable, "The file cannot be read: \(String(cString: strerror(error))). Check the disk.")
  }
}

// C callbacks: file-scope functions, called within the reader's own calls into FFmpeg, on its executor.

private func readPacket(
  _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32
) -> Int32 {
  guard let opaque, let buffer, size > 0 else { return afl_averror(EINVAL) }
  let source = Unmanaged<FileSource>.fromOpaque(opaque).takeUnretainedValue()
  if source.limit.shouldStop { return afl_averror_exit }
  let count = source.file.read(
    into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)), at: source.offset)
  if count == 0 { return afl_averror_eof }
  if count < 0 {
    if source.readError == nil { source.readError = Int32(-count) }
    return afl_averror(Int32(-count))
  }
  source.offset += Int64(count)
  return Int32(count)
}

private func seekSource(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
  guard let opaque else { return Int64(afl_averror(EINVAL)) }
  let source = Unmanaged<FileSource>.fromOpaque(opaque).takeUnretainedValue()
  let start: Int64
  switch whence & ~AVSEEK_FORCE {
  case AVSEEK_SIZE: return source.file.size - source.base
  case SEEK_SET: start = source.base
  case SEEK_CUR: start = source.offset
  case SEEK_END: start = source.file.size
  default: return Int64(afl_averror(EINVAL))
  }
  let (target, overflow) = start.addingReportingOverflow(offset)
  guard !overflow, target >= source.base else { return Int64(afl_averror(EINVAL)) }
  source.offset = target
  return target - source.base
}

private func refuseToOpen(
  _ context: UnsafeMutablePointer<AVFormatContext>?,
  _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?, _ address: UnsafePointer<CChar>?,
  _ flags: Int32, _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  afl_averror(EACCES)
}
