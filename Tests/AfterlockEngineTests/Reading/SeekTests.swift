import AfterlockCore
import AfterlockEngine
import AfterlockTestSupport
import Testing

@Suite("Seeking", .computesForLong)
struct SeekTests {
  /// Frames to go to: both ends, the seams of packets, and places by chance.
  private static func targets(in total: Int64) -> [Int64] {
    var generator = SeededGenerator(seed: 11)
    let seams: [Int64] = [0, 1, 1_151, 1_152, 4_095, 4_096, 4_097, total / 2, total - 2, total - 1, 3, 0]
    return seams + (0..<40).map { _ in Int64.random(in: 0..<total, using: &generator) }
  }

  @Test("lands on the exact frame of a lossless file", arguments: LosslessCase.all)
  func lossless(_ kind: LosslessCase) throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 60_007, type: kind.type)
    try folder.write(noise.wav(), to: "source.wav")
    try kind.make(folder, "source.wav", kind.name)
    let reader = try MediaOpener.open(folder.location(kind.name))
    defer { reader.close() }
    // Matroska's clock ticks in milliseconds; all others are exact and say so. FLAC counts its samples itself.
    let isExact = !kind.name.contains(".mk") || kind.codec == "flac"
    #expect(reader.info.isSeekExact == isExact)
    for target in Self.targets(in: 60_007) {
      let landed = try reader.seek(toFrame: target)
      if isExact { #expect(landed == target) } else { #expect(abs(landed - target) <= 90) }
      let samples = try reader.read(frames: 700)
      guard isExact else { continue }
      let start = Int(target) * 2
      #expect(
        samples == Array(noise.samples[start..<min(start + 1_400, noise.samples.count)]), "at \(target)")
    }
    #expect(reader.takeDamage() == nil)
  }

  @Test("reads on to the last frame afterwards, and again from the start", arguments: LosslessCase.all)
  func toTheEndAndBack(_ kind: LosslessCase) throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 20_011, type: kind.type)
    try folder.write(noise.wav(), to: "source.wav")
    try kind.make(folder, "source.wav", kind.name)
    let reader = try MediaOpener.open(folder.location(kind.name))
    defer { reader.close() }
    _ = try reader.readAll()
    #expect(try reader.seek(toFrame: 0) == 0)
    #expect(try reader.readAll() == noise.samples)
    #expect(try reader.seek(toFrame: -5) == 0)
    #expect(try reader.read(frames: 10) == Array(noise.samples[..<20]))
    #expect(try reader.seek(toFrame: 1_000_000) == 20_011)
    #expect(try reader.readAll().isEmpty)
    #expect(try reader.seek(toFrame: 19_000) >= 18_910)
    #expect(try reader.readAll().suffix(1_000) == noise.samples.suffix(1_000))
  }
}
