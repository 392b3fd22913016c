import AfterlockCore
import Foundation

@testable import AfterlockEngine

/// A folder of pictures made by ffmpeg, and what ffprobe says of pictures.
extension SourceFolder {
  /// A picture with many edges; the name's ending decides its kind.
  @discardableResult
  func picture(_ name: String, _ width: Int, _ height: Int, _ options: [String] = []) throws -> [UInt8] {
    // The source has even sides.
    let source = "testsrc2=size=\(max(width + width % 2, 16))x\(max(height + height % 2, 16)):rate=1"
    try run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y", "-bitexact", "-f", "lavfi", "-i"]
        + ["\(source),crop=\(width):\(height):0:0:exact=1"]
        + ["-frames:v", "1", "-strict", "-2"] + options + ["-bitexact", name])
    return try bytes(of: name)
  }

  /// "mjpeg,64,48,yuvj420p": what ffprobe finds when it has decoded the picture, without a complaint.
  func probe(_ bytes: [UInt8]) throws -> String {
    try write(bytes, to: "probed")
    let found = try text(
      "ffprobe", "-v", "error", "-f", "image2pipe", "-show_entries", "stream=codec_name,width,height,pix_fmt",
      "-of", "csv=p=0", "probed")
    // A decoder that meets damage says so.
    let complaints = try text("ffmpeg", "-v", "warning", "-nostdin", "-i", "probed", "-f", "null", "-")
    return found + complaints
  }

  /// What a program prints, errors too.
  func text(_ program: String, _ arguments: String...) throws -> String {
    try run("sh", ["-c", "\"$@\" > printed 2>&1", "sh", program] + arguments)
    return String(decoding: try bytes(of: "printed"), as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  /// The pixels of a picture, four bytes each.
  func pixels(_ bytes: [UInt8]) throws -> [UInt8] {
    try write(bytes, to: "decoded")
    try run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y", "-i", "decoded", "-f", "rawvideo", "-pix_fmt", "rgba", "pixels"])
    return try self.bytes(of: "pixels")
  }
}

extension PictureScaler {
  /// "png 64 × 32" of what comes of a picture; `nil` when it is refused. Not the bytes, which a failure would print.
  static func size(_ bytes: [UInt8], into side: Int?) -> String? {
    fit(bytes, into: side).flatMap { picture in
      PictureHeader(picture.bytes).map { "\(picture.kind.suffix) \($0.width) × \($0.height)" }
    }
  }
}

/// Pictures that lie.
enum LyingPicture {
  /// A PNG that says it has so many pixels, and has one; its header's sum is right.
  static func png(_ width: Int, _ height: Int) -> [UInt8] {
    var bytes = TagWriter.png
    for (offset, number) in [(16, width), (20, height)] {
      for index in 0..<4 { bytes[offset + index] = UInt8(number >> (24 - 8 * index) & 0xFF) }
    }
    let sum = crc(bytes[12..<29])
    for index in 0..<4 { bytes[29 + index] = UInt8(sum >> (24 - 8 * index) & 0xFF) }
    return bytes
  }

  static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  /// A JPEG whose header says that it is of another size.
  static func jpeg(_ bytes: [UInt8], width: Int, height: Int) throws -> [UInt8] {
    var bytes = bytes
    guard let start = bytes.indices.first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }) else {
      throw Missing(what: "start of frame")
    }
    for (offset, number) in [(5, height), (7, width)] {
      bytes[start + offset] = UInt8(number >> 8)
      bytes[start + offset + 1] = UInt8(number & 0xFF)
    }
    return bytes
  }

  struct Missing: Error { let what: String }
}

/// A JPEG in ten scans, 64 × 48, red to the left and blue to the right; ffmpeg writes none.
enum ProgressivePicture {
  static let bytes = [UInt8](Data(base64Encoded: text.filter { $0 != "\n" }) ?? Data())

  private static let text = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1R
    V19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj
    Y2NjY2NjY2NjY2NjY2P/wgARCAAwAEADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAXAQEBAQEAAAAAAAAA
    AAAAAAAABgQF/9oADAMBAAIQAxAAAAGIZe6BGKidAsEvRARionQLBL0QEYqJ0D//xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oA
    CAEBAAEFAkP/xAAUEQEAAAAAAAAAAAAAAAAAAAAw/9oACAEDAQE/AU//xAAUEQEAAAAAAAAAAAAAAAAAAAAw/9oACAECAQE/
    AU//xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oACAEBAAY/AkP/xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oACAEBAAE/IUP/2gAM
    AwEAAgADAAAAEAQQAAQQAAQQAP/EABQRAQAAAAAAAAAAAAAAAAAAADD/2gAIAQMBAT8QT//EABQRAQAAAAAAAAAAAAAAAAAA
    ADD/2gAIAQIBAT8QT//EABQQAQAAAAAAAAAAAAAAAAAAAFD/2gAIAQEAAT8QQ//Z
    """
}
