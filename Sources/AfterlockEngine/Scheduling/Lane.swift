internal import AfterlockCore
internal import AfterlockRealtime
internal import Dispatch

/// One stream of one format with the ring that feeds it. There is more than one only while playback passes from a file of
/// one format to a file of another.
///
/// Called on: the engine's executor.
final class Lane {
  let format: AudioFormat
  let ring: SampleRing
  let stream: any AudioStream
  /// What the ring holds, oldest first; the first one is what is heard.
  var segments: [Segment] = []
  private(set) var isActive = false
  private var wakeSource: (any DispatchSourceRead)?

  /// Frames that are kept decoded ahead: two seconds, one where a second is large (7.1, 192 kHz).
  static func framesAhead(_ format: AudioFormat) -> Int {
    format.rate * format.channelCount > 400_000 ? format.rate : format.rate * 2
  }

  /// - Throws: what keeps it from ever being heard.
  init(
    format: AudioFormat, output: any AudioOutput, title: String?, fade: Duration, queue: DispatchQueue,
    woken: @escaping @Sendable () -> Void
  ) throws(PlaybackFailure) {
    self.format = format
    let ahead = Lane.framesAhead(format)
    ring = SampleRing(
      channelCount: format.channelCount, capacityFrames: ahead * 2,
      fadeFrames: Int(fade.frames(rate: format.rate)))
    guard ring.wakeDescriptor >= 0 else { throw FileDescriptors.failure(needed: 2) }
    ring.lowWaterFrames = ahead / 2
    stream = try output.makeStream(format: format, ring: ring, title: title)
    let source = DispatchSource.makeReadSource(fileDescriptor: ring.wakeDescriptor, queue: queue)
    source.setEventHandler(handler: woken)
    // The descriptor must not be closed, and its number given to another ring, before Dispatch has let go of it.
    let ring = ring
    source.setCancelHandler { withExtendedLifetime(ring) {} }
    source.activate()
    wakeSource = source
  }

  /// Frames that are written and not read, what a skip passes by left out.
  var pendingFrames: Int { Int(ring.writeIndex - max(ring.readIndex, segments.first?.startIndex ?? 0)) }

  /// Frames that may still be decoded before enough is ahead.
  var wantedFrames: Int { min(Lane.framesAhead(format) - pendingFrames, ring.writableFrames) }

  func setActive(_ active: Bool) {
    guard active != isActive else { return }
    isActive = active
    stream.setActive(active)
  }

  func close() {
    wakeSource?.cancel()
    wakeSource = nil
    stream.close()
  }

  deinit { close() }
}
