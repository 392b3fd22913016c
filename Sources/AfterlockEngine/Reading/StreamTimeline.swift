import AfterlockCore
import CAfterlockShims
import CFFmpeg

/// Maps a stream's time stamps to frames, and knows how long it is and how to move in it.
///
/// Frame 0 is the first behind what the header says is to be left out.
final class StreamTimeline {
  let rate: Int
  /// Length by the header, `nil` when it says nothing.
  private(set) var frames: Int64?
  /// `true` when `frames` is the header's word and not an estimate by the bit rate.
  private(set) var isLengthKnown = false
  /// Frames that may be missing at the end before it is called a truncation; `nil` when the length is only an estimate.
  var lengthTolerance: Int64? {
    isLengthKnown ? exactTolerance : isLengthOfAll ? Int64(rate) / 2 : nil
  }
  private let exactTolerance: Int64
  /// `frames` is what the header gives for all streams together, and there is only this one.
  private var isLengthOfAll = false
  /// Frames behind `frames` that are padding, which FFmpeg leaves in; `Int64.max` when nothing follows it.
  private(set) var padding: Int64 = 0
  /// `true` when time stamps are fine enough, and right behind a seek.
  private(set) var isSeekExact = false
  /// Frames that the decoder must run before what it gives is right.
  private let preroll: Int64

  private let streamIndex: Int32
  private let timeBase: AVRational
  /// The time stamp of frame 0.
  private let origin: Int64
  private let mpegFrames: MPEGAudioFrames?
  /// FFmpeg counts the last page of Ogg backwards from its trimmed end and is off there: never land on it.
  private var latestLanding: Int64 = .max

  /// Containers whose time stamps behind a seek are exact.
  private static let exactFormats: Set<String> = [
    "wav", "w64", "aiff", "au", "caf", "mov", "ogg", "flac", "wv", "tta",
  ]
  /// Files of MP3 without a count in the header are counted at once up to this size.
  private static let countedSize: Int64 = 32 << 20

  init(
    stream: UnsafeMutablePointer<AVStream>, input: FFmpegInput, rate: Int,
    firstFrame: UnsafeMutablePointer<AVFrame>, decoder: FFmpegDecoder
  ) {
    self.rate = rate
    streamIndex = stream.pointee.index
    timeBase = stream.pointee.time_base
    let codec = stream.pointee.codecpar.pointee.codec_id
    let descriptor = input.ffmpeg.pointee.avcodec_descriptor_get(codec)
    let isLossless = (descriptor?.pointee.props ?? 0) & AV_CODEC_PROP_LOSSLESS != 0
    preroll = Self.preroll(codec, isLossless: isLossless)
    // Packets of unknown length let a header be off by one of them; plain samples do not.
    let isPlain = (input.ffmpeg.pointee.av_get_bits_per_sample(codec)) > 0
    exactTolerance = isPlain ? 0 : Int64(rate) / 10
    let firstTime = Self.time(of: firstFrame) ?? 0

    if let mpeg = input.mpegFrames, mpeg.start == decoder.packetOffset {
      mpegFrames = mpeg
      origin = 0
      isSeekExact = true
      padding = mpeg.endTrim
      if let announced = mpeg.announcedSamples {
        frames = announced
        isLengthKnown = true
      } else if let file = input.source?.file, file.size <= Self.countedSize {
        frames = max(Int64(mpeg.countAll() * mpeg.first.samples) - mpeg.startTrim, 0)
        isLengthKnown = true
      } else {
        frames = Self.duration(of: stream, in: input).flatMap { Self.rescale($0, timeBase, rate) }
      }
      return
    }
    mpegFrames = nil
    if let flac = FlacFrameNumber(stream.pointee.codecpar), decoder.packetSample != nil {
      origin = firstTime
      isSeekExact = true
      isLengthKnown = flac.total != nil
      frames =
        flac.total ?? Self.duration(of: stream, in: input).flatMap { Self.rescale($0, timeBase, rate) }
      return
    }
    isSeekExact =
      Int64(timeBase.num) * Int64(rate) <= Int64(timeBase.den)
      && input.formatNames.contains { Self.exactFormats.contains($0) }
    if let trimmed = input.trimmedLength(of: stream, rate: rate),
      let length = Self.rescale(trimmed.length, num: 1, den: Int32(clamping: trimmed.unit), rate: rate)
    {
      let unit = AVRational(num: 1, den: Int32(clamping: trimmed.unit))
      origin = input.ffmpeg.pointee.av_rescale_q(trimmed.start, unit, timeBase)
      frames = length
      isLengthKnown = true
      padding = .max
      return
    }
    origin = firstTime
    let duration = Self.duration(of: stream, in: input)
    guard let total = duration.flatMap({ Self.rescale($0, timeBase, rate) }) else { return }
    // Ogg and Matroska count the samples before the start of Opus into the length.
    let priming = codec == AV_CODEC_ID_OPUS ? Int64(stream.pointee.codecpar.pointee.initial_padding) : 0
    frames = max(total - priming, 0)
    isLengthKnown =
      stream.pointee.duration != afl_av_nopts_value && isSeekExact
      && input.context?.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE
    isLengthOfAll = input.formatNames.contains("matroska") && input.holdsOnlyOneSound
    adjustForOgg(input)
  }

  private func adjustForOgg(_ input: FFmpegInput) {
    guard input.formatNames.contains("ogg") else { return }
    latestLanding = max((frames ?? .max) - 4 * Int64(rate), 0)
    if let file = input.source?.file, OggPages.isOneShortStream(file) { padding = .max }
  }

  private static func preroll(_ codec: AVCodecID, isLossless: Bool) -> Int64 {
    switch codec {
    case _ where isLossless: 0
    case AV_CODEC_ID_OPUS: 9_600
    case AV_CODEC_ID_VORBIS: 16_384
    default: 11_520
    }
  }

  private static func duration(of stream: UnsafeMutablePointer<AVStream>, in input: FFmpegInput) -> Int64? {
    let duration = stream.pointee.duration
    if duration != afl_av_nopts_value { return duration > 0 ? duration : nil }
    guard let whole = input.context?.pointee.duration, whole != afl_av_nopts_value, whole > 0 else {
      return nil
    }
    let microseconds = AVRational(num: 1, den: Int32(AV_TIME_BASE))
    return input.ffmpeg.pointee.av_rescale_q(whole, microseconds, stream.pointee.time_base)
  }

  private static func time(of frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
    let time = frame.pointee.best_effort_timestamp
    return time == afl_av_nopts_value ? nil : time
  }

  /// Frames beyond this, 700 years of the fastest sound, stand in damaged files only. Within it sums do not overflow.
  static let mostFrames: Int64 = 1 << 55

  /// Time in units of `num / den` seconds as frames, to the nearest; `nil` for what no file can mean.
  static func rescale(_ time: Int64, num: Int32, den: Int32, rate: Int) -> Int64? {
    guard den > 0 else { return nil }
    let (den, half) = (Int128(den), Int128(den / 2))
    let (quotient, rest) = (Int128(time) * Int128(num) * Int128(rate)).quotientAndRemainder(dividingBy: den)
    guard quotient.magnitude < mostFrames else { return nil }
    return Int64(rest > half ? quotient + 1 : -rest > half ? quotient - 1 : quotient)
  }

  private static func rescale(_ time: Int64, _ base: AVRational, _ rate: Int) -> Int64? {
    rescale(time, num: base.num, den: base.den, rate: rate)
  }

  /// The number of a decoded frame's first sample, below 0 for what is left out at the start; `nil` without a time.
  func frame(of frame: UnsafeMutablePointer<AVFrame>, from decoder: FFmpegDecoder) -> Int64? {
    if let sample = decoder.packetSample { return sample }
    if let mpegFrames {
      return Int64(mpegFrames.number(at: decoder.packetOffset) * mpegFrames.first.samples)
        - mpegFrames.startTrim
    }
    guard let time = Self.time(of: frame) else { return nil }
    let (offset, overflow) = time.subtractingReportingOverflow(origin)
    return overflow ? nil : Self.rescale(offset, timeBase, rate)
  }

  /// Moves the demuxer so that the decoder is right when it reaches `frame`; it lands there or before.
  ///
  /// - Parameter extra: frames to begin even earlier, when it landed too late.
  /// - Returns: where it was sent, or `nil` when the demuxer cannot go there.
  func move(
    _ context: UnsafeMutablePointer<AVFormatContext>, to frame: Int64, extra: Int64, _ ffmpeg: FFmpeg
  ) -> Int64? {
    let sought = max(min(frame, latestLanding) - preroll - extra, 0)
    if let mpegFrames {
      let samples = Int64(mpegFrames.first.samples)
      let number = Int(max(frame + mpegFrames.startTrim - extra, 0) / samples) - Int(preroll / samples)
      guard let offset = mpegFrames.offset(of: max(number, 0)) else { return nil }
      let moved = ffmpeg.pointee.avformat_seek_file(context, -1, offset, offset, offset, AVSEEK_FLAG_BYTE)
      return moved >= 0 ? sought : nil
    }
    let unit = AVRational(num: 1, den: Int32(rate))
    let (time, overflow) = origin.addingReportingOverflow(ffmpeg.pointee.av_rescale_q(sought, unit, timeBase))
    guard !overflow else { return nil }
    // What comes before frame 0 has a time before the origin's; the very start is asked for then.
    let latest = sought == 0 ? min(origin, 0) : time
    if ffmpeg.pointee.avformat_seek_file(context, streamIndex, .min, latest, latest, 0) >= 0 { return sought }
    guard sought == 0 else { return nil }
    let anywhere = ffmpeg.pointee.avformat_seek_file(context, streamIndex, .min, origin, .max, 0)
    return anywhere >= 0 ? 0 : nil
  }
}
