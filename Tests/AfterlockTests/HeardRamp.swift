import Afterlock
import AfterlockDesktop
import AfterlockTestSupport
import Testing

/// Compares a position with the last frame that a capture has: what lies between them is lost or heard twice.
func expectNear(
  _ position: Duration, _ last: Int64, sourceLocation: SourceLocation = #_sourceLocation
) {
  let difference = position - .frames(last + 1, rate: 48_000)
  #expect(
    difference <= .milliseconds(50) && difference >= .milliseconds(-50), "\(difference)",
    sourceLocation: sourceLocation)
}

extension LiveDesktop {
  /// The last frame of a ramp that the sink, which is gone, has had.
  func lastFrame() async throws -> Int64 { try await capture.lastFrame() }
}

extension SinkCapture {
  /// The last frame of a ramp that it has so far.
  func lastFrame() async throws -> Int64 {
    let heard = try soFar()
    return Int64(
      try #require(
        (0..<heard.frameCount).reversed().lazy.compactMap { Signals.frame(at: $0, of: heard) }.first))
  }
}

extension SinkCapture {
  /// Stops it and gives the first frame of the ramp that it has, and whether the sound began after the frame `begun`, so
  /// that none of it was missed; what it has must be of one piece.
  func heardRamp(from begun: Int) async throws -> (first: Int64, isFromStart: Bool) {
    let heard = try await stop()
    let place = try #require(
      (0..<heard.frameCount).first { Signals.frame(at: $0, of: heard) != nil }, "no sound came back")
    let frames = (place..<heard.frameCount).compactMap { Signals.frame(at: $0, of: heard) }
    let isOnePiece = frames == Array(frames[0]..<frames[0] + frames.count)
    #expect(isOnePiece)
    return (Int64(frames[0]), place > begun)
  }
}
