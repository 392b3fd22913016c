import AfterlockCore
import CSndfile
import Glibc

/// Reads WAV and FLAC through libsndfile, which costs a millisecond to start where FFmpeg costs forty.
///
/// Confined to the executor of its owner. Teardown: the libsndfile handle first, then the descriptor that it reads from.
final class SndfileReader: MediaReader {
  /// Why libsndfile is not the one to read this file; FFmpeg may be.
  struct Refusal: Error {}

  private(set) var info: MediaInfo
  let interrupter: any MediaInterrupter

  private var handle: OpaquePointer?
  /// Reads on behind damage, once there was some.
  private var successor: FFmpegReader?
  private let openInterrupter: ReadInterrupter
  private let file: MediaFile
  private let picture: EmbeddedPicture?
  private let source: SndfileSource
  private var damage: PlaybackFailure?
  private var position: Int64 = 0

  /// Which of its two kinds of file this is.
  enum Kind {
    case riff(RiffLayout)
    case flac(FlacMetadata)
  }

  /// - Parameter start: where the file proper begins, behind any ID3 tag.
  init(_ file: MediaFile, start: Int64, kind: Kind, interrupter: ReadInterrupter) throws(Refusal) {
    var status = SF_INFO()
    let source = SndfileSource(file, start: start)
    var functions = SndfileSource.functions
    let opaque = Unmanaged.passUnretained(source).toOpaque()
    guard let handle = sf_open_virtual(&functions, Int32(SFM_READ), &status, opaque) else {
      throw Refusal()
    }
    guard let opened = Self.describe(handle, status, kind) else {
      sf_close(handle)
      throw Refusal()
    }
    self.handle = handle
    self.file = file
    self.source = source
    self.interrupter = interrupter
    openInterrupter = interrupter
    info = opened
    switch kind {
    case .riff(let layout):
      picture = EmbeddedPicture.best(layout.pictures)
      if layout.isTruncated {
        damage = .cutOff
      }
    case .flac(let metadata):
      picture = EmbeddedPicture.best(metadata.pictures)
    }
  }

  deinit { close() }

  func close() {
    if let handle { sf_close(handle) }
    handle = nil
    successor?.close()
    successor = nil
    file.close()
  }

  /// What libsndfile has opened, or `nil` when it is not what this reader takes.
  private static func describe(_ handle: OpaquePointer, _ status: SF_INFO, _ kind: Kind) -> MediaInfo? {
    let channels = Int(status.channels)
    let rate = Int(status.samplerate)
    guard (1...AudioFormat.mostChannels).contains(channels), AudioFormat.rates.contains(rate),
      status.frames > 0, status.seekable != 0
    else { return nil }
    var tags = MediaTags()
    var mask: UInt32?
    var hasArtwork = false
    var codec: String
    switch kind {
    case .flac(let metadata):
      // libsndfile takes a stream of unknown length for an empty or an endless one.
      guard metadata.frames == status.frames else { return nil }
      codec = "flac"
      tags = metadata.tags
      mask = metadata.channelMask
      hasArtwork = !metadata.pictures.isEmpty
    case .riff(let layout):
      tags = layout.tags
      hasArtwork = !layout.pictures.isEmpty
      // Compressed sound in a WAV file is FFmpeg's.
      guard let name = pcmName(Int(status.format) & SF_FORMAT_SUBMASK) else { return nil }
      codec = name
    }
    var map = [Int32](repeating: 0, count: channels)
    let hasMap =
      sf_command(handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, Int32(channels * MemoryLayout<Int32>.size))
      != 0
    let positions =
      if let mask {
        AudioFormat.positions(mask: mask, count: channels)
      } else {
        AudioFormat.positions(hasMap ? map.map { ChannelPosition(sndfile: $0) } : [], count: channels)
      }
    guard let positions else { return nil }
    return MediaInfo(
      format: AudioFormat(rate: rate, channels: positions), frames: status.frames, codec: codec,
      isSeekExact: true, tags: tags, hasArtwork: hasArtwork)
  }

  private static func pcmName(_ subtype: Int) -> String? {
    switch subtype {
    case SF_FORMAT_PCM_U8: "pcm_u8"
    case SF_FORMAT_PCM_16: "pcm_s16le"
    case SF_FORMAT_PCM_24: "pcm_s24le"
    case SF_FORMAT_PCM_32: "pcm_s32le"
    case SF_FORMAT_FLOAT: "pcm_f32le"
    case SF_FORMAT_DOUBLE: "pcm_f64le"
    default: nil
    }
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> Int {
    if let successor { return try read(into: buffer, from: successor) }
    guard let handle, let base = buffer.baseAddress, let total = info.frames else { return 0 }
    let wanted = min(Int64(buffer.count / info.format.channelCount), total - position)
    let count = max(sf_readf_float(handle, base, wanted), 0)
    position += count
    if count > 0 || wanted == 0 { return Int(count) }
    noteHole()
    if let reader = try passHole() { return try read(into: buffer, from: reader) }
    info.frames = position
    return 0
  }

  /// Hands a FLAC file over to FFmpeg, which finds the next whole frame where libFLAC gives up.
  ///
  /// FFmpeg goes by the frames. Where the header names another format than they have, its samples do not fit into what
  /// is read here, neither in number nor in time: then the sound ends at the hole.
  /// - Returns: `nil` when the sound ends here.
  private func passHole() throws(PlaybackFailure) -> FFmpegReader? {
    guard info.codec == "flac", let copy = MediaFile(copyOf: file) else { return nil }
    let reader: FFmpegReader
    do throws(PlaybackFailure) {
      reader = try FFmpegReader(copy, interrupter: openInterrupter)
      guard reader.info.format.canContinue(info.format) else {
        reader.close()
        throw PlaybackFailure(
          .corrupt, "The file is damaged: its sound is not in the format that its header gives.")
      }
      _ = try reader.seek(toFrame: position)
    } catch {
      if position == 0 { throw error }
      return nil
    }
    successor = reader
    return reader
  }

  private func read(
    into buffer: UnsafeMutableBufferPointer<Float>, from reader: FFmpegReader
  ) throws(PlaybackFailure) -> Int {
    let count = try reader.read(into: buffer)
    position += Int64(count)
    if count == 0 { info.frames = position }
    return count
  }

  private func noteHole() {
    guard damage == nil else { return }
    let time = Duration.frames(position, rate: info.format.rate).secondsText
    damage = PlaybackFailure(
      .truncated, "The file is cut off or damaged after \(time) s; what can be read is played.")
  }

  func seek(toFrame frame: Int64) throws(PlaybackFailure) -> Int64 {
    if let successor {
      position = try successor.seek(toFrame: frame)
      return position
    }
    guard let handle, let total = info.frames else { return 0 }
    let target = min(max(frame, 0), total)
    // libFLAC cannot seek behind the last frame, where there is nothing to read anyway.
    if target == total {
      position = total
      return total
    }
    position = target
    if sf_seek(handle, target, SEEK_SET) == target { return target }
    noteHole()
    if try passHole() != nil { return target }
    throw PlaybackFailure(
      .corrupt, "The file is damaged near \(Duration.frames(target, rate: info.format.rate).secondsText) s.")
  }

  func takeDamage() -> PlaybackFailure? {
    defer { damage = nil }
    return damage
  }

  func readArtwork() -> ArtworkImage? {
    picture?.read(file)
  }
}

extension AudioFormat {
  /// Whether as many samples stand for as much time. Which channel is which may be told in another way.
  fileprivate func canContinue(_ other: AudioFormat) -> Bool {
    rate == other.rate && channelCount == other.channelCount
  }
}

/// Reads a file for libsndfile through `pread`.
///
/// Not through the descriptor itself: libsndfile closes it when it refuses a file, which FFmpeg is then to read, and
/// it would begin at the ID3 tag that may stand in front.
final class SndfileSource {
  fileprivate let file: MediaFile
  fileprivate let start: Int64
  fileprivate var offset: Int64 = 0

  init(_ file: MediaFile, start: Int64) {
    self.file = file
    self.start = start
  }

  /// Copied by libsndfile when it opens.
  static var functions: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: sourceLength, seek: seekSource, read: readSource, write: refuseToWrite, tell: tellSource)
  }

  fileprivate static func from(_ opaque: UnsafeMutableRawPointer?) -> SndfileSource? {
    opaque.map { Unmanaged<SndfileSource>.fromOpaque($0).takeUnretainedValue() }
  }
}

// C callbacks: file-scope functions, called within the reader's own calls into libsndfile, on its executor.

private func sourceLength(_ opaque: UnsafeMutableRawPointer?) -> sf_count_t {
  SndfileSource.from(opaque).map { $0.file.size - $0.start } ?? 0
}

private func seekSource(_ offset: sf_count_t, _ whence: Int32, _ opaque: UnsafeMutableRawPointer?)
  -> sf_count_t
{
  guard let source = SndfileSource.from(opaque) else { return -1 }
  let from =
    switch whence {
    case SEEK_CUR: source.offset
    case SEEK_END: source.file.size - source.start
    default: Int64(0)
    }
  let (target, overflow) = from.addingReportingOverflow(offset)
  guard !overflow, target >= 0 else { return -1 }
  source.offset = target
  return target
}

private func readSource(
  _ buffer: UnsafeMutableRawPointer?, _ count: sf_count_t, _ opaque: UnsafeMutableRawPointer?
) -> sf_count_t {
  guard let source = SndfileSource.from(opaque), let buffer, count > 0 else { return 0 }
  let target = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
  let got = source.file.read(into: target, at: source.start + source.offset)
  guard got > 0 else { return 0 }
  source.offset += Int64(got)
  return sf_count_t(got)
}

private func tellSource(_ opaque: UnsafeMutableRawPointer?) -> sf_count_t {
  SndfileSource.from(opaque)?.offset ?? 0
}

private func refuseToWrite(
  _ buffer: UnsafeRawPointer?, _ count: sf_count_t, _ opaque: UnsafeMutableRawPointer?
) -> sf_count_t { 0 }
