import CAfterlockShims
import CFFmpeg

/// How a stored picture is to be turned and mirrored to be upright: the eight ways of EXIF. A value.
struct PictureTurn: Hashable, Sendable {
  /// From right to left.
  let mirrorsColumns: Bool
  /// From bottom to top.
  let mirrorsRows: Bool
  /// Rows become columns; this comes last.
  let swapsSides: Bool

  /// Upright as it is.
  static let none = Self(mirrorsColumns: false, mirrorsRows: false, swapsSides: false)

  private init(mirrorsColumns: Bool, mirrorsRows: Bool, swapsSides: Bool) {
    (self.mirrorsColumns, self.mirrorsRows, self.swapsSides) = (mirrorsColumns, mirrorsRows, swapsSides)
  }

  /// By the matrix that FFmpeg gives with a frame, in which a place (x, y) of the stored picture is shown at
  /// (ax + cy, bx + dy); ``none`` for one that is no turn by a right angle.
  init(a: Int32, b: Int32, c: Int32, d: Int32) {
    if b == 0, c == 0, a != 0, d != 0 {
      self.init(mirrorsColumns: a < 0, mirrorsRows: d < 0, swapsSides: false)
    } else if a == 0, d == 0, b != 0, c != 0 {
      self.init(mirrorsColumns: b < 0, mirrorsRows: c < 0, swapsSides: true)
    } else {
      self = .none
    }
  }

  /// The picture upright; every plane of it has whole bytes for each of its pixels.
  /// - Returns: `nil` where there is no memory, or nothing is known of the picture's kind.
  func applied(to source: PictureFrame, _ ffmpeg: FFmpeg) -> PictureFrame? {
    guard let target = PictureFrame(ffmpeg),
      let kind = ffmpeg.pointee.av_pix_fmt_desc_get(source.pixelFormat)?.pointee
    else { return nil }
    let from = source.pointer.pointee
    target.pointer.pointee.width = swapsSides ? from.height : from.width
    target.pointer.pointee.height = swapsSides ? from.width : from.height
    target.pointer.pointee.format = from.format
    guard ffmpeg.pointee.av_frame_get_buffer(target.pointer, 0) >= 0 else { return nil }
    let to = target.pointer.pointee
    let isPlanar = kind.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0
    let planes =
      [(from.data.0, from.linesize.0, to.data.0, to.linesize.0)]
      + (isPlanar
        ? [
          (from.data.1, from.linesize.1, to.data.1, to.linesize.1),
          (from.data.2, from.linesize.2, to.data.2, to.linesize.2),
        ] : [])
    for (index, plane) in planes.enumerated() {
      guard let stored = plane.0, let upright = plane.2 else { return nil }
      // Both sides of a plane of colours are halved, so that it can be turned as it is.
      func length(_ side: Int32, _ shift: UInt8) -> Int {
        index == 0 ? Int(side) : (Int(side) + (1 << Int(shift)) - 1) >> Int(shift)
      }
      turn(
        stored, stride: Int(plane.1), width: length(from.width, kind.log2_chroma_w),
        height: length(from.height, kind.log2_chroma_h), step: Int(kind.comp.0.step), into: upright,
        stride: Int(plane.3))
    }
    return target
  }

  /// - Parameter step: bytes a pixel.
  private func turn(
    _ stored: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, step: Int,
    into upright: UnsafeMutablePointer<UInt8>, stride uprightStride: Int
  ) {
    for row in 0..<height {
      let y = mirrorsRows ? height - 1 - row : row
      for column in 0..<width {
        let x = mirrorsColumns ? width - 1 - column : column
        let target = upright + (swapsSides ? x * uprightStride + y * step : y * uprightStride + x * step)
        target.update(from: stored + row * stride + column * step, count: step)
      }
    }
  }
}

extension PictureFrame {
  /// What the picture says of itself.
  var turn: PictureTurn {
    guard let data = ffmpeg.pointee.av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX),
      data.pointee.size >= 9 * MemoryLayout<Int32>.size
    else { return .none }
    let bytes = UnsafeRawPointer(data.pointee.data)
    func number(_ index: Int) -> Int32 {
      bytes?.loadUnaligned(fromByteOffset: index * 4, as: Int32.self) ?? 0
    }
    return PictureTurn(a: number(0), b: number(1), c: number(3), d: number(4))
  }
}
