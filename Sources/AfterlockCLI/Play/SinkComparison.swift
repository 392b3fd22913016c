/// Compares what a sink received with what was to be played, frame by frame and bit for bit, while both stream by.
///
/// Silence before the first sound and after the last frame belongs to the sink. Silence in between that the source does
/// not have is a gap; after a gap the comparison goes on, either where the source stopped (nothing was lost) or where
/// it would be by then (the frames of the gap were lost).
struct SinkComparison: Hashable, Sendable {
  /// Frames of the source.
  private(set) var sourceFrames = 0
  /// Frames from the first sound at the sink to the last one that belongs to the source.
  private(set) var equalFrames = 0
  /// Silences that the source does not have, and the longest of them.
  private(set) var gapCount = 0
  private(set) var longestGapFrames = 0
  /// The first frame of the source that is not as it should be; `nil` when all are.
  private(set) var firstDifference: Int?
  /// Frames with sound that came after the end of the source.
  private(set) var surplusFrames = 0
  /// The source has nothing but silence, which cannot be told from a sink that received nothing.
  private(set) var isSourceSilent = false

  /// Whether every frame came, in order, unchanged, and nothing else.
  var isEqual: Bool {
    !isSourceSilent && firstDifference == nil && gapCount == 0 && surplusFrames == 0 && sourceFrames > 0
  }

  init(source: FrameCursor, sink: FrameCursor) throws {
    // Both begin with their first sound: silence before it cannot be told from the sink's own.
    equalFrames = try source.passSilence()
    isSourceSilent = try source.isAtEnd
    if !isSourceSilent {
      _ = try sink.passSilence()
      try compare(source, sink)
    }
    sourceFrames = source.position
  }

  private mutating func compare(_ source: FrameCursor, _ sink: FrameCursor) throws {
    while true {
      equalFrames += try FrameCursor.passEqual(source, sink)
      if try source.isAtEnd { break }
      if try sink.isAtEnd {
        try lose(Int.max, of: source)
      } else if try sink.isSilent {
        try passGap(source, sink)
      } else {
        try lose(1, of: source)
        sink.advance()
      }
    }
    while try !sink.isAtEnd {
      if try sink.passSilence() == 0 {
        surplusFrames += 1
        sink.advance()
      }
    }
  }

  /// The sink is silent where the source is not.
  private mutating func passGap(_ source: FrameCursor, _ sink: FrameCursor) throws {
    let length = try sink.passSilence()
    // Silence to the end is no gap: the end is missing, and the frames say so.
    if try sink.isAtEnd { return }
    gapCount += 1
    longestGapFrames = max(longestGapFrames, length)
    let equal = try FrameCursor.passEqual(source, sink)
    equalFrames += equal
    if equal == 0 { try lose(length, of: source) }
  }

  private mutating func lose(_ frames: Int, of source: FrameCursor) throws {
    firstDifference = firstDifference ?? source.position
    var left = frames
    while left > 0, try !source.isAtEnd {
      source.advance()
      left -= 1
    }
  }
}
