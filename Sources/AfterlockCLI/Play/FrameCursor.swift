/// Goes through interleaved samples frame by frame, holding one chunk of them at a time.
final class FrameCursor {
  /// Fills the buffer with the next samples, whole frames; empty at the end.
  typealias Refill = (inout [Float]) throws -> Void

  let channels: Int
  /// Frames passed so far.
  private(set) var position = 0
  private var chunk: [Float] = []
  private var index = 0
  private let refill: Refill

  init(channels: Int, _ refill: @escaping Refill) {
    self.channels = channels
    self.refill = refill
  }

  /// Frames that are at hand without reading; 0 only at the end.
  private func available() throws -> Int {
    if index == chunk.count {
      index = 0
      chunk.removeAll(keepingCapacity: true)
      try refill(&chunk)
    }
    return (chunk.count - index) / channels
  }

  var isAtEnd: Bool { get throws { try available() == 0 } }

  func advance(_ frames: Int = 1) {
    index += frames * channels
    position += frames
  }

  /// Passes frames of zeros; stops at the first sound or at the end.
  func passSilence() throws -> Int {
    var passed = 0
    while true {
      let frames = try available()
      if frames == 0 { return passed }
      var silent = 0
      while silent < frames, isSilent(silent) { silent += 1 }
      advance(silent)
      passed += silent
      if silent < frames { return passed }
    }
  }

  private func isSilent(_ frame: Int) -> Bool {
    let start = index + frame * channels
    for sample in start..<(start + channels) where chunk[sample] != 0 { return false }
    return true
  }

  /// Whether the frame at hand is silent.
  var isSilent: Bool { get throws { try available() > 0 && isSilent(0) } }

  /// Zeros of both signs are the same; what is no number is the same bit for bit.
  private static func isSame(_ a: Float, _ b: Float) -> Bool { a == b || a.bitPattern == b.bitPattern }

  /// Passes frames that are equal in both; returns their number.
  static func passEqual(_ a: FrameCursor, _ b: FrameCursor) throws -> Int {
    var passed = 0
    while true {
      let frames = min(try a.available(), try b.available())
      if frames == 0 { return passed }
      let samples = frames * a.channels
      var equal = 0
      a.chunk.withUnsafeBufferPointer { left in
        b.chunk.withUnsafeBufferPointer { right in
          while equal < samples, isSame(left[a.index + equal], right[b.index + equal]) { equal += 1 }
        }
      }
      let whole = equal / a.channels
      a.advance(whole)
      b.advance(whole)
      passed += whole
      if whole < frames { return passed }
    }
  }
}
