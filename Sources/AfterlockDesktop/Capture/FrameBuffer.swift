import Glibc

/// A view of interleaved samples as frames, with comparisons that stay fast without optimisation.
struct FrameBuffer {
  /// Samples per frame.
  let channels: Int
  /// The number of whole frames.
  let count: Int
  private let samples: UnsafePointer<Float>
  private static let zeros = [Float](repeating: 0, count: 8_192)

  /// Nil for a buffer without a single frame.
  init?(_ buffer: UnsafeBufferPointer<Float>, channels: Int) {
    guard let base = buffer.baseAddress, buffer.count >= channels else { return nil }
    self.channels = channels
    count = buffer.count / channels
    samples = base
  }

  private func isSilentBits(_ frame: Int, _ frames: Int) -> Bool {
    Self.zeros.withUnsafeBufferPointer { zeros in
      var offset = frame * channels
      var left = frames * channels
      while left > 0 {
        let part = min(left, zeros.count)
        guard memcmp(samples + offset, zeros.baseAddress!, part * 4) == 0 else { return false }
        offset += part
        left -= part
      }
      return true
    }
  }

  /// True if all samples of the frame are zero, of either sign.
  func isSilent(_ frame: Int) -> Bool {
    for index in frame * channels..<(frame + 1) * channels where samples[index] != 0 { return false }
    return true
  }

  /// The first frame that is not silent.
  func firstSound(from start: Int) -> Int? {
    var frame = start
    while frame < count {
      let block = min(1_024, count - frame)
      if isSilentBits(frame, block) {
        frame += block
        continue
      }
      for index in frame..<frame + block where !isSilent(index) { return index }
      frame += block
    }
    return nil
  }

  /// The last frame that is not silent.
  func lastSound() -> Int? {
    var end = count
    while end > 0 {
      let block = min(1_024, end)
      if !isSilentBits(end - block, block) {
        for index in (end - block..<end).reversed() where !isSilent(index) { return index }
      }
      end -= block
    }
    return nil
  }

  /// How many frames from this one on are silent.
  func silence(from frame: Int) -> Int {
    (firstSound(from: frame) ?? count) - frame
  }

  /// The next silent frame, or `end`.
  func nextSilence(from start: Int, to end: Int) -> Int {
    var index = start * channels
    var frame = start
    while frame < end {
      if samples[index] == 0 && isSilent(frame) { return frame }
      frame += 1
      index += channels
    }
    return end
  }

  /// How many frames of the range are not silent.
  func soundFrames(in range: Range<Int>) -> Int {
    var sum = 0
    var frame = range.lowerBound
    while frame < range.upperBound {
      let block = min(1_024, range.upperBound - frame)
      if !isSilentBits(frame, block) {
        for index in frame..<frame + block where !isSilent(index) { sum += 1 }
      }
      frame += block
    }
    return sum
  }

  /// True if all samples of the frames are equal within the tolerance.
  func isEqual(_ frame: Int, to other: FrameBuffer, at otherFrame: Int, frames: Int, tolerance: Float) -> Bool
  {
    let (a, b) = (samples + frame * channels, other.samples + otherFrame * channels)
    let wanted = frames * channels
    if memcmp(a, b, wanted * 4) == 0 { return true }
    var index = 0
    while index < wanted {
      // Written so that a NaN is never equal.
      guard abs(a[index] - b[index]) <= tolerance else { return false }
      index += 1
    }
    return true
  }

  /// How many frames from these places on are equal; notes the largest deviation.
  func equalFrames(
    _ frame: Int, to other: FrameBuffer, at otherFrame: Int, limit: Int, tolerance: Float,
    _ largest: inout Float
  ) -> Int {
    var done = 0
    while done < limit {
      let block = min(1_024, limit - done)
      let a = samples + (frame + done) * channels
      let b = other.samples + (otherFrame + done) * channels
      if memcmp(a, b, block * channels * 4) == 0 {
        done += block
        continue
      }
      var index = 0
      while index < block * channels {
        let deviation = abs(a[index] - b[index])
        guard deviation <= tolerance else { return done + index / channels }
        if deviation > largest { largest = deviation }
        index += 1
      }
      done += block
    }
    return done
  }

  /// The first place in the range at which this goes on as the other does at `otherFrame`.
  ///
  /// Near the end of the range fewer frames are left to compare, and those few decide.
  func firstMatch(
    of other: FrameBuffer, at otherFrame: Int, frames: Int, in range: Range<Int>, tolerance: Float
  ) -> Int? {
    guard other.count > otherFrame else { return nil }
    let wanted = other.samples[otherFrame * channels]
    var index = range.lowerBound * channels
    var frame = range.lowerBound
    while frame < range.upperBound {
      if abs(samples[index] - wanted) <= tolerance {
        let window = min(frames, range.upperBound - frame, other.count - otherFrame)
        if window > 2,
          isEqual(frame, to: other, at: otherFrame, frames: window, tolerance: tolerance)
        {
          return frame
        }
      }
      frame += 1
      index += channels
    }
    return nil
  }
}
