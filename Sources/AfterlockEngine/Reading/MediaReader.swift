public import AfterlockCore

/// An opened file that gives its sound frame by frame.
///
/// Not `Sendable`: it lives on the executor of the engine that opened it. Reads give 32-bit floats, interleaved, full
/// scale ±1, already trimmed as the file's header says (encoder delay and padding), at the file's own rate.
public protocol MediaReader: AnyObject {
  /// Format, length, tags: known once opened. `frames` is corrected when the end turns out to be elsewhere.
  var info: MediaInfo { get }
  /// Fills `buffer` (whole frames: its count is a multiple of the channels) as far as it can.
  /// - Returns: frames written; 0 only at the end.
  /// - Throws: what stopped it. A reader that can go on after damage does so and says it in `takeDamage()`.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> Int
  /// `false` where `seek` leads nowhere: a server sends no parts of a file, or a stream as it comes about.
  var canSeek: Bool { get }
  /// Goes to `frame`, clamped to 0…length. Returns the frame at which the next read begins: the same one where
  /// `info.isSeekExact`.
  func seek(toFrame frame: Int64) throws(PlaybackFailure) -> Int64
  /// The first damage met since the last call, for a message to the viewer.
  func takeDamage() -> PlaybackFailure?
  /// The embedded picture, read when asked for.
  func readArtwork() -> ArtworkImage?
  /// Makes a blocked network read return soon; the one call that is allowed from another thread.
  var interrupter: any MediaInterrupter { get }
  /// Lets go of the file; idempotent.
  func close()
}

extension MediaReader {
  /// Files can be moved through.
  public var canSeek: Bool { true }
}

/// Breaks off a read or an open that waits for the network.
public protocol MediaInterrupter: Sendable {
  func interrupt()
}
