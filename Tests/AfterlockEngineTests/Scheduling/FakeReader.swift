import AfterlockCore
import AfterlockEngine

/// Gives frames whose samples say which track and which frame they are: `track + frame / 2²⁰`, exact in a Float for
/// tracks below 8.
final class FakeReader: MediaReader {
  private(set) var info: MediaInfo
  private let track: Int
  private let length: Int64
  private let breaksAt: Int64?
  private let stall: (frame: Int64, gate: Gate)?
  private let interruption: ReadInterrupter
  private let closed: @Sendable () -> Void
  private var next: Int64 = 0
  private var isClosed = false
  /// A seek lands on a multiple of this.
  private let grain: Int64
  let canSeek: Bool
  /// From that frame on it has another format.
  private let change: (frame: Int64, format: AudioFormat)?

  init(
    track: Int, length: Int64, format: AudioFormat, breaksAt: Int64? = nil,
    stall: (frame: Int64, gate: Gate)? = nil, grain: Int64 = 1, canSeek: Bool = true, isLive: Bool = false,
    change: (frame: Int64, format: AudioFormat)? = nil,
    interrupter: ReadInterrupter = ReadInterrupter(), closed: @escaping @Sendable () -> Void = {}
  ) {
    self.stall = stall
    self.change = change
    self.grain = grain
    self.canSeek = canSeek
    self.closed = closed
    interruption = interrupter
    self.track = track
    self.length = length
    self.breaksAt = breaksAt
    var tags = MediaTags()
    tags.title = "Track \(track)"
    info = MediaInfo(
      format: format, frames: isLive ? nil : length, codec: "fake", isSeekExact: true, tags: tags,
      hasArtwork: false)
  }

  static func sample(track: Int, frame: Int64) -> Float { Float(track) + Float(frame) / 1_048_576 }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> Int {
    if let breaksAt, next >= breaksAt { throw PlaybackFailure(.corrupt, "broken at \(breaksAt)") }
    if let stall, next >= stall.frame {
      stall.gate.wait { interruption.isInterrupted }
      guard !interruption.isInterrupted else { throw PlaybackFailure(.network, "broken off") }
    }
    if let change, next >= change.frame { info.format = change.format }
    let channels = info.format.channelCount
    let frames = Int(min(Int64(buffer.count / channels), (breaksAt ?? length) - next))
    for frame in 0..<frames {
      for channel in 0..<channels {
        buffer[frame * channels + channel] = FakeReader.sample(track: track, frame: next + Int64(frame))
      }
    }
    next += Int64(frames)
    return frames
  }

  func seek(toFrame frame: Int64) throws(PlaybackFailure) -> Int64 {
    guard canSeek else { throw PlaybackFailure(.unsupported, "cannot seek") }
    next = min(max(frame, 0), length) / grain * grain
    return next
  }

  func takeDamage() -> PlaybackFailure? { nil }
  func readArtwork() -> ArtworkImage? { nil }
  var interrupter: any MediaInterrupter { Interrupter() }
  func close() {
    if !isClosed { closed() }
    isClosed = true
  }

  private struct Interrupter: MediaInterrupter {
    func interrupt() {}
  }
}
