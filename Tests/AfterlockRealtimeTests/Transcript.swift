/// What a producer did and what came out, and the laws that must hold between the two.
struct Transcript {
  struct Heard {
    var frame: HeardFrame
    /// The consumer's cycle in which it came.
    var cycle: Int
    /// Silence came between the frame before and this one.
    var followsSilence: Bool
  }

  let fadeFrames: Int
  /// The consumer's cycles that an order may take, its fade included.
  let patience: Int
  /// Ranges that are never to be heard, for certain.
  var cuts: [Range<Int64>] = []
  /// Skips at once: where to, and the cycle that was last begun when it was asked for.
  var skips: [(target: Int64, cycle: Int)] = []
  /// Pauses: the last cycle begun when it was asked for, and when the resume was.
  var pauses: [(cycle: Int, resumed: Int)] = []
  /// All that was written is [0, `written`).
  var written: Int64 = 0
  var heard: [Heard] = []

  /// The laws that are broken, in words; empty when all hold. At most a few, since one fault breaks many.
  func violations() -> [String] {
    var found: [String] = []
    var last = Heard(frame: HeardFrame(index: -1, gain: 1), cycle: 0, followsSilence: true)
    for item in heard {
      found += orderViolations(item, after: last)
      found += gainViolations(item, after: last)
      found += promptnessViolations(item)
      last = item
      if found.count > 4 { break }
    }
    return found
  }

  private var step: Float { fadeFrames == 0 ? 2 : 1.01 / Float(fadeFrames) }

  private func orderViolations(_ item: Heard, after last: Heard) -> [String] {
    let index = item.frame.index
    if index <= last.frame.index { return ["\(index) came after \(last.frame.index)"] }
    if index >= written { return ["\(index) was never written"] }
    if let cut = cuts.first(where: { $0.contains(index) }) {
      return ["\(index) was heard although \(cut) was cut"]
    }
    var next = afterCuts(last.frame.index + 1)
    // The last frame of a fade to silence has no loudness and is not in the transcript. It may be one that was written in
    // the place of others.
    if last.frame.gain <= step, next < index { next = afterCuts(next + 1) }
    if next < index, let skip = skips.map(\.target).filter({ $0 >= next && $0 <= index }).max() {
      next = afterCuts(skip)
    }
    return next < index ? ["\(next)..<\(index) was lost"] : []
  }

  private func gainViolations(_ item: Heard, after last: Heard) -> [String] {
    let (gain, before) = (item.frame.gain, last.frame.gain)
    if gain < 0 || gain > 1 { return ["\(item.frame.index) came at gain \(gain)"] }
    if item.followsSilence || abs(gain - before) <= step { return [] }
    // A jump begins when the old has faded away, or where there is no more of the old.
    let next = last.frame.index + 1
    if before <= step || cuts.contains(where: { $0.lowerBound == next }) { return [] }
    if skips.contains(where: { $0.target == next }) { return [] }
    return ["the gain jumps from \(before) to \(gain) at \(item.frame.index)"]
  }

  private func promptnessViolations(_ item: Heard) -> [String] {
    for skip in skips where item.cycle > skip.cycle + patience && item.frame.index < skip.target {
      return ["\(item.frame.index) was heard in cycle \(item.cycle), after \(skip)"]
    }
    for pause in pauses where item.cycle > pause.cycle + patience && item.cycle < pause.resumed {
      return ["\(item.frame.index) was heard in cycle \(item.cycle), in \(pause)"]
    }
    return []
  }

  private func afterCuts(_ index: Int64) -> Int64 {
    var index = index
    while let cut = cuts.first(where: { $0.contains(index) }) { index = cut.upperBound }
    return index
  }
}
