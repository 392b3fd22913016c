/// What a sink received of a source, frame by frame.
public struct CaptureReport: Sendable, Hashable, CustomStringConvertible {
  /// A run of exact silence inside the sound, at a place where the source is not silent.
  public struct Gap: Sendable, Hashable {
    /// The source's frame that should have been heard when the silence began.
    public var sourceFrame: Int
    /// The capture's frame at which it began.
    public var captureFrame: Int
    /// Its length in frames.
    public var frames: Int

    /// Makes a gap.
    public init(sourceFrame: Int, captureFrame: Int, frames: Int) {
      self.sourceFrame = sourceFrame
      self.captureFrame = captureFrame
      self.frames = frames
    }
  }

  /// Frames per second of both.
  public var rate: Int
  /// Frames of the source from its first that is not silent to its last.
  public var soundFrames: Int
  /// How many of them the sink received.
  public var receivedFrames = 0
  /// Frames missing at the beginning.
  public var leadingMissing = 0
  /// Frames missing at the end.
  public var trailingMissing = 0
  /// Frames missing elsewhere: dropped, not replaced by silence.
  public var insideMissing = 0
  /// Frames that were heard again.
  public var repeatedFrames = 0
  /// Frames that are neither silent nor the source's.
  public var differingFrames = 0
  /// Frames that are not silent although the source has not begun or has ended.
  public var foreignFrames = 0
  /// All runs of silence inside the sound, in order.
  public var gaps: [Gap] = []
  /// The capture's frame at which the sound begins; nil if nothing was heard.
  public var firstCaptureFrame: Int?
  /// The capture's frame at which the last sound was heard; nil if nothing was heard.
  public var lastCaptureFrame: Int?
  /// The largest difference between two samples that count as equal: 0 where all were compared exactly.
  public var largestDeviation: Float = 0

  /// Frames of the source that never arrived.
  public var missingFrames: Int { leadingMissing + insideMissing + trailingMissing }
  /// The longest gap in frames; 0 if there is none.
  public var longestGap: Int { gaps.map(\.frames).max() ?? 0 }
  /// The longest gap as a time.
  public var longestGapDuration: Duration { .seconds(Double(longestGap) / Double(rate)) }
  /// The frames of all gaps together.
  public var gapFrames: Int { gaps.reduce(0) { $0 + $1.frames } }
  /// True if the sink received the source: every frame, once, in order, without a gap, and nothing else.
  public var equalsSource: Bool {
    receivedFrames == soundFrames && missingFrames == 0 && gaps.isEmpty && repeatedFrames == 0
      && differingFrames == 0 && foreignFrames == 0
  }

  /// One line that says it all, and what is wrong where something is.
  public var description: String {
    var parts = ["received \(receivedFrames) of \(soundFrames) frames"]
    if leadingMissing > 0 { parts.append("\(leadingMissing) missing at the beginning") }
    if insideMissing > 0 { parts.append("\(insideMissing) missing inside") }
    if trailingMissing > 0 { parts.append("\(trailingMissing) missing at the end") }
    if let first = gaps.first {
      parts.append("\(gaps.count) gaps, longest \(longestGap) frames, first at frame \(first.sourceFrame)")
    }
    if repeatedFrames > 0 { parts.append("\(repeatedFrames) repeated") }
    if differingFrames > 0 { parts.append("\(differingFrames) different") }
    if foreignFrames > 0 { parts.append("\(foreignFrames) foreign") }
    if equalsSource { parts.append("equals the source") }
    return parts.joined(separator: ", ")
  }
}
