import AfterlockCore
import CAfterlockShims
import CFFmpeg

/// One sound stream's decoder: packets in, frames out.
///
/// Confined to the reader that owns it. Teardown: frame, packet, codec context, in any order; idempotent.
final class FFmpegDecoder {
  /// What asking for the next frame gives.
  enum Outcome {
    /// A frame, valid until the next call.
    case frame(UnsafeMutablePointer<AVFrame>)
    /// The stream is over.
    case end
    /// Packets could not be decoded or read; the next call goes on behind them.
    case damage(Int32)
  }

  let ffmpeg: FFmpeg
  let streamIndex: Int32
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var isDraining = false
  /// Reads that failed, and packets that gave no frame, since the last frame. A demuxer may fail in one place for ever,
  /// or make empty packets out of nothing.
  private var failedReads = 0
  private var fruitlessPackets = 0
  private static let mostFailedReads = 16
  private static let mostFruitlessPackets = 10_000
  /// Where in the file the last packet began, -1 when unknown.
  private(set) var packetOffset: Int64 = -1
  /// The sample number that stands in the last packet itself, where it is FLAC.
  ///
  /// FFmpeg's time stamps are wrong behind a seek in Ogg FLAC, and whole milliseconds in Matroska.
  private(set) var packetSample: Int64?
  private let flac: FlacFrameNumber?

  /// - Parameter trims: `false` when the caller leaves out priming and padding itself.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, ffmpeg: FFmpeg, trims: Bool
  ) throws(PlaybackFailure) {
    self.ffmpeg = ffmpeg
    streamIndex = stream.pointee.index
    let parameters = stream.pointee.codecpar!
    let id = parameters.pointee.codec_id
    flac = FlacFrameNumber(parameters)
    guard let decoder = ffmpeg.pointee.avcodec_find_decoder(id) else {
      let name = FFmpegLibrary.codecName(ffmpeg, id)
      throw PlaybackFailure(.unsupported, "The sound is coded as \(name), which FFmpeg here cannot decode.")
    }
    codec = ffmpeg.pointee.avcodec_alloc_context3(decoder)
    packet = ffmpeg.pointee.av_packet_alloc()
    frame = ffmpeg.pointee.av_frame_alloc()
    guard let codec, packet != nil, frame != nil else { throw PlaybackFailure.outOfMemory }
    var result = ffmpeg.pointee.avcodec_parameters_to_context(codec, parameters)
    // Trimming by the header's word is counted in this unit.
    codec.pointee.pkt_timebase = stream.pointee.time_base
    codec.pointee.thread_count = 1
    // Each block of WavPack has a sum, which FFmpeg looks at only when it is asked to: noise otherwise.
    if id == AV_CODEC_ID_WAVPACK { codec.pointee.err_recognition |= AV_EF_CRCCHECK }
    if !trims { codec.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL }
    if result >= 0 { result = ffmpeg.pointee.avcodec_open2(codec, decoder, nil) }
    guard result >= 0 else {
      let words = FFmpegLibrary.message(ffmpeg, result)
      throw PlaybackFailure(.corrupt, "The sound's header is damaged (\(words)).")
    }
  }

  deinit { close() }

  func close() {
    ffmpeg.pointee.av_frame_free(&frame)
    ffmpeg.pointee.av_packet_free(&packet)
    ffmpeg.pointee.avcodec_free_context(&codec)
  }

  /// Forgets what was put in, after a seek.
  func flush() {
    guard let codec, let frame else { return }
    ffmpeg.pointee.avcodec_flush_buffers(codec)
    ffmpeg.pointee.av_frame_unref(frame)
    isDraining = false
    (failedReads, fruitlessPackets) = (0, 0)
  }

  /// Decodes on until there is a frame, the end, or damage.
  func next(from context: UnsafeMutablePointer<AVFormatContext>) -> Outcome {
    guard let codec, let packet, let frame else { return .end }
    while true {
      let received = ffmpeg.pointee.avcodec_receive_frame(codec, frame)
      if received >= 0 {
        guard frame.pointee.nb_samples > 0 else { continue }
        (failedReads, fruitlessPackets) = (0, 0)
        return .frame(frame)
      }
      if received == afl_averror_eof { return .end }
      if received != afl_averror(EAGAIN) { return isDraining ? .end : .damage(received) }
      if isDraining { return .end }
      let read = ffmpeg.pointee.av_read_frame(context, packet)
      if read < 0 {
        let isEnd =
          read == afl_averror_eof || read == afl_averror_exit || read == afl_averror(EAGAIN)
          || NetworkAccess.isUnannouncedEnd(read, of: context.pointee.pb, ffmpeg)
        failedReads += 1
        if !isEnd, failedReads < Self.mostFailedReads { return .damage(read) }
        drain(codec)
        continue
      }
      defer { ffmpeg.pointee.av_packet_unref(packet) }
      guard packet.pointee.stream_index == streamIndex else { continue }
      fruitlessPackets += 1
      if fruitlessPackets > Self.mostFruitlessPackets {
        drain(codec)
        continue
      }
      packetOffset = packet.pointee.pos
      packetSample = flac?.sample(of: packet)
      let sent = ffmpeg.pointee.avcodec_send_packet(codec, packet)
      if sent < 0, sent != afl_averror(EAGAIN), sent != afl_averror_eof { return .damage(sent) }
    }
  }

  /// Nothing more goes in; what the decoder holds comes out.
  private func drain(_ codec: UnsafeMutablePointer<AVCodecContext>) {
    isDraining = true
    _ = ffmpeg.pointee.avcodec_send_packet(codec, nil)
  }
}

/// Reads what a FLAC frame's header says of its place in the stream.
struct FlacFrameNumber {
  private let blockSize: Int64
  /// Length of the whole stream by its header, `nil` when unknown.
  let total: Int64?

  /// `nil` without a stream header.
  init?(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    guard parameters.pointee.codec_id == AV_CODEC_ID_FLAC, let data = parameters.pointee.extradata,
      parameters.pointee.extradata_size >= 34
    else { return nil }
    let header = Array(UnsafeBufferPointer(start: data, count: 34))
    blockSize = Int64(header.bigEndian(at: 2, count: 2))
    let total = Int64(header.bigEndian(at: 13, count: 5)) & 0xF_FFFF_FFFF
    self.total = total > 0 ? total : nil
  }

  /// The number of the first sample in the packet; `nil` when it does not begin with a frame.
  func sample(of packet: UnsafeMutablePointer<AVPacket>) -> Int64? {
    guard let data = packet.pointee.data, packet.pointee.size >= 12 else { return nil }
    let head = UnsafeBufferPointer(start: data, count: 12)
    guard head[0] == 0xFF, head[1] & 0xFE == 0xF8 else { return nil }
    // Coded as UTF-8 would code a number of up to 36 bits.
    let length = (~head[4]).leadingZeroBitCount
    guard length == 0 || (2...7).contains(length) else { return nil }
    var number = length == 0 ? Int64(head[4]) : Int64(head[4]) & (0x7F >> Int64(length))
    for index in 1..<max(length, 1) {
      guard head[4 + index] & 0xC0 == 0x80 else { return nil }
      number = number << 6 | Int64(head[4 + index] & 0x3F)
    }
    return head[1] & 1 == 1 ? number : number * blockSize
  }
}

/// Turns decoded frames into interleaved floats of one format, whatever the stream changes to on its way.
///
/// Confined to the reader that owns it. Teardown: the resampler; idempotent.
final class SampleConverter {
  let ffmpeg: FFmpeg
  let rate: Int32
  private(set) var layout = AVChannelLayout()
  /// `true` when the stream says where its channels belong, and not only how many there are.
  let isLayoutKnown: Bool
  private var swr: OpaquePointer?
  private var source: (format: Int32, rate: Int32, layout: AVChannelLayout)?

  /// A frame may be of another rate than the one before, and stand for hours of sound at this one. More samples than
  /// these, which are 32 MiB, are damage and not sound.
  private static let mostSamples: Int64 = 8 << 20
  /// Nor does any sound change its rate more than so many times: the resampler's table grows with it.
  private static let mostTimes: Int64 = 64

  /// Converts to the rate and channels of `frame`.
  init?(like frame: UnsafeMutablePointer<AVFrame>, ffmpeg: FFmpeg) {
    self.ffmpeg = ffmpeg
    rate = frame.pointee.sample_rate
    isLayoutKnown = frame.pointee.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC
    Self.copyLayout(frame, to: &layout, ffmpeg)
  }

  deinit { close() }

  func close() {
    ffmpeg.pointee.swr_free(&swr)
    ffmpeg.pointee.av_channel_layout_uninit(&layout)
    if source != nil { ffmpeg.pointee.av_channel_layout_uninit(&source!.layout) }
    source = nil
  }

  /// The frame's layout, with the usual one for a bare number of channels.
  private static func copyLayout(
    _ frame: UnsafeMutablePointer<AVFrame>, to layout: inout AVChannelLayout, _ ffmpeg: FFmpeg
  ) {
    if frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
      ffmpeg.pointee.av_channel_layout_uninit(&layout)
      ffmpeg.pointee.av_channel_layout_default(&layout, frame.pointee.ch_layout.nb_channels)
    } else {
      _ = ffmpeg.pointee.av_channel_layout_copy(&layout, &frame.pointee.ch_layout)
    }
  }

  /// Appends the samples of `frame`; 0 or the frames appended, or an error of FFmpeg.
  func convert(_ frame: UnsafeMutablePointer<AVFrame>, into samples: inout SampleQueue) -> Int32 {
    if !isPrepared(for: frame) {
      drain(into: &samples)
      let result = prepare(for: frame)
      if result < 0 { return result }
    }
    let input = frame.pointee.extended_data.map { UnsafeMutableRawPointer($0) }
    return convert(input, count: frame.pointee.nb_samples, into: &samples)
  }

  /// Appends what the resampler still holds.
  func drain(into samples: inout SampleQueue) {
    guard swr != nil, let source, source.rate != rate else { return }
    _ = convert(nil, count: 0, into: &samples)
  }

  /// Forgets what the resampler holds, after a seek.
  func reset() { ffmpeg.pointee.swr_free(&swr) }

  private func convert(
    _ input: UnsafeMutableRawPointer?, count: Int32, into samples: inout SampleQueue
  ) -> Int32 {
    guard let swr, let source else { return 0 }
    if source.rate != rate {
      let expected = Int64(count) * Int64(rate) / Int64(source.rate) * Int64(layout.nb_channels)
      guard expected <= Self.mostSamples else { return afl_averror_invalid_data }
    }
    let ffmpeg = ffmpeg
    var (count, total) = (count, Int32(0))
    // A second at a time. What did not fit is asked for without new samples, which is no flush while there is `input`.
    while true {
      let room = ffmpeg.pointee.swr_get_out_samples(swr, count)
      guard room > 0 else { return room < 0 ? room : total }
      let slice = count > 0 && source.rate == rate ? room : min(room, rate)
      let got = samples.append(upTo: Int(slice)) { target in
        var output: UnsafeMutablePointer<UInt8>? = UnsafeMutableRawPointer(target).assumingMemoryBound(
          to: UInt8.self)
        return ffmpeg.pointee.swr_convert(
          swr, &output, slice, input?.assumingMemoryBound(to: UnsafePointer<UInt8>?.self), count)
      }
      guard got >= 0 else { return got }
      total += got
      if got < slice || Int64(total) * Int64(layout.nb_channels) > Self.mostSamples * 2 { return total }
      count = 0
    }
  }

  private func isPrepared(for frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    guard swr != nil, source != nil else { return false }
    guard source!.format == frame.pointee.format, source!.rate == frame.pointee.sample_rate else {
      return false
    }
    if frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
      return source!.layout.nb_channels == frame.pointee.ch_layout.nb_channels
    }
    return ffmpeg.pointee.av_channel_layout_compare(&source!.layout, &frame.pointee.ch_layout) == 0
  }

  private func prepare(for frame: UnsafeMutablePointer<AVFrame>) -> Int32 {
    ffmpeg.pointee.swr_free(&swr)
    let (fast, slow) = (max(frame.pointee.sample_rate, rate), min(frame.pointee.sample_rate, rate))
    guard AudioFormat.rates.contains(Int(slow)), AudioFormat.rates.contains(Int(fast)),
      Int64(fast) <= Int64(slow) * Self.mostTimes
    else { return afl_averror_invalid_data }
    var from = source?.layout ?? AVChannelLayout()
    source = nil
    Self.copyLayout(frame, to: &from, ffmpeg)
    source = (frame.pointee.format, frame.pointee.sample_rate, from)
    let result = ffmpeg.pointee.swr_alloc_set_opts2(
      &swr, &layout, AV_SAMPLE_FMT_FLT, rate, &from, AVSampleFormat(frame.pointee.format),
      frame.pointee.sample_rate, 0, nil)
    if result < 0 { return result }
    let started = ffmpeg.pointee.swr_init(swr)
    if started < 0 { ffmpeg.pointee.swr_free(&swr) }
    return started
  }
}

/// Decoded samples that were not read yet.
struct SampleQueue: ~Copyable {
  let channels: Int
  private var storage: UnsafeMutablePointer<Float>
  private var capacity = 0
  private var start = 0
  private var end = 0

  init(channels: Int) {
    self.channels = channels
    storage = .allocate(capacity: 1)
  }

  deinit { storage.deallocate() }

  /// Frames that wait.
  var count: Int { (end - start) / channels }

  mutating func clear() { (start, end) = (0, 0) }

  /// Throws away up to `frames` from the front.
  mutating func drop(_ frames: Int) { start += min(frames, count) * channels }

  /// Throws away all but `frames`.
  mutating func truncate(to frames: Int) { end = min(end, start + frames * channels) }

  /// Moves up to `frames` to `target`.
  mutating func move(to target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    let moved = min(frames, count)
    target.update(from: storage + start, count: moved * channels)
    start += moved * channels
    return moved
  }

  /// Has `fill` write up to `frames` behind what waits; it returns how many, or an error below 0.
  mutating func append(upTo frames: Int, _ fill: (UnsafeMutablePointer<Float>) -> Int32) -> Int32 {
    if start == end { clear() }
    let needed = end + frames * channels
    if needed > capacity {
      let larger = UnsafeMutablePointer<Float>.allocate(capacity: needed - start)
      larger.update(from: storage + start, count: end - start)
      storage.deallocate()
      storage = larger
      capacity = needed - start
      (start, end) = (0, end - start)
    }
    let got = fill(storage + end)
    if got > 0 { end += Int(got) * channels }
    return got
  }
}
