/// A time in which sound is heard without a silence.
typealias AudibleStretch = Range<ContinuousClock.Instant>

extension [AudibleStretch] {
  /// The stretches of all, overlapping ones joined, in order: whoever listens hears any of them.
  var joined: [AudibleStretch] {
    var joined: [AudibleStretch] = []
    for stretch in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.indices.last, joined[last].upperBound >= stretch.lowerBound {
        joined[last] = joined[last].lowerBound..<Swift.max(joined[last].upperBound, stretch.upperBound)
      } else {
        joined.append(stretch)
      }
    }
    return joined
  }
}
