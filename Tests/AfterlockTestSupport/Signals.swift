import AfterlockCore
public import AfterlockDesktop

/// Test signals: deterministic, the same on every machine.
public enum Signals {
  /// Noise whose samples are never zero, as 16-bit integers; every stretch of it occurs once.
  ///
  /// - Parameter amplitude: the largest absolute value, from 1 to 32,767.
  public static func noise16(frames: Int, channels: Int = 2, seed: UInt64 = 1, amplitude: Int = 16_000)
    -> [Int16]
  {
    var generator = SeededGenerator(seed: seed)
    let range = UInt64(2 * amplitude)
    return (0..<frames * channels).map { _ in
      let value = Int((generator.next() >> 16) % range) - amplitude
      return Int16(value >= 0 ? value + 1 : value)
    }
  }

  /// The same noise as a clip.
  public static func noise(
    frames: Int, rate: Int = 48_000, channels: Int = 2, seed: UInt64 = 1, amplitude: Int = 16_000
  ) -> SoundClip {
    SoundClip(
      rate: rate, channels: channels,
      samples: noise16(frames: frames, channels: channels, seed: seed, amplitude: amplitude))
  }

  /// Silence.
  public static func silence(frames: Int, rate: Int = 48_000, channels: Int = 2) -> SoundClip {
    SoundClip(rate: rate, channels: channels, samples: [Float](repeating: 0, count: frames * channels))
  }

  /// A sine, equal in all channels, computed in double precision.
  public static func sine(
    frames: Int, frequency: Double = 440, rate: Int = 48_000, channels: Int = 2, amplitude: Double = 0.5
  ) -> SoundClip {
    var samples = [Float](repeating: 0, count: frames * channels)
    samples.withUnsafeMutableBufferPointer { samples in
      for frame in 0..<frames {
        let value = Float(amplitude * sine(turns: frequency * Double(frame) / Double(rate)))
        for channel in 0..<channels { samples[frame * channels + channel] = value }
      }
    }
    return SoundClip(rate: rate, channels: channels, samples: samples)
  }

  /// A ramp that tells which frame was heard: the first two channels hold the digits of frame + 1, base 16,384.
  ///
  /// Exact in 16 bits and never silent; needs two channels. See ``frame(at:of:)``.
  public static func ramp16(frames: Int, channels: Int = 2, from first: Int = 0) -> [Int16] {
    precondition(channels >= 2, "a ramp needs two channels for its digits")
    var samples = [Int16](repeating: 1, count: frames * channels)
    samples.withUnsafeMutableBufferPointer { samples in
      for frame in 0..<frames {
        let number = first + frame + 1
        samples[frame * channels] = Int16(number & 0x3fff) + 1
        samples[frame * channels + 1] = Int16((number >> 14) & 0x3fff) + 1
      }
    }
    return samples
  }

  /// The ramp as a clip.
  public static func ramp(frames: Int, rate: Int = 48_000, channels: Int = 2, from first: Int = 0)
    -> SoundClip
  {
    SoundClip(
      rate: rate, channels: channels, samples: ramp16(frames: frames, channels: channels, from: first))
  }

  /// The ramp's frame number that a capture holds at a place; nil for silence and for what is no ramp.
  public static func frame(at place: Int, of clip: SoundClip) -> Int? {
    let low = clip.samples[place * clip.channels] * 32_768
    let high = clip.samples[place * clip.channels + 1] * 32_768
    guard low >= 1, high >= 1, low <= 16_384, high <= 16_384, low == low.rounded(), high == high.rounded()
    else { return nil }
    return (Int(high) - 1) << 14 + Int(low) - 1 - 1
  }

  private static func sine(turns: Double) -> Double {
    // The C library's sine may differ in its last bit between machines; this sum of odd powers does not.
    var x = (turns - turns.rounded(.down)) * 4
    x = x > 3 ? x - 4 : x > 1 ? 2 - x : x
    let angle = x * .pi / 2
    let square = angle * angle
    var term = angle
    var sum = angle
    var power = 1.0
    while power < 19 {
      term *= -square / ((power + 1) * (power + 2))
      sum += term
      power += 2
    }
    return sum
  }
}
