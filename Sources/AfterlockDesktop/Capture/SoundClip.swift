/// A stretch of sound in memory: interleaved 32-bit floats.
public struct SoundClip: Sendable {
  /// Frames per second.
  public var rate: Int
  /// Samples per frame.
  public var channels: Int
  /// Interleaved samples, full scale ±1.
  public var samples: [Float]

  /// The number of whole frames.
  public var frameCount: Int { samples.count / channels }
  /// How long it lasts.
  public var duration: Duration { .seconds(Double(frameCount) / Double(rate)) }

  /// Makes a clip.
  public init(rate: Int, channels: Int, samples: [Float]) {
    precondition(channels > 0 && rate > 0, "a clip needs a rate and channels")
    self.rate = rate
    self.channels = channels
    self.samples = samples
  }

  /// Makes a clip from 16-bit samples, exactly as PipeWire converts them: divided by 32,768.
  public init(rate: Int, channels: Int, samples: [Int16]) {
    self.init(
      rate: rate, channels: channels,
      samples: [Float](unsafeUninitializedCapacity: samples.count) { buffer, count in
        samples.withUnsafeBufferPointer { source in
          for index in 0..<source.count {
            buffer.initializeElement(at: index, to: Float(source[index]) / 32_768)
          }
        }
        count = samples.count
      })
  }
}
