/// The one segment of a Matroska or WebM file, which holds all that is played.
enum MatroskaSegment {
  /// `true` when the segment's header gives a size and the file ends before that.
  ///
  /// A recording under way, or one that was sent as it came about, gives none: then only its end can tell.
  static func isTruncated(_ file: MediaFile) -> Bool {
    var offset: Int64 = 0
    // The EBML header, and perhaps something empty before the segment.
    for _ in 0..<4 {
      let bytes = file.bytes(at: offset, count: 12)
      guard let (id, idLength) = number(bytes[...], keepsMark: true),
        let (size, sizeLength) = number(bytes.dropFirst(idLength), keepsMark: false)
      else { return false }
      let start = offset + Int64(idLength + sizeLength)
      let isUnknown = size == (1 << (7 * sizeLength)) - 1
      if id == 0x1853_8067 { return !isUnknown && size > file.size - start }
      guard !isUnknown, size < file.size - start else { return false }
      offset = start + size
    }
    return false
  }

  /// A number of EBML: its length stands in the zeros before the first one.
  private static func number(_ bytes: ArraySlice<UInt8>, keepsMark: Bool) -> (value: Int64, length: Int)? {
    guard let first = bytes.first, first != 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard bytes.count >= length else { return nil }
    let lead = keepsMark ? first : first & (0xFF >> UInt8(length))
    return (bytes.dropFirst().prefix(length - 1).reduce(Int64(lead)) { $0 << 8 | Int64($1) }, length)
  }
}
