import AfterlockCore
import CAfterlockShims
import CFFmpeg

/// Reads everything that FFmpeg can, from files and addresses.
///
/// Confined to the executor of its owner. Teardown: converter, decoder, input, each idempotent.
final class FFmpegReader: MediaReader {
  private(set) var info: MediaInfo
  let interrupter: any MediaInterrupter

  private let ffmpeg: FFmpeg
  private let input: FFmpegInput
  private let decoder: FFmpegDecoder
  private let converter: SampleConverter
  private let timeline: StreamTimeline
  private var samples: SampleQueue
  private var damage: PlaybackFailure?
  /// The frame at which the next read begins.
  private var position: Int64 = 0
  /// Decoded frames that come before `position` and are thrown away.
  private var framesToSkip: Int64 = 0
  /// Frames behind the header's end that are still to be thrown away.
  private var paddingLeft: Int64 = 0
  private var isAtEnd = false
  /// What stopped a read that had frames to give first; the next one says it.
  private var heldFailure: PlaybackFailure?
  private var isClosed = false

  convenience init(_ file: MediaFile, interrupter: ReadInterrupter) throws(PlaybackFailure) {
    let ffmpeg = try FFmpegLibrary.load()
    let limit = OperationLimit(interrupter: interrupter)
    try self.init(FFmpegInput(file, ffmpeg: ffmpeg, limit: limit))
  }

  convenience init(address: String, interrupter: ReadInterrupter) throws(PlaybackFailure) {
    let ffmpeg = try FFmpegLibrary.load()
    let limit = OperationLimit(interrupter: interrupter)
    try self.init(FFmpegInput(address: address, ffmpeg: ffmpeg, limit: limit))
  }

  private init(_ input: FFmpegInput) throws(PlaybackFailure) {
    self.input = input
    ffmpeg = input.ffmpeg
    interrupter = input.limit.interrupter
    guard let context = input.context else { throw PlaybackFailure.notMedia }
    let stream = try Self.chooseStream(input)
    decoder = try FFmpegDecoder(stream, ffmpeg: ffmpeg, trims: input.mpegFrames == nil)
    // The first frame says what the stream really is: an AAC header may not tell its true rate.
    var firstDamage: Int32?
    let frame = try Self.firstFrame(decoder, input, &firstDamage)
    guard let converter = SampleConverter(like: frame, ffmpeg: ffmpeg) else {
      throw PlaybackFailure.outOfMemory
    }
    self.converter = converter
    let format = try Self.format(of: converter)
    samples = SampleQueue(channels: format.channelCount)
    timeline = StreamTimeline(
      stream: stream, input: input, rate: format.rate, firstFrame: frame, decoder: decoder)
    let metadata = FFmpegMetadata(context, stream: stream, input: input)
    info = MediaInfo(
      format: format, frames: timeline.frames,
      codec: FFmpegLibrary.codecName(ffmpeg, stream.pointee.codecpar.pointee.codec_id),
      isSeekExact: timeline.isSeekExact, tags: metadata.tags, hasArtwork: metadata.picture != nil)
    paddingLeft = timeline.padding
    let landed = timeline.frame(of: frame, from: decoder) ?? 0
    framesToSkip = max(-landed, 0)
    if let firstDamage { noteDamage(firstDamage) }
    if let file = input.source?.file, isTruncated(file) { damage = .cutOff }
    append(frame)
  }

  deinit { close() }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    converter.close()
    decoder.close()
    input.close()
  }

  // MARK: Opening

  private static func chooseStream(_ input: FFmpegInput) throws(PlaybackFailure) -> UnsafeMutablePointer<
    AVStream
  > {
    guard let context = input.context, let streams = context.pointee.streams else {
      throw PlaybackFailure.notMedia
    }
    let index = input.ffmpeg.pointee.av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard index >= 0, index < context.pointee.nb_streams, let stream = streams[Int(index)] else {
      throw PlaybackFailure(.noAudio, "The file has no sound in it.")
    }
    for other in 0..<Int(context.pointee.nb_streams) where other != Int(index) {
      streams[other]?.pointee.discard = AVDISCARD_ALL
    }
    return stream
  }

  private static func firstFrame(
    _ decoder: FFmpegDecoder, _ input: FFmpegInput, _ damage: inout Int32?
  ) throws(PlaybackFailure) -> UnsafeMutablePointer<AVFrame> {
    guard let context = input.context else { throw PlaybackFailure.notMedia }
    while true {
      switch decoder.next(from: context) {
      case .frame(let frame): return frame
      case .damage(let code):
        if input.limit.shouldStop { throw input.stopped() }
        if damage == nil { damage = code }
      case .end:
        if input.limit.shouldStop { throw input.stopped() }
        if input.isDoubtful { throw PlaybackFailure.notMedia }
        guard damage != nil else {
          throw PlaybackFailure(.empty, "The file has no sound in it: it ends at once.")
        }
        if input.formatNames.contains("mov"), !input.canSeek { throw .indexBehindSound }
        throw PlaybackFailure(.corrupt, "The file is damaged: none of its sound can be decoded.")
      }
    }
  }

  private static func format(of converter: SampleConverter) throws(PlaybackFailure) -> AudioFormat {
    var layout = converter.layout
    let count = Int(layout.nb_channels)
    guard count <= AudioFormat.mostChannels else { throw PlaybackFailure.tooManyChannels(count) }
    let known = (0..<(converter.isLayoutKnown ? max(count, 0) : 0)).map { index in
      ChannelPosition(converter.ffmpeg.pointee.av_channel_layout_channel_from_index(&layout, UInt32(index)))
    }
    guard AudioFormat.rates.contains(Int(converter.rate)),
      let positions = AudioFormat.positions(known, count: count)
    else { throw PlaybackFailure(.corrupt, "The file is damaged: it has no sensible rate or channels.") }
    return AudioFormat(rate: Int(converter.rate), channels: positions)
  }

  // MARK: Reading

  func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> Int {
    guard let base = buffer.baseAddress, let context = input.context else { return 0 }
    if let failure = heldFailure {
      heldFailure = nil
      throw failure
    }
    input.limit.begin(seconds: FFmpegInput.readLimit)
    let channels = info.format.channelCount
    let wanted = buffer.count / channels
    var done = 0
    while done < wanted {
      let moved = samples.move(to: base + done * channels, frames: wanted - done)
      done += moved
      position += Int64(moved)
      if samples.count == 0 {
        if isAtEnd { break }
        do throws(PlaybackFailure) {
          try decodeMore(context)
        } catch {
          if done == 0 { throw error }
          heldFailure = error
          break
        }
      }
    }
    return done
  }

  /// Whether the container itself says that the file ends too early.
  private func isTruncated(_ file: MediaFile) -> Bool {
    let names = input.formatNames
    if names.contains("caf") { return CafTiming.isTruncated(file) }
    if names.contains("ogg") { return OggPages.isTruncated(file) }
    return names.contains("matroska") && MatroskaSegment.isTruncated(file)
  }

  private func decodeMore(_ context: UnsafeMutablePointer<AVFormatContext>) throws(PlaybackFailure) {
    switch decoder.next(from: context) {
    case .frame(let frame): append(frame)
    case .damage(let code):
      if input.limit.shouldStop { throw input.stopped() }
      noteDamage(code)
    case .end:
      if input.limit.shouldStop { throw input.stopped() }
      isAtEnd = true
      converter.drain(into: &samples)
      trim()
      noteEnd(context)
    }
  }

  private func append(_ frame: UnsafeMutablePointer<AVFrame>) {
    let result = converter.convert(frame, into: &samples)
    if result < 0 { noteDamage(result) }
    trim()
  }

  /// Throws away what comes before a seek's target, and what comes behind the end that the header gives.
  private func trim() {
    if framesToSkip > 0 {
      let dropped = min(framesToSkip, Int64(samples.count))
      samples.drop(Int(dropped))
      framesToSkip -= dropped
    }
    guard paddingLeft > 0, let total = timeline.frames else { return }
    let excess = position + Int64(samples.count) - total
    if excess > 0 {
      let dropped = min(excess, paddingLeft, Int64(samples.count))
      samples.truncate(to: samples.count - Int(dropped))
      if paddingLeft != .max { paddingLeft -= dropped }
    }
    if paddingLeft == .max, excess >= 0 { isAtEnd = true }
  }

  private func noteDamage(_ code: Int32) {
    guard damage == nil else { return }
    let words = FFmpegLibrary.message(ffmpeg, code)
    let time = Duration.frames(position + Int64(samples.count), rate: info.format.rate).secondsText
    damage = PlaybackFailure(
      .corrupt, "The file is damaged at about \(time) s (\(words)); what can be decoded is played.")
  }

  /// Corrects the length, and says so when much of it is missing.
  private func noteEnd(_ context: UnsafeMutablePointer<AVFormatContext>) {
    let end = position + Int64(samples.count)
    let ioError = context.pointee.pb?.pointee.error ?? 0
    let isEnd =
      ioError == afl_averror_eof || NetworkAccess.isUnannouncedEnd(ioError, of: context.pointee.pb, ffmpeg)
    if ioError < 0, !isEnd, damage == nil {
      damage = PlaybackFailure(
        input.source == nil ? .network : .notReadable,
        "Reading stopped before the end: \(FFmpegLibrary.message(ffmpeg, ioError)).")
    } else if damage == nil, let total = timeline.frames, let tolerance = timeline.lengthTolerance,
      total - end > tolerance
    {
      damage = .cutOff
    }
    info.frames = end
  }

  // MARK: Seeking

  var canSeek: Bool { input.canSeek }

  func seek(toFrame frame: Int64) throws(PlaybackFailure) -> Int64 {
    guard let context = input.context else { return position }
    heldFailure = nil
    let target = min(max(frame, 0), info.frames ?? StreamTimeline.mostFrames)
    input.limit.begin(seconds: FFmpegInput.readLimit)
    if target == info.frames, isLengthTrusted {
      samples.clear()
      framesToSkip = 0
      isAtEnd = true
      position = target
      return target
    }
    // A demuxer may land behind the target; then it is sent further back.
    for extra in [0, Int64(info.format.rate), Int64(info.format.rate) * 10, target] {
      guard let landed = try land(for: target, extra: extra, context) else { continue }
      if landed <= target || extra == target { return arrive(target, from: landed) }
    }
    throw PlaybackFailure(.unsupported, "This file or stream cannot be moved through.")
  }

  /// `true` when the end needs no decoding to be found.
  private var isLengthTrusted: Bool { timeline.isLengthKnown || info.frames != timeline.frames }

  /// Moves the demuxer to `frame` or before, and decodes one frame there.
  /// - Returns: the first frame decoded; `nil` when the demuxer cannot go there.
  private func land(
    for target: Int64, extra: Int64, _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(PlaybackFailure) -> Int64? {
    let sought = timeline.move(context, to: target, extra: extra, ffmpeg)
    if input.limit.shouldStop { throw input.stopped() }
    guard let sought else { return nil }
    decoder.flush()
    converter.reset()
    samples.clear()
    framesToSkip = 0
    isAtEnd = false
    position = target
    paddingLeft = timeline.padding
    while true {
      switch decoder.next(from: context) {
      case .frame(let decoded):
        let landed = timeline.frame(of: decoded, from: decoder) ?? sought
        let result = converter.convert(decoded, into: &samples)
        if result < 0 { noteDamage(result) }
        return landed
      case .damage(let code):
        if input.limit.shouldStop { throw input.stopped() }
        // A decoder that starts in the middle may stumble over its first packets.
        _ = code
      case .end:
        if input.limit.shouldStop { throw input.stopped() }
        isAtEnd = true
        return nil
      }
    }
  }

  private func arrive(_ target: Int64, from landed: Int64) -> Int64 {
    position = max(target, landed)
    framesToSkip = position - landed
    trim()
    return position
  }

  // MARK: Beside the sound

  func takeDamage() -> PlaybackFailure? {
    defer { damage = nil }
    return damage
  }

  func readArtwork() -> ArtworkImage? {
    guard let context = input.context else { return nil }
    return FFmpegMetadata.picture(context, ffmpeg)
  }
}
