import AfterlockCore

/// Where each time of a run is in a picture.
///
/// As long as they are, but for this: times that are close together are drawn so far apart that both can be read.
struct TimeAxis {
  /// All times that something is drawn at, in order.
  let times: [Duration]
  private let places: [Double]

  /// - Parameters:
  ///   - left: where the first time is.
  ///   - width: of the whole axis; more where the times need it.
  ///   - nearest: how far apart two times are at least.
  init(_ times: Set<Duration>, left: Double, width: Double, nearest: Double) {
    self.times = times.sorted()
    let gaps = zip(self.times, self.times.dropFirst()).map { ($1 - $0).seconds }
    let whole = gaps.reduce(0, +)
    let spare = max(0, width - nearest * Double(gaps.count))
    var place = left
    var places = [left]
    for gap in gaps {
      place += nearest + spare * (whole > 0 ? gap / whole : 0)
      places.append(place)
    }
    self.places = places
  }

  /// Where the last time is.
  var right: Double { places[places.count - 1] }

  /// The place of a time; between two times that are drawn, in proportion.
  func place(of time: Duration) -> Double {
    guard let next = times.firstIndex(where: { $0 >= time }) else { return right }
    guard next > 0, times[next] > time else { return places[next] }
    let part = (time - times[next - 1]).seconds / (times[next] - times[next - 1]).seconds
    return places[next - 1] + part * (places[next] - places[next - 1])
  }
}
