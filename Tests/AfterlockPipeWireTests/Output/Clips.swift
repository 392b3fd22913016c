import AfterlockCore
import AfterlockDesktop
import AfterlockPipeWire
import AfterlockRealtime
import Testing

extension SoundClip {
  /// The first frame that is not silent.
  var firstFrame: Int? { samples.firstIndex { $0 != 0 }.map { $0 / channels } }
  /// The last frame that is not silent.
  var lastFrame: Int? { samples.lastIndex { $0 != 0 }.map { $0 / channels } }

  /// A stretch of it.
  func part(_ frames: Range<Int>) -> SoundClip {
    let range = frames.clamped(to: 0..<frameCount)
    return SoundClip(
      rate: rate, channels: channels,
      samples: Array(samples[range.lowerBound * channels..<range.upperBound * channels]))
  }

  /// How many frames from `start` on stay below a loudness.
  func quietFrames(after start: Int, below limit: Float) -> Int {
    var frame = start
    while frame < frameCount, (0..<channels).allSatisfy({ abs(samples[frame * channels + $0]) < limit }) {
      frame += 1
    }
    return frame - start
  }
}

extension RingPlayer {
  /// A second stream of another rate on the same output, held until this one's ring has been read.
  func following(rate: Int, clip: SoundClip) throws -> (ring: SampleRing, stream: any AudioStream) {
    let next = SampleRing(channelCount: clip.channels, capacityFrames: clip.frameCount, fadeFrames: 220)
    let positions = try #require(AudioFormat.usualPositions(channelCount: clip.channels))
    next.hold(until: ring)
    _ = next.write(upTo: clip.frameCount) { region in
      for index in 0..<region.count { region[index] = clip.samples[index] }
      return region.count / clip.channels
    }
    next.finish()
    return (
      next,
      try output.makeStream(format: AudioFormat(rate: rate, channels: positions), ring: next, title: "Next")
    )
  }
}
