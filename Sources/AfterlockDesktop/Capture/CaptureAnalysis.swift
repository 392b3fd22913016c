/// Finds a source inside a capture and says what is missing, silent, repeated or different.
///
/// Pure functions. They look at memory directly, so that minutes of sound take well under a second in a debug build too.
///
/// The source should not repeat itself (noise, a ramp, music): after a fault, the place where it goes on is found by
/// comparing ``resyncWindow`` frames, and a sine has that many equal frames in many places. Silence at the ends of the
/// source cannot be told from silence, so the comparison goes from the source's first frame that is not silent to its
/// last.
public enum CaptureAnalysis {
  /// The tolerance for sound that was rounded to 24-bit integers on its way: 2⁻²³.
  public static let oneBitOf24: Float = 0x1p-23
  /// How many equal frames prove a place in the source.
  public static let resyncWindow = 32

  /// Compares a capture with its source.
  ///
  /// - Parameter tolerance: the largest difference of two samples that count as equal; 0 compares exactly (−0 equals 0).
  public static func compare(_ capture: SoundClip, with source: SoundClip, tolerance: Float = 0)
    -> CaptureReport
  {
    precondition(capture.channels == source.channels, "capture and source have different channel counts")
    return capture.samples.withUnsafeBufferPointer { captured in
      source.samples.withUnsafeBufferPointer { original in
        guard let originalFrames = FrameBuffer(original, channels: source.channels),
          let capturedFrames = FrameBuffer(captured, channels: source.channels)
        else {
          return CaptureReport(
            rate: source.rate, soundFrames: source.frameCount, trailingMissing: source.frameCount)
        }
        var comparison = Comparison(
          source: originalFrames, capture: capturedFrames, tolerance: tolerance, rate: source.rate)
        comparison.run()
        return comparison.report
      }
    }
  }

  /// Runs of sound, in order: frames that are not silent, without a silent one between them.
  public static func sounds(in clip: SoundClip) -> [Range<Int>] {
    clip.samples.withUnsafeBufferPointer { samples in
      guard let frames = FrameBuffer(samples, channels: clip.channels) else { return [] }
      var runs: [Range<Int>] = []
      var frame = 0
      while let first = frames.firstSound(from: frame) {
        frame = frames.nextSilence(from: first, to: frames.count)
        runs.append(first..<frame)
      }
      return runs
    }
  }

  /// Runs of exact silence between the first and the last frame that is not silent, longest first.
  ///
  /// For sound whose source is not at hand: a sine or noise has none.
  public static func silences(in clip: SoundClip, atLeast minimum: Int = 2) -> [Range<Int>] {
    clip.samples.withUnsafeBufferPointer { samples in
      guard let frames = FrameBuffer(samples, channels: clip.channels),
        let first = frames.firstSound(from: 0), let last = frames.lastSound()
      else { return [] }
      var runs: [Range<Int>] = []
      var frame = first
      while frame <= last {
        let length = frames.silence(from: frame)
        if length == 0 {
          frame = frames.nextSilence(from: frame, to: last + 1)
        } else {
          if length >= minimum { runs.append(frame..<frame + length) }
          frame += length
        }
      }
      return runs.sorted { $0.count > $1.count }
    }
  }
}

/// The walk through both sounds. `s` is a place in the source, `c` one in the capture.
private struct Comparison {
  let source: FrameBuffer
  let capture: FrameBuffer
  let tolerance: Float
  var report: CaptureReport

  init(source: FrameBuffer, capture: FrameBuffer, tolerance: Float, rate: Int) {
    self.source = source
    self.capture = capture
    self.tolerance = tolerance
    report = CaptureReport(rate: rate, soundFrames: 0)
  }

  mutating func run() {
    guard let start = source.firstSound(from: 0), let lastSound = source.lastSound() else {
      report.foreignFrames = capture.soundFrames(in: 0..<capture.count)
      return
    }
    let end = lastSound + 1
    report.soundFrames = end - start
    guard let first = capture.firstSound(from: 0), let lastHeard = capture.lastSound() else {
      report.trailingMissing = report.soundFrames
      return
    }
    let captureEnd = lastHeard + 1
    var c = first
    var s = start
    if !isPlace(s, c, end: end) {
      // The beginning is missing, or something else was heard first.
      if let found = find(c, from: start, end: end) {
        report.leadingMissing = found - start
        s = found
      } else if let later = capturePlace(of: start, from: c, captureEnd: captureEnd, end: end) {
        report.foreignFrames += capture.soundFrames(in: c..<later)
        c = later
      }
    }
    report.firstCaptureFrame = c
    report.lastCaptureFrame = lastHeard
    walk(s, c, end: end, captureEnd: captureEnd)
  }

  private mutating func walk(_ firstSource: Int, _ firstCapture: Int, end: Int, captureEnd: Int) {
    var (s, c) = (firstSource, firstCapture)
    while s < end && c < captureEnd {
      let equal = equalFrames(s, c, limit: min(end - s, captureEnd - c))
      report.receivedFrames += equal
      s += equal
      c += equal
      guard s < end, c < captureEnd else { break }

      let silent = min(capture.silence(from: c), captureEnd - c)
      if silent > 0 {
        report.gaps.append(.init(sourceFrame: s, captureFrame: c, frames: silent))
        c += silent
        // The player may have waited with the next frame, or have gone on unheard.
        if isPlace(s, c, end: end) { continue }
        if isPlace(s + silent, c, end: end) {
          report.insideMissing += silent
          s += silent
          continue
        }
      }
      if let found = find(c, from: s, end: end) {
        report.insideMissing += found - s
        s = found
      } else if let found = find(c, from: firstSource, end: s) {
        // Heard before: count how far it repeats, then go on where the repetition ends.
        let again = equalFrames(found, c, limit: min(s - found, captureEnd - c))
        report.repeatedFrames += again
        c += again
      } else {
        let different = differingFrames(s, c, limit: min(end - s, captureEnd - c))
        report.differingFrames += different
        s += different
        c += different
      }
    }
    report.trailingMissing = end - s
    report.foreignFrames += capture.soundFrames(in: c..<captureEnd)
  }

  /// True if the source goes on at `s` as the capture does at `c`.
  private func isPlace(_ s: Int, _ c: Int, end: Int) -> Bool {
    guard s < end, c < capture.count else { return false }
    let window = min(CaptureAnalysis.resyncWindow, end - s, capture.count - c)
    return source.isEqual(s, to: capture, at: c, frames: window, tolerance: tolerance)
  }

  /// The first place in the source, from `from` on, that goes on as the capture does at `c`.
  private func find(_ c: Int, from: Int, end: Int) -> Int? {
    // A shorter window than this proves nothing: one frame of 16-bit sound is found in many places.
    let window = min(CaptureAnalysis.resyncWindow, capture.count - c)
    guard window > 2, end - from > 2 else { return nil }
    return source.firstMatch(of: capture, at: c, frames: window, in: from..<end, tolerance: tolerance)
  }

  /// The first place in the capture that goes on as the source does at `s`.
  private func capturePlace(of s: Int, from: Int, captureEnd: Int, end: Int) -> Int? {
    capture.firstMatch(
      of: source, at: s, frames: min(CaptureAnalysis.resyncWindow, end - s), in: from..<captureEnd,
      tolerance: tolerance)
  }

  private mutating func equalFrames(_ s: Int, _ c: Int, limit: Int) -> Int {
    source.equalFrames(s, to: capture, at: c, limit: limit, tolerance: tolerance, &report.largestDeviation)
  }

  /// How many frames differ until 4 in a row are equal again, or silence begins; looks at 4,096 at most.
  private func differingFrames(_ s: Int, _ c: Int, limit: Int) -> Int {
    var frames = 1
    while frames < min(limit, 4_096) {
      let window = min(4, limit - frames)
      if source.isEqual(s + frames, to: capture, at: c + frames, frames: window, tolerance: tolerance) {
        return frames
      }
      if capture.silence(from: c + frames) >= 4 { return frames }
      frames += 1
    }
    return frames
  }
}
