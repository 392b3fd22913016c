import AfterlockCore
import CAfterlockShims
import CFFmpeg

/// Maps a stream's time stamps to frames, and knows how long it is and how to move in it.
///
/// Frame 0 is the first that the decoder gave after the trimming that the header asks for.
final class StreamTimeline {
  let rate: Int
  /// Length by the header, `nil` when it says nothing.
  private(set) var frames: Int64?
  /// `true` when `frames` is the header's word and not an estimate by the bit rate.
  private(set) var isLengthKnown = false
  /// Frames that may be missing at the end before it is called a truncation.
  private(set) var lengthTolerance: Int64 = 0
  /// `true` when what comes behind `frames` is padding, which FFmpeg leaves in.
  private(set) var isEndBinding = false
  private(set) var isSeekExact = false
  /// Frames that the decoder must run before what it gives is right.
  private(set) var preroll: Int64 = 0

  private let streamIndex: Int32
  private let timeBase: AVRational
  private let origin: Int64

  init(
    stream: UnsafeMutablePointer<AVStream>, input: FFmpegInput, rate: Int,
    firstFrame: UnsafeMutablePointer<AVFrame>, packetOffset: Int64
  ) {
    self.rate = rate
    streamIndex = stream.pointee.index
    timeBase = stream.pointee.time_base
    let pts = Self.time(of: firstFrame)
    origin = pts ?? 0
    let duration = stream.pointee.duration
    if duration != afl_av_nopts_value, duration > 0 {
      frames = Self.rescale(duration, timeBase, rate)
      isLengthKnown = true
    }
    lengthTolerance = Int64(rate) / 10
    preroll = 8192
  }

  private static func time(of frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
    let time = frame.pointee.best_effort_timestamp
    return time == afl_av_nopts_value ? nil : time
  }

  private static func rescale(_ time: Int64, _ base: AVRational, _ rate: Int) -> Int64 {
    let factor = Int64(base.num) * Int64(rate)
    let (high, low) = time.multipliedFullWidth(by: factor)
    let half = Int64(base.den) / 2
    guard base.den > 0, high.magnitude < Int64(base.den) / 2 else { return 0 }
    let (quotient, rest) = Int64(base.den).dividingFullWidth((high, low))
    if rest > half { return quotient + 1 }
    if -rest > half { return quotient - 1 }
    return quotient
  }

  /// The number of a decoded frame's first sample.
  func frame(of frame: UnsafeMutablePointer<AVFrame>, packetOffset: Int64) -> Int64? {
    guard let time = Self.time(of: frame) else { return nil }
    return Self.rescale(time - origin, timeBase, rate)
  }

  /// Moves the demuxer to `frame` or a little before.
  func move(_ context: UnsafeMutablePointer<AVFormatContext>, to frame: Int64, _ ffmpeg: FFmpeg) -> Bool {
    let unit = AVRational(num: 1, den: Int32(rate))
    let time = origin + ffmpeg.pointee.av_rescale_q(frame, unit, timeBase)
    return ffmpeg.pointee.avformat_seek_file(context, streamIndex, .min, time, time, 0) >= 0
  }
}
