/// Judges what one sink has had between two moments of rest.
enum LifeJudge {
  enum Law: String, Sendable {
    case noStartWithoutWish = "nothing starts without a wish, or against what holds it"
    case noSoundWithoutWish = "nothing is heard without a wish, or against what holds it"
    case noSilenceAgainstWish = "nothing is silent against the wish once its cause is gone"
    case rightPlace = "what is heard is what is wished for"
  }

  /// Where sound is to be at the sink.
  struct Stretch: Sendable {
    /// At the rest before.
    var before: Bool
    /// At some time between the two.
    var between = false
    /// At the rest after.
    var after: Bool
    /// How many frames at its end belong to the rest.
    var rest = 0
  }

  /// A busy machine may hold up the sound for so many frames; sound after a longer silence has been started.
  static let longestHole = 12_000

  /// The law that is broken, if one is.
  /// - Parameters:
  ///   - pieces: the sound, in order.
  ///   - end: how far the capture has been read.
  static func judge(_ pieces: [HeardPiece], to end: Int, _ stretch: Stretch) -> Law? {
    if stretch.after || stretch.between { return nil }
    guard let last = pieces.last else { return nil }
    guard stretch.before else { return .noStartWithoutWish }
    if zip(pieces, pieces.dropFirst()).contains(where: { isStart($1, after: $0) }) {
      return .noStartWithoutWish
    }
    return last.place.upperBound > end - stretch.rest ? .noSoundWithoutWish : nil
  }

  private static func isStart(_ piece: HeardPiece, after last: HeardPiece) -> Bool {
    piece.place.lowerBound - last.place.upperBound > longestHole
  }
}
