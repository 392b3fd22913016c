import AfterlockCore

/// What stands before the sound of a FLAC file: stream information, comments and pictures.
///
/// Read here and not through libFLAC or FFmpeg: the blocks are a type, a length and bytes, so a look at them costs a
/// few small reads, no library and no copy of the pictures, and keeps what libsndfile's ten strings leave out.
struct FlacMetadata {
  /// Frames in the whole stream, `nil` when the encoder did not know.
  var frames: Int64?
  var tags: MediaTags { collector.tags }
  /// The bits of WAVEFORMATEXTENSIBLE, from the comment of the same name.
  var channelMask: UInt32?
  var pictures: [EmbeddedPicture] = []

  /// `true` when the file ends before the sound begins.
  private(set) var isCutOff = true

  private var collector = TagCollector()

  /// The most bytes of comments that are read; FLAC allows 16 MiB in a block.
  private static let longestComments = 1 << 20
  /// The most comments that are read.
  private static let mostComments = 4_096
  /// Where blocks of comments begin, and what their first byte is.
  private var commentBlocks: [(offset: Int64, type: UInt8)] = []
  private var commentCount = 0
  private var commentBytes = 0

  /// Reads the blocks that begin at `start`, where "fLaC" stands.
  init(_ file: MediaFile, start: Int64) {
    var offset = start + 4
    for _ in 0..<256 {
      let header = file.bytes(at: offset, count: 4)
      guard header.count == 4 else { return }
      let length = header.bigEndian(at: 1, count: 3)
      offset += 4
      if header[0] & 0x7F == 4 {
        commentBlocks.append((offset - 4, header[0]))
        commentBytes += length
      }
      switch header[0] & 0x7F {
      case 0: readStreamInformation(file.bytes(at: offset, count: min(length, 34)))
      case 4: readComments(file.bytes(at: offset, count: min(length, Self.longestComments)))
      case 6: readPicture(file, at: offset, length: length)
      default: break
      }
      offset += Int64(length)
      if header[0] & 0x80 != 0 {
        isCutOff = offset >= file.size
        return
      }
    }
  }

  private mutating func readStreamInformation(_ block: [UInt8]) {
    let total = Int64(block.bigEndian(at: 13, count: 5)) & 0xF_FFFF_FFFF
    frames = total > 0 ? total : nil
  }

  private mutating func readComments(_ block: [UInt8]) {
    var index = 4 + block.littleEndian(at: 0, count: 4)
    let count = block.littleEndian(at: index, count: 4)
    index += 4
    commentCount += count
    for _ in 0..<min(count, Self.mostComments) {
      let length = block.littleEndian(at: index, count: 4)
      index += 4
      guard index < block.count else { break }
      let comment = block[index..<min(index + length, block.count)]
      index += length
      guard let equals = comment.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = String(decoding: comment[..<equals], as: UTF8.self)
      let value = comment[comment.index(after: equals)...]
      collector.add(key: key, value: value)
      if key.uppercased() == "WAVEFORMATEXTENSIBLE_CHANNEL_MASK" {
        let text = String(decoding: value.prefix(16), as: UTF8.self).lowercased()
        channelMask = UInt32(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, radix: 16)
      }
    }
  }

  /// Has `file` read with padding in the place of its comments, where there are more than are read here.
  ///
  /// libFLAC refuses a file with more than 100,000 of them, and FFmpeg takes minutes: for each it goes through all that it
  /// has.
  func hideEndlessComments(in file: MediaFile) {
    guard commentCount > Self.mostComments || commentBytes > Self.longestComments else { return }
    for block in commentBlocks { file.replace(at: block.offset, with: block.type & 0x80 | 1) }
  }

  private mutating func readPicture(_ file: MediaFile, at offset: Int64, length: Int) {
    guard pictures.count < 64 else { return }
    let head = file.bytes(at: offset, count: min(length, 2048))
    let mimeLength = head.bigEndian(at: 4, count: 4)
    guard mimeLength <= 256 else { return }
    let descriptionLength = head.bigEndian(at: 8 + mimeLength, count: 4)
    guard descriptionLength <= length else { return }
    let sizeAt = 8 + mimeLength + 4 + descriptionLength + 16
    let dataLength = file.bytes(at: offset + Int64(sizeAt), count: 4).bigEndian(at: 0, count: 4)
    guard dataLength > 0, sizeAt + 4 + dataLength <= length else { return }
    let mime = TagCollector.text(head[8..<(8 + mimeLength)])
    // "-->" says that the picture is only linked to.
    guard mime != "-->" else { return }
    pictures.append(
      EmbeddedPicture(
        kind: head.bigEndian(at: 0, count: 4), mimeType: mime, offset: offset + Int64(sizeAt + 4),
        length: dataLength))
  }

  /// Takes what is still missing from a tag that stands in front.
  mutating func fill(from tag: ID3v2Tag) {
    collector.fill(from: tag.tags.tags)
    pictures += tag.pictures
  }
}
