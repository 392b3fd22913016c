public import Foundation

/// Makes WAV files without any other program.
public enum WaveFile {
  /// A canonical 16-bit file of interleaved samples.
  public static func data(_ samples: [Int16], rate: Int, channels: Int) -> Data {
    var data = header(format: 1, bits: 16, rate: rate, channels: channels, dataBytes: samples.count * 2)
    samples.withUnsafeBytes { data.append(contentsOf: $0) }
    return data
  }

  /// A file of 32-bit floats.
  public static func data(_ clip: SoundClip) -> Data {
    var data = header(
      format: 3, bits: 32, rate: clip.rate, channels: clip.channels, dataBytes: clip.samples.count * 4)
    clip.samples.withUnsafeBytes { data.append(contentsOf: $0) }
    return data
  }

  /// What stands before `dataBytes` bytes of samples.
  /// - Parameter format: 1 for integers, 3 for floats.
  public static func header(format: UInt16, bits: UInt16, rate: Int, channels: Int, dataBytes: Int) -> Data {
    var header = Data()
    func append(_ text: String) { header.append(contentsOf: text.utf8) }
    func append32(_ value: Int) {
      withUnsafeBytes(of: UInt32(value).littleEndian) { header.append(contentsOf: $0) }
    }
    func append16(_ value: UInt16) {
      withUnsafeBytes(of: value.littleEndian) { header.append(contentsOf: $0) }
    }
    let frameBytes = channels * Int(bits) / 8
    append("RIFF")
    append32(36 + dataBytes)
    append("WAVEfmt ")
    append32(16)
    append16(format)
    append16(UInt16(channels))
    append32(rate)
    append32(rate * frameBytes)
    append16(UInt16(frameBytes))
    append16(bits)
    append("data")
    append32(dataBytes)
    return header
  }
}
