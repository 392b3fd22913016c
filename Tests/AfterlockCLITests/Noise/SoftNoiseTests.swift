import AfterlockCore
import AfterlockEngine
import AfterlockTestSupport
import Glibc
import Testing

@testable import AfterlockCLI

@Suite("A sound of its own")
struct SoftNoiseTests {
  private let samples = SoftNoise.channel(seed: 1, frames: 48_000)

  /// How far a sample is from the one before, at most, in a circle or not.
  private func steps(_ samples: [Int16]) -> (inside: Int, seam: Int) {
    let inside = zip(samples, samples.dropFirst()).map { abs(Int($1) - Int($0)) }.max() ?? 0
    return (inside, abs(Int(samples[0]) - Int(samples[samples.count - 1])))
  }

  @Test func `its end leads to its beginning as any sample to the next`() {
    let (inside, seam) = steps(samples)
    #expect(seam <= inside && inside < 3_000)
    // The same of a piece that is cut out of it anywhere: most have a seam that is no step of this noise.
    let seams = (0..<100).map { steps(Array(samples[($0 * 100)..<($0 * 100 + 30_000)])).seam }
    #expect(seams.max() ?? 0 > inside, "a check that no seam would fail")
  }

  @Test func `it is soft, and swings about nothing`() {
    let loudness = (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / 48_000).squareRoot() / 32_768
    #expect((0.06...0.066).contains(loudness))
    #expect(samples.map(abs).max() ?? 0 < 16_000)
    #expect(abs(samples.reduce(0.0) { $0 + Double($1) } / 48_000) < 20)
  }

  @Test func `it is never silent for two frames, and is another on each side`() {
    let right = SoftNoise.channel(seed: 2, frames: 48_000)
    #expect(samples != right)
    let silent = zip(samples, right).map { $0 == 0 && $1 == 0 }
    #expect(!zip(silent, silent.dropFirst()).contains { $0 && $1 })
  }

  @Test func `the player's own reader takes the file in memory`() throws {
    let path = try MemoryFile.make("noise.wav", SoftNoise.wav(frames: 4_800))
    let reader = try MediaOpener.open(.file(path))
    #expect(reader.info.frames == 4_800 && reader.info.format.rate == 48_000)
    #expect(reader.info.format.channels.count == 2)
  }
}
