import AfterlockRealtime

/// A frame as it came out: which one it is and how loud.
///
/// The two channels of a marked frame carry 1 and its own number (its index, unless another is given), so that a factor on both leaves their ratio alone.
struct HeardFrame: Hashable {
  var index: Int64
  var gain: Float
}

extension SampleRing {
  /// Writes up to `count` marked frames, numbered from `number`; gives how many went in.
  @discardableResult
  func writeMarked(_ count: Int, from number: Int64? = nil) -> Int {
    let number = number ?? writeIndex
    var total = 0
    while total < count {
      let first = number + Int64(total)
      let done = write(upTo: count - total) { buffer in
        for frame in 0..<buffer.count / 2 {
          buffer[frame * 2] = 1
          buffer[frame * 2 + 1] = Float(first + Int64(frame))
        }
        return buffer.count / 2
      }
      if done == 0 { break }
      total += done
    }
    return total
  }

  /// Renders one cycle: `nil` for each frame of silence.
  func renderMarked(_ count: Int, cycle: UInt64 = 0) -> [HeardFrame?] {
    var output = [Float](repeating: 99, count: count * 2)
    output.withUnsafeMutableBufferPointer { _ = render(into: $0.baseAddress!, frames: count, cycle: cycle) }
    return (0..<count).map { frame in
      let gain = output[frame * 2]
      // A marked frame at gain 0 is silence like any other.
      guard gain != 0 else { return nil }
      return HeardFrame(index: Int64((output[frame * 2 + 1] / gain).rounded()), gain: gain)
    }
  }

  /// The numbers of the frames that one cycle gives, without its silence.
  func indices(_ count: Int, cycle: UInt64 = 0) -> [Int64] {
    renderMarked(count, cycle: cycle).compactMap { $0?.index }
  }
}
