/// Where in its list the player may be: ranges of frames on a ring, since the list is played again and again.
///
/// What is heard says it exactly; a command moves it; and while sound could not be heard it runs on.
struct LifePlace: Sendable, CustomStringConvertible {
  static let rate = 48_000
  /// Frames of a track, and of all of them.
  static let track = 60 * rate
  static let tracks = 3
  static let ring = track * tracks
  /// What may lie between the place that the player knows and what a capture has.
  static let slack = rate / 2
  /// Previous goes to the start of a track of which more has been heard.
  private static let restart = 3 * rate

  /// Each begins on the ring and may end beyond it.
  private(set) var ranges: [ClosedRange<Int>] = [0...0]

  /// At the frame that has been heard.
  mutating func hear(_ number: Int) { ranges = [number % Self.ring...number % Self.ring] }

  /// It may have played on for so long.
  mutating func runOn(frames: Int) { ranges = ranges.map { $0.lowerBound...$0.upperBound + frames } }

  func allows(_ number: Int) -> Bool {
    ranges.contains { range in
      let way = (number - range.lowerBound + Self.slack + Self.ring) % Self.ring
      return way <= range.count - 1 + 2 * Self.slack
    }
  }

  static func isMoved(by event: LifeEvent) -> Bool {
    switch event {
    case .command(.next), .command(.previous), .command(.stop), .seek: true
    default: false
    }
  }

  mutating func take(_ event: LifeEvent, isStopped: Bool) {
    switch event {
    case .command(.next): ranges = starts { $0 + 1 }
    case .command(.previous):
      let near = Self.restart - Self.slack...Self.restart + Self.slack
      ranges = pieces.flatMap { track, within in
        (within.upperBound >= near.lowerBound && !isStopped ? [Self.start(track)] : [])
          + (within.lowerBound <= near.upperBound || isStopped ? [Self.start(track - 1)] : [])
      }
    case .command(.stop): ranges = starts { $0 }
    case .seek(let seconds) where !isStopped:
      let way = seconds * Self.rate
      ranges = pieces.flatMap { track, within in
        let (low, high) = (max(within.lowerBound + way, 0), max(within.upperBound + way, 0))
        let start = track * Self.track
        // Beyond the end is the next track.
        return (low < Self.track ? [start + low...start + min(high, Self.track - 1)] : [])
          + (high > Self.track - Self.slack ? [Self.start(track + 1)] : [])
      }
    default: break
    }
  }

  /// The ranges within their tracks.
  private var pieces: [(track: Int, within: ClosedRange<Int>)] {
    ranges.flatMap { range in
      (range.lowerBound / Self.track...range.upperBound / Self.track).map { track in
        let start = track * Self.track
        return (
          track % Self.tracks,
          max(range.lowerBound - start, 0)...min(range.upperBound - start, Self.track - 1)
        )
      }
    }
  }

  private func starts(_ of: (Int) -> Int) -> [ClosedRange<Int>] {
    Set(pieces.map { of($0.track) }).sorted().map(Self.start)
  }

  private static func start(_ track: Int) -> ClosedRange<Int> {
    let start = (track + tracks) % tracks * Self.track
    return start...start
  }

  var description: String {
    ranges.map { "\(Self.seconds($0.lowerBound))–\(Self.seconds($0.upperBound)) s" }.joined(separator: " or ")
  }

  static func seconds(_ frame: Int) -> String {
    let hundredths = frame * 100 / rate
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
