import AfterlockCore

/// The chunks of a WAV file (RIFF, RF64, BW64): where the sound is, whether all of it is there, and what it says of
/// itself.
///
/// libsndfile shortens a data chunk that is longer than the file without a word, so the truncation is seen here.
struct RiffLayout {
  /// `true` when the data chunk says that it is longer than the file.
  var isTruncated = false
  /// `true` when there is a data chunk at all.
  var hasData = false
  var tags = MediaTags()
  /// Pictures of an ID3 tag in a chunk.
  var pictures: [EmbeddedPicture] = []

  /// Looks at the chunk headers of a file that begins with a RIFF header of 12 bytes.
  init(_ file: MediaFile) {
    var collector = TagCollector()
    var tagged = TagCollector()
    var longDataSize: Int64?
    var offset: Int64 = 12
    for _ in 0..<1024 {
      let header = file.bytes(at: offset, count: 8)
      guard header.count == 8 else { break }
      var size = Int64(header.littleEndian(at: 4, count: 4))
      offset += 8
      if header.has("ds64", at: 0) {
        let sizes = file.bytes(at: offset, count: 24)
        longDataSize = Int64(clamping: sizes.littleEndian(at: 8, count: 8))
      } else if header.has("data", at: 0) {
        hasData = true
        if size == 0xFFFF_FFFF, let longDataSize { size = longDataSize }
        if size < 0 || size > file.size - offset {
          isTruncated = size < 0 || !Self.meansUnknown(size)
          break
        }
        // A length of 0 with bytes after it: the recorder never came back to write the length.
        if size == 0 { break }
      } else if header.has("LIST", at: 0) {
        Self.readList(file.bytes(at: offset, count: Int(min(size, 1 << 20))), into: &collector)
      } else if header.has("id3 ", at: 0) || header.has("ID3 ", at: 0) {
        if let tag = ID3v2Tag(file, at: offset) {
          tagged.fill(from: tag.tags.tags)
          pictures += tag.pictures
        }
      }
      guard size >= 0, size <= file.size else { break }
      offset += size + (size & 1)
    }
    // ID3 says more than the ten words of RIFF.
    tagged.fill(from: collector.tags)
    tags = tagged.tags
  }

  /// Lengths that programs write when they send sound into a pipe and cannot come back.
  private static func meansUnknown(_ size: Int64) -> Bool {
    size >= 0xFFFF_FF00 && size <= 0xFFFF_FFFF || size >= 0x7FFF_FF00 && size <= 0x8000_0000
  }

  private static func readList(_ list: [UInt8], into collector: inout TagCollector) {
    guard list.has("INFO", at: 0) else { return }
    var index = 4
    while index + 8 <= list.count {
      let size = list.littleEndian(at: index + 4, count: 4)
      let key: String? =
        switch String(decoding: list[index..<(index + 4)], as: UTF8.self) {
        case "INAM": "title"
        case "IART": "artist"
        case "IPRD", "IALB": "album"
        case "ICMT": "comment"
        case "ICRD": "date"
        case "IGNR": "genre"
        case "IMUS": "composer"
        case "ITRK", "IPRT", "TRCK": "track"
        default: nil
        }
      index += 8
      if let key { collector.add(key: key, value: list[index..<min(index + size, list.count)]) }
      index += size + (size & 1)
    }
  }
}
