import AfterlockCore

/// What a container says of its own trimming, where FFmpeg does not hand it on exactly.
///
/// Read from the file beside FFmpeg; a few small reads each.
struct TrimmedLength: Equatable {
  /// Units of the stream's own time that come before the sound: priming, encoder delay.
  var start: Int64
  /// Units of sound.
  var length: Int64
  /// Units a second.
  var unit: Int64
}

/// The time boxes of MP4, M4A and MOV.
///
/// FFmpeg takes the edit list's length, which stands in milliseconds in most files, for the end of the sound, leaves the
/// padding of the last packet in and may drop a last packet of a few samples. The media header has the exact sum.
struct MP4Timing {
  /// By track number.
  private(set) var tracks: [Int32: TrimmedLength] = [:]
  /// `true` when a track is cut together from several places, which is left to FFmpeg.
  private(set) var hasComplexEdits = false

  private let file: MediaFile
  private var movieUnit: Int64 = 0
  private var boxesLeft = 4096

  init(_ file: MediaFile) {
    self.file = file
    forEachBox(from: 0, to: file.size) { timing, type, body in
      guard type == "moov" else { return }
      timing.forEachBox(from: body.lowerBound, to: body.upperBound) { timing, type, body in
        switch type {
        case "mvhd":
          let header = timing.file.bytes(at: body.lowerBound, count: 32)
          timing.movieUnit = Int64(header.bigEndian(at: header.first == 1 ? 20 : 12, count: 4))
        case "trak": timing.readTrack(body)
        default: break
        }
      }
    }
  }

  private mutating func forEachBox(
    from start: Int64, to end: Int64, _ visit: (inout MP4Timing, String, Range<Int64>) -> Void
  ) {
    var offset = start
    while offset + 8 <= end, boxesLeft > 0 {
      boxesLeft -= 1
      let head = file.bytes(at: offset, count: 16)
      guard head.count >= 8 else { return }
      var size = Int64(head.bigEndian(at: 0, count: 4))
      var headSize: Int64 = 8
      if size == 1 {
        size = Int64(head.bigEndian(at: 8, count: 8))
        headSize = 16
      } else if size == 0 {
        size = end - offset
      }
      guard size >= headSize, size <= end - offset else { return }
      visit(&self, String(decoding: head[4..<8], as: UTF8.self), (offset + headSize)..<(offset + size))
      offset += size
    }
  }

  private struct Track {
    var id: Int32 = 0
    var unit: Int64 = 0
    var duration: Int64 = 0
    var edits: [(duration: Int64, start: Int64, rate: Int)] = []
  }

  private mutating func readTrack(_ body: Range<Int64>) {
    var track = Track()
    forEachBox(from: body.lowerBound, to: body.upperBound) { timing, type, body in
      switch type {
      case "tkhd":
        let header = timing.file.bytes(at: body.lowerBound, count: 24)
        track.id = Int32(truncatingIfNeeded: header.bigEndian(at: header.first == 1 ? 20 : 12, count: 4))
      case "edts", "mdia":
        timing.forEachBox(from: body.lowerBound, to: body.upperBound) { timing, type, body in
          if type == "elst" { track.edits = timing.readEdits(body) }
          guard type == "mdhd" else { return }
          let header = timing.file.bytes(at: body.lowerBound, count: 32)
          let isLong = header.first == 1
          track.unit = Int64(header.bigEndian(at: isLong ? 20 : 12, count: 4))
          track.duration = Int64(
            isLong ? header.bigEndian(at: 24, count: 8) : header.bigEndian(at: 16, count: 4))
        }
      default: break
      }
    }
    add(track)
  }

  private func readEdits(_ body: Range<Int64>) -> [(duration: Int64, start: Int64, rate: Int)] {
    let list = file.bytes(at: body.lowerBound, count: 8 + 16 * 20)
    let isLong = list.first == 1
    let size = isLong ? 20 : 12
    return (0..<min(list.bigEndian(at: 4, count: 4), 16)).map { index in
      let at = 8 + index * size
      if isLong {
        return (
          Int64(list.bigEndian(at: at, count: 8)), Int64(list.bigEndian(at: at + 8, count: 8)),
          list.bigEndian(at: at + 16, count: 2)
        )
      }
      let start = Int32(truncatingIfNeeded: list.bigEndian(at: at + 4, count: 4))
      return (Int64(list.bigEndian(at: at, count: 4)), Int64(start), list.bigEndian(at: at + 8, count: 2))
    }
  }

  private mutating func add(_ track: Track) {
    // A length of 0 or of all ones: the sound stands in fragments.
    guard track.unit > 0, track.duration > 0, track.duration < Int64(Int32.max) << 20,
      track.duration != 0xFFFF_FFFF
    else { return }
    // A first edit of start -1 is a pause before the track, which FFmpeg leaves out as well.
    let edits = track.edits.first?.start == -1 ? Array(track.edits.dropFirst()) : track.edits
    guard let edit = edits.first else {
      tracks[track.id] = TrimmedLength(start: 0, length: track.duration, unit: track.unit)
      return
    }
    guard edits.count == 1, edit.rate == 1, edit.duration >= 0, (0..<track.duration).contains(edit.start),
      movieUnit > 0
    else {
      hasComplexEdits = true
      return
    }
    let rest = track.duration - edit.start
    // The edit's length is rounded to the movie's unit: within two of them it means all of the rest.
    let (edited, overflow) = edit.duration.multipliedReportingOverflow(by: track.unit)
    let isAll =
      edit.duration == 0 || overflow || abs(edited / movieUnit - rest) <= 2 * track.unit / movieUnit + 1
    let length = isAll ? rest : min(edited / movieUnit, rest)
    tracks[track.id] = TrimmedLength(start: edit.start, length: length, unit: track.unit)
  }

  /// iTunes' own note in a comment: " 00000000 00000840 000001CA 00000000003F31F6": unused, priming, padding, frames.
  static func iTunesNote(_ text: String, unit: Int64) -> TrimmedLength? {
    let fields = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
    guard fields.count == 4, let start = fields[1], let length = fields[3], start >= 0, start < 16384,
      length > 0
    else { return nil }
    return TrimmedLength(start: start, length: length, unit: unit)
  }
}

/// The packet table of a CAF file: FFmpeg adds priming and padding to its length and trims neither.
enum CafTiming {
  /// `true` when the data chunk says that it is longer than the file.
  static func isTruncated(_ file: MediaFile) -> Bool {
    var offset: Int64 = 8
    for _ in 0..<256 {
      let header = file.bytes(at: offset, count: 12)
      guard header.count == 12 else { return false }
      let size = Int64(truncatingIfNeeded: header.bigEndian(at: 4, count: 8))
      offset += 12
      // -1 is the length that a recorder did not come back to write.
      if size < 0 || size > file.size - offset { return size >= 0 }
      offset += size
    }
    return false
  }

  static func read(_ file: MediaFile, rate: Int) -> TrimmedLength? {
    var offset: Int64 = 8
    for _ in 0..<256 {
      let header = file.bytes(at: offset, count: 12)
      guard header.count == 12 else { return nil }
      let size = Int64(truncatingIfNeeded: header.bigEndian(at: 4, count: 8))
      offset += 12
      if header.has("pakt", at: 0) {
        let table = file.bytes(at: offset, count: 24)
        let valid = Int64(truncatingIfNeeded: table.bigEndian(at: 8, count: 8))
        let priming = Int64(table.bigEndian(at: 16, count: 4))
        guard valid > 0, priming < 1 << 20 else { return nil }
        return TrimmedLength(start: priming, length: valid, unit: Int64(rate))
      }
      guard size >= 0, size <= file.size - offset else { return nil }
      offset += size
    }
    return nil
  }
}

/// The pages of an Ogg file.
enum OggPages {
  /// `true` for a file of one stream so short that its sound may stand on one page, whose end FFmpeg does not trim.
  static func isOneShortStream(_ file: MediaFile) -> Bool {
    guard file.size <= 128 << 10 else { return false }
    let bytes = file.bytes(at: 0, count: Int(file.size))
    let beginnings = bytes.indices.filter {
      bytes[$0] == 0x4F && bytes.has("OggS", at: $0) && bytes.has("\u{0}\u{2}", at: $0 + 4)
    }
    return beginnings == [0]
  }

  /// `true` when the file ends within a page, or within a packet that goes on in the next page.
  ///
  /// A length stands nowhere in the file. The mark of the last page does not tell, since recordings of a station end
  /// without it, after all that was sent.
  static func isTruncated(_ file: MediaFile) -> Bool {
    // A page has 65,307 bytes at most, so the beginning of the last one is in here.
    let bytes = file.bytes(at: max(file.size - 131_072, 0), count: 131_072)
    guard let start = bytes.indices.last(where: { bytes[$0] == 0x4F && bytes.has("OggS", at: $0) }) else {
      return false
    }
    let table = start + 27
    guard table <= bytes.count, table + Int(bytes[start + 26]) <= bytes.count else { return true }
    let sizes = bytes[table..<(table + Int(bytes[start + 26]))]
    let end = sizes.endIndex + sizes.reduce(0) { $0 + Int($1) }
    guard end <= bytes.count else { return true }
    let isLast = bytes[start + 5] & 4 != 0
    let rest = bytes[end...]
    return !isLast && sizes.last == 255 || !rest.isEmpty && "OggS".utf8.starts(with: rest)
  }
}
