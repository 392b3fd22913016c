import CAfterlockShims
import CFFmpeg

/// What a picture may cost.
enum ArtworkLimits {
  /// The longest file, or picture within a file, that is read.
  static let mostBytes = 32 << 20
  /// The largest picture that is decoded, as its header and then its decoder say.
  ///
  /// FFmpeg gets no block of more than 128 MB (`ffmpeg_loader.c`), so of the kinds that keep more than a byte a pixel in
  /// one block not all of these fit, and are then not shown.
  static let mostPixels = 100_000_000
  /// The most pixels that are gone over in all: a JPEG of few bytes may have scans without end.
  static let mostWork = 1_000_000_000
  /// A picture that is small enough in pixels is given out as it is up to this many bytes.
  static let mostBytesAsTheyAre = 1 << 20
}

/// Makes a picture small enough to be given out: a JPEG or a PNG whose longest side is bounded, and upright, since not
/// everybody who shows it looks at how a camera was held.
///
/// Runs on the thread that calls it, for as long as a second or two for the largest; no actor's thread is for that.
enum PictureScaler {
  /// A picture to be given out.
  struct Picture: Hashable, Sendable {
    let bytes: [UInt8]
    let kind: PictureKind
  }

  /// A JPEG stays one and a PNG stays one; of the other kinds those with alpha become PNG.
  ///
  /// - Parameter side: the longest side, in pixels; `nil` leaves it as it is.
  /// - Returns: `nil` for what is no picture, is not all there, is damaged or too large.
  static func fit(_ bytes: [UInt8], into side: Int?, shouldStop: () -> Bool = { false }) -> Picture? {
    guard bytes.count <= ArtworkLimits.mostBytes, let header = PictureHeader(bytes), header.isWhole else {
      return nil
    }
    let (pixels, isBeyond) = header.width.multipliedReportingOverflow(by: header.height)
    guard !isBeyond, pixels <= ArtworkLimits.mostPixels,
      pixels <= ArtworkLimits.mostWork / header.passes
    else { return nil }
    let isSmall = header.longestSide <= side ?? .max
    let asItIs =
      isSmall && (header.kind == .jpeg || header.kind == .png)
        && (side == nil || bytes.count <= ArtworkLimits.mostBytesAsTheyAre)
      ? Picture(bytes: bytes, kind: header.kind) : nil
    if let asItIs, !header.mayBeTurned { return asItIs }
    guard let ffmpeg = afl_ffmpeg_load(), let scaling = afl_swscale_load(), !shouldStop() else {
      return asItIs
    }
    let longest = min(header.longestSide, max(side ?? .max, 1))
    guard let decoded = decode(bytes, header, longest: longest, ffmpeg), !shouldStop() else { return asItIs }
    let turn = decoded.turn
    if let asItIs, turn == .none { return asItIs }
    let isOpaque = !hasAlpha(decoded.pixelFormat, ffmpeg)
    let kind: PictureKind = header.kind == .jpeg || header.kind != .png && isOpaque ? .jpeg : .png
    let size = scaled(header.width, header.height, longest: longest)
    let colours = isOpaque ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_RGBA
    let format = kind == .jpeg ? AV_PIX_FMT_YUVJ420P : colours
    guard let scaled = scale(decoded, to: size, format, ffmpeg, scaling),
      let upright = turn == .none ? scaled : turn.applied(to: scaled, ffmpeg), !shouldStop()
    else { return asItIs }
    return encode(upright, kind, ffmpeg).map { Picture(bytes: $0, kind: kind) }
  }

  /// The size with the same shape whose longer side is `longest`; no side is less than a pixel.
  static func scaled(_ width: Int, _ height: Int, longest: Int) -> (width: Int, height: Int) {
    let side = max(width, height)
    func part(_ length: Int) -> Int { max((length * longest + side / 2) / side, 1) }
    return (part(width), part(height))
  }

  // MARK: - FFmpeg

  private static func decode(
    _ bytes: [UInt8], _ header: PictureHeader, longest: Int, _ ffmpeg: FFmpeg
  ) -> PictureFrame? {
    guard let decoder = ffmpeg.pointee.avcodec_find_decoder(header.kind.codec),
      let codec = PictureCodec(decoder, ffmpeg), let frame = PictureFrame(ffmpeg)
    else { return nil }
    codec.context.pointee.max_pixels = Int64(ArtworkLimits.mostPixels)
    // A picture that is damaged half-way is not shown by half.
    codec.context.pointee.err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK
    // A JPEG's blocks can be decoded to a half, a quarter or an eighth: as small as still has pixels to choose from.
    var halvings: Int32 = 0
    while halvings < Int32(decoder.pointee.max_lowres), header.longestSide >> (halvings + 1) >= 2 * longest {
      halvings += 1
    }
    codec.context.pointee.lowres = halvings
    guard codec.open(), codec.send(header.kind == .png ? PictureHeader.pixelsOfPNG(bytes) : bytes),
      ffmpeg.pointee.avcodec_receive_frame(codec.context, frame.pointer) >= 0,
      frame.pointer.pointee.width > 0, frame.pointer.pointee.height > 0
    else { return nil }
    return frame
  }

  private static func hasAlpha(_ format: AVPixelFormat, _ ffmpeg: FFmpeg) -> Bool {
    guard let description = ffmpeg.pointee.av_pix_fmt_desc_get(format) else { return false }
    return description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
  }

  private static func scale(
    _ source: PictureFrame, to size: (width: Int, height: Int), _ format: AVPixelFormat, _ ffmpeg: FFmpeg,
    _ scaling: UnsafePointer<afl_swscale>
  ) -> PictureFrame? {
    guard let target = PictureFrame(ffmpeg) else { return nil }
    let from = source.pointer.pointee
    let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT
    guard
      let context = scaling.pointee.sws_getContext(
        from.width, from.height, source.pixelFormat, Int32(size.width), Int32(size.height), format, flags,
        nil, nil, nil)
    else { return nil }
    defer { scaling.pointee.sws_freeContext(context) }
    target.pointer.pointee.width = Int32(size.width)
    target.pointer.pointee.height = Int32(size.height)
    target.pointer.pointee.format = Int32(format.rawValue)
    guard scaling.pointee.sws_scale_frame(context, target.pointer, source.pointer) >= 0 else { return nil }
    return target
  }

  private static func encode(_ frame: PictureFrame, _ kind: PictureKind, _ ffmpeg: FFmpeg) -> [UInt8]? {
    guard let encoder = ffmpeg.pointee.avcodec_find_encoder(kind.codec),
      let codec = PictureCodec(encoder, ffmpeg)
    else { return nil }
    let context = codec.context
    context.pointee.width = frame.pointer.pointee.width
    context.pointee.height = frame.pointer.pointee.height
    context.pointee.pix_fmt = frame.pixelFormat
    context.pointee.time_base = AVRational(num: 1, den: 1)
    frame.pointer.pointee.pts = 0
    if kind == .jpeg {
      // From 1, the best, to 31.
      let quality = 3 * FF_QP2LAMBDA
      context.pointee.color_range = AVCOL_RANGE_JPEG
      context.pointee.flags |= AV_CODEC_FLAG_QSCALE
      context.pointee.global_quality = quality
      frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
      frame.pointer.pointee.quality = quality
    }
    guard codec.open(), ffmpeg.pointee.avcodec_send_frame(context, frame.pointer) >= 0 else { return nil }
    return codec.receive()
  }
}

extension PictureKind {
  fileprivate var codec: AVCodecID {
    switch self {
    case .jpeg: AV_CODEC_ID_MJPEG
    case .png: AV_CODEC_ID_PNG
    case .gif: AV_CODEC_ID_GIF
    case .webp: AV_CODEC_ID_WEBP
    case .bmp: AV_CODEC_ID_BMP
    }
  }
}

/// One decoder or encoder and its packet, freed with this object.
private final class PictureCodec {
  let context: UnsafeMutablePointer<AVCodecContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let codec: UnsafePointer<AVCodec>
  private let ffmpeg: FFmpeg

  init?(_ codec: UnsafePointer<AVCodec>, _ ffmpeg: FFmpeg) {
    guard let packet = ffmpeg.pointee.av_packet_alloc() else { return nil }
    guard let context = ffmpeg.pointee.avcodec_alloc_context3(codec) else {
      var unused: UnsafeMutablePointer<AVPacket>? = packet
      ffmpeg.pointee.av_packet_free(&unused)
      return nil
    }
    (self.context, self.packet, self.codec, self.ffmpeg) = (context, packet, codec, ffmpeg)
    // One thread is not in anybody's way.
    context.pointee.thread_count = 1
  }

  deinit {
    var (context, packet): (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVPacket>?) = (
      self.context, self.packet
    )
    ffmpeg.pointee.avcodec_free_context(&context)
    ffmpeg.pointee.av_packet_free(&packet)
  }

  func open() -> Bool { ffmpeg.pointee.avcodec_open2(context, codec, nil) >= 0 }

  /// Puts a whole picture in, copied, since a decoder reads some bytes beyond the end.
  func send(_ bytes: [UInt8]) -> Bool {
    guard ffmpeg.pointee.av_new_packet(packet, Int32(bytes.count)) >= 0 else { return false }
    defer { ffmpeg.pointee.av_packet_unref(packet) }
    packet.pointee.data.update(from: bytes, count: bytes.count)
    packet.pointee.flags |= AV_PKT_FLAG_KEY
    return ffmpeg.pointee.avcodec_send_packet(context, packet) >= 0
  }

  /// Takes a whole picture out.
  func receive() -> [UInt8]? {
    guard ffmpeg.pointee.avcodec_receive_packet(context, packet) >= 0 else { return nil }
    defer { ffmpeg.pointee.av_packet_unref(packet) }
    return Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
  }
}

/// A picture in memory, freed with this object.
final class PictureFrame {
  let pointer: UnsafeMutablePointer<AVFrame>
  let ffmpeg: FFmpeg

  init?(_ ffmpeg: FFmpeg) {
    guard let pointer = ffmpeg.pointee.av_frame_alloc() else { return nil }
    (self.pointer, self.ffmpeg) = (pointer, ffmpeg)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = self.pointer
    ffmpeg.pointee.av_frame_free(&pointer)
  }

  var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: .init(pointer.pointee.format)) }
}
