import AfterlockCore

/// A sound for when there is no file: soft, low noise that begins again without a seam. Pure.
enum SoftNoise {
  static let rate = 48_000
  /// Frames after which it begins again: so many that nobody hears it come round.
  static let frames = 10 * rate
  /// Weight of what was before in each sample: a low-pass at 600 Hz, where white noise hisses.
  private static let smoothing: Float = 0.924
  /// Root mean square of full scale: −24 dB.
  private static let loudness: Float = 0.063

  /// A WAV file with it: 16 bits, stereo, another noise on each side.
  static func wav(frames: Int = frames) -> [UInt8] {
    let (left, right) = (channel(seed: 1, frames: frames), channel(seed: 2, frames: frames))
    var bytes = header(frames: frames)
    bytes.reserveCapacity(bytes.count + 4 * frames)
    for (left, right) in zip(left, right) {
      append(UInt16(bitPattern: left), to: &bytes)
      append(UInt16(bitPattern: right), to: &bytes)
    }
    return bytes
  }

  /// White noise through a low-pass that goes round in a circle: the second round begins as the first one ended, so that
  /// the last sample leads to the first as any other to the next.
  static func channel(seed: UInt64, frames: Int) -> [Int16] {
    var generator = SeededGenerator(seed: seed)
    var samples = (0..<frames).map { _ in Float(Int32(truncatingIfNeeded: generator.next())) / 0x1p31 }
    let mean = samples.reduce(0, +) / Float(max(frames, 1))
    var state: Float = 0
    for sample in samples { state = smoothing * state + (1 - smoothing) * (sample - mean) }
    var power: Float = 0
    for index in samples.indices {
      state = smoothing * state + (1 - smoothing) * (samples[index] - mean)
      samples[index] = state
      power += state * state
    }
    let gain = power > 0 ? loudness / (power / Float(frames)).squareRoot() : 0
    return samples.map { Int16((max(-1, min(1, $0 * gain)) * 32_767).rounded()) }
  }

  /// The 44 bytes before the samples of a plain WAV file.
  private static func header(frames: Int) -> [UInt8] {
    let size = UInt32(4 * frames)
    var bytes = Array("RIFF".utf8)
    append(36 + size, to: &bytes)
    bytes += Array("WAVEfmt ".utf8)
    append(UInt32(16), to: &bytes)
    // Plain samples, two channels.
    append(UInt16(1), to: &bytes)
    append(UInt16(2), to: &bytes)
    append(UInt32(rate), to: &bytes)
    append(UInt32(4 * rate), to: &bytes)
    append(UInt16(4), to: &bytes)
    append(UInt16(16), to: &bytes)
    bytes += Array("data".utf8)
    append(size, to: &bytes)
    return bytes
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }
}
