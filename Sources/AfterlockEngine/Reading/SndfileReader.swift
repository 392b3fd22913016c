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
  private let file: MediaFile
  private let picture: FlacMetadata.Picture?
  private var damage: PlaybackFailure?
  private var position: Int64 = 0

  /// Which of its two kinds of file this is.
  enum Kind {
    case riff(RiffLayout)
    case flac(FlacMetadata)
  }

  init(_ file: MediaFile, kind: Kind, interrupter: ReadInterrupter) throws(Refusal) {
    var status = SF_INFO()
    lseek(file.descriptor, 0, SEEK_SET)
    guard let handle = sf_open_fd(file.descriptor, Int32(SFM_READ), &status, Int32(SF_FALSE)) else {
      throw Refusal()
    }
    guard let opened = Self.describe(handle, status, kind) else {
      sf_close(handle)
      throw Refusal()
    }
    self.handle = handle
    self.file = file
    self.interrupter = interrupter
    info = opened
    switch kind {
    case .riff(let layout):
      picture = nil
      if layout.isTruncated {
        damage = PlaybackFailure(
          .truncated, "The file ends before its sound does; what is there is played. Copy it again.")
      }
    case .flac(let metadata):
      picture = metadata.bestPicture
    }
  }

  deinit { close() }

  func close() {
    if let handle { sf_close(handle) }
    handle = nil
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
      hasArtwork = metadata.bestPicture != nil
    case .riff(let layout):
      tags = layout.tags
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
    guard let handle, let base = buffer.baseAddress, let total = info.frames else { return 0 }
    let wanted = Int64(buffer.count / info.format.channelCount)
    let count = sf_readf_float(handle, base, min(wanted, total - position))
    position += max(count, 0)
    if count < wanted, position < total { noteShortRead(handle) }
    return Int(max(count, 0))
  }

  /// The sound ended before the header said.
  private func noteShortRead(_ handle: OpaquePointer) {
    let message =
      "The file is cut off or damaged after \(Duration.frames(position, rate: info.format.rate).seconds) s; "
      + "what is there is played."
    if damage == nil { damage = PlaybackFailure(.truncated, message) }
    info.frames = position
  }

  func seek(toFrame frame: Int64) throws(PlaybackFailure) -> Int64 {
    guard let handle, let total = info.frames else { return 0 }
    let target = min(max(frame, 0), total)
    // libFLAC cannot seek behind the last frame, where there is nothing to read anyway.
    if target == total {
      position = total
      return total
    }
    guard sf_seek(handle, target, SEEK_SET) == target else {
      throw PlaybackFailure(
        .corrupt, "The file is damaged near \(Duration.frames(target, rate: info.format.rate).seconds) s.")
    }
    position = target
    return target
  }

  func takeDamage() -> PlaybackFailure? {
    defer { damage = nil }
    return damage
  }

  func readArtwork() -> ArtworkImage? {
    guard let picture else { return nil }
    let bytes = file.bytes(at: picture.offset, count: picture.length)
    guard bytes.count == picture.length else { return nil }
    return ArtworkImage(bytes: bytes, mimeType: picture.mimeType ?? ArtworkImage.mimeType(of: bytes))
  }
}

extension ArtworkImage {
  /// What the first bytes say that the picture is.
  static func mimeType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.has("GIF8", at: 0) { return "image/gif" }
    if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) { return "image/webp" }
    if bytes.has("BM", at: 0) { return "image/bmp" }
    return nil
  }
}
