/// What a file says of itself; every string is valid UTF-8 without NUL.
public struct MediaTags: Hashable, Sendable {
  /// Title of the track.
  public var title: String?
  /// Performers, each on its own.
  public var artists: [String] = []
  /// The album it is on.
  public var album: String?
  /// Whose album it is.
  public var albumArtists: [String] = []
  /// Who wrote it.
  public var composers: [String] = []
  /// Kinds of music.
  public var genres: [String] = []
  /// Free text.
  public var comment: String?
  /// A date as the file gives it, usually a year or ISO 8601.
  public var date: String?
  /// Position on the disc, from 1.
  public var trackNumber: Int?
  /// Disc of the album, from 1.
  public var discNumber: Int?

  /// No tags.
  public init() {}
}

/// What is known of an opened item.
public struct MediaInfo: Hashable, Sendable {
  /// The format it decodes to.
  public var format: AudioFormat
  /// Length in frames of `format.rate`, `nil` when unknown (a live stream).
  public var frames: Int64?
  /// A short name of the codec ("flac", "mp3", "pcm_s16le").
  public var codec: String
  /// `true` when a seek lands on the exact frame.
  public var isSeekExact: Bool
  /// What the file says of itself.
  public var tags: MediaTags
  /// `true` when a picture is embedded; it is artwork and never a video track.
  public var hasArtwork: Bool

  /// Length as time, `nil` when unknown.
  public var duration: Duration? { frames.map { .frames($0, rate: format.rate) } }

  /// What a reader found out.
  public init(
    format: AudioFormat, frames: Int64?, codec: String, isSeekExact: Bool, tags: MediaTags, hasArtwork: Bool
  ) {
    self.format = format
    self.frames = frames
    self.codec = codec
    self.isSeekExact = isSeekExact
    self.tags = tags
    self.hasArtwork = hasArtwork
  }
}

/// A picture, undecoded.
public struct ArtworkImage: Hashable, Sendable {
  /// The bytes of the picture file.
  public var bytes: [UInt8]
  /// "image/jpeg", "image/png", … or `nil` when the file does not say.
  public var mimeType: String?
  /// A file that holds the picture, for other programs to read; `nil` while there is none.
  public var file: MediaPath?

  /// A picture of these bytes.
  public init(bytes: [UInt8], mimeType: String?, file: MediaPath? = nil) {
    self.bytes = bytes
    self.mimeType = mimeType
    self.file = file
  }
}

extension Duration {
  /// The time that `count` frames take at `rate` frames a second, exact to the nanosecond.
  public static func frames(_ count: Int64, rate: Int) -> Duration {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: Int64(rate))
    return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(rate))
  }

  /// The nearest whole number of frames at `rate` frames a second; the last one there is for a time beyond it.
  public func frames(rate: Int) -> Int64 {
    let parts = bounded.components
    let fraction = (Double(parts.attoseconds) / 1e18 * Double(rate)).rounded()
    let (whole, isBeyond) = parts.seconds.multipliedReportingOverflow(by: Int64(rate))
    let (sum, isJustBeyond) = whole.addingReportingOverflow(Int64(fraction))
    return isBeyond || isJustBeyond ? parts.seconds < 0 ? .min : .max : sum
  }

  /// Seconds as a floating-point number.
  public var seconds: Double {
    let parts = bounded.components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  /// No longer than `components` can say, and so short that two can be added.
  var bounded: Duration { min(max(self, .seconds(Int64.min)), .seconds(Int64.max)) }

  /// Seconds to the nearest millisecond, as people read them: "0.279", "5".
  public var secondsText: String {
    let milliseconds = (seconds * 1000).rounded()
    // A Double of this size has no fraction, and may be no Int64.
    if milliseconds.magnitude > 1e18 { return String(seconds) }
    return milliseconds.remainder(dividingBy: 1000) == 0
      ? String(Int64(milliseconds / 1000)) : String(milliseconds / 1000)
  }
}
