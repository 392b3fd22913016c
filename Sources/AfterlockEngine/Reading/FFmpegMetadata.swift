import AfterlockCore
import CAfterlockShims
import CFFmpeg
import Glibc

/// What FFmpeg read of a file's tags, and which stream is its picture.
struct FFmpegMetadata {
  let tags: MediaTags
  let picture: UnsafeMutablePointer<AVStream>?

  init(
    _ context: UnsafeMutablePointer<AVFormatContext>, stream: UnsafeMutablePointer<AVStream>,
    input: FFmpegInput
  ) {
    let ffmpeg = input.ffmpeg
    var collector = TagCollector()
    if let file = input.source?.file, let tag = ID3v2Tag(file, at: 0) { collector = tag.tags }
    // Ogg keeps the comments with the stream, other containers with the file.
    var other = TagCollector()
    for dictionary in [context.pointee.metadata, stream.pointee.metadata] {
      Self.each(dictionary, ffmpeg) { key, value in other.add(key: key, value: value, isJoined: true) }
    }
    collector.fill(from: other.tags)
    tags = collector.tags
    picture = Self.pictureStream(context, ffmpeg)
  }

  /// Calls `body` with each entry; values are cut where `TagCollector` would cut them anyway.
  static func each(
    _ dictionary: OpaquePointer?, _ ffmpeg: FFmpeg, _ body: (String, UnsafeRawBufferPointer) -> Void
  ) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    var count = 0
    while let next = ffmpeg.pointee.av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX), count < 4096 {
      entry = next
      count += 1
      guard let key = next.pointee.key, let value = next.pointee.value, strnlen(key, 256) < 256 else {
        continue
      }
      let length = strnlen(value, TagCollector.longestText + 1)
      body(String(cString: key), UnsafeRawBufferPointer(start: value, count: length))
    }
  }

  /// The picture's bytes, copied; `nil` when they are too many.
  static func picture(_ context: UnsafeMutablePointer<AVFormatContext>, _ ffmpeg: FFmpeg) -> ArtworkImage? {
    guard let stream = pictureStream(context, ffmpeg), let data = stream.pointee.attached_pic.data,
      Int(stream.pointee.attached_pic.size) <= ArtworkLimits.mostBytes
    else { return nil }
    let bytes = Array(UnsafeBufferPointer(start: data, count: Int(stream.pointee.attached_pic.size)))
    return ArtworkImage(bytes: bytes, mimeType: PictureKind(bytes)?.mimeType)
  }

  /// The front cover, or else the first attached picture.
  private static func pictureStream(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ ffmpeg: FFmpeg
  ) -> UnsafeMutablePointer<AVStream>? {
    var first: UnsafeMutablePointer<AVStream>?
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams?[index],
        stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0, stream.pointee.attached_pic.size > 0
      else { continue }
      if first == nil { first = stream }
      // What FFmpeg calls the picture types of ID3 and FLAC.
      if let entry = ffmpeg.pointee.av_dict_get(stream.pointee.metadata, "comment", nil, 0),
        let value = entry.pointee.value, String(cString: value) == "Cover (front)"
      {
        return stream
      }
    }
    return first
  }
}
