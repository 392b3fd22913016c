import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockEngine

@Suite("Times and lengths that no file can mean", .computesForLong)
struct TimelineTests {
  @Test("are told from times of the stream, which become frames")
  func rescaling() {
    func frames(_ time: Int64, _ num: Int32, _ den: Int32, _ rate: Int) -> Int64? {
      StreamTimeline.rescale(time, num: num, den: den, rate: rate)
    }
    #expect(frames(1_500, 1, 1_000, 48_000) == 72_000)
    #expect(frames(-1_500, 1, 1_000, 48_000) == -72_000)
    #expect(frames(1, 1, 90_000, 44_100) == 0)
    #expect(frames(2, 1, 90_000, 44_100) == 1)
    #expect(frames(-2, 1, 90_000, 44_100) == -1)
    #expect(frames(1 << 38, 1, 1, 48_000) == 48_000 << 38)
    for time in [Int64.min, .min + 1, -1 << 62, 1 << 62, .max - 1, .max] {
      for den: Int32 in [1, 2, 1_000, 1_000_000_000, .max] {
        for (num, rate) in [(1, 1_000), (1, 655_350), (Int32.max, 1_536_000)] {
          // Nothing that is added to it later may overflow.
          let (result, exact) = (frames(time, num, den, rate), Int128(time) * Int128(num) * Int128(rate))
          #expect(result == nil || result!.magnitude < 1 << 56)
          #expect(result == nil || abs(Int128(result!) * Int128(den) - exact) <= Int128(den))
        }
      }
    }
    #expect(frames(1 << 62, 1, 1, 2) == nil)
    #expect(frames(5, 1, 0, 48_000) == nil)
    #expect(frames(5, 1, -1, 48_000) == nil)
  }

  @Test("do not make a short MP3 file shorter than nothing")
  func negativeMPEGLength() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 300).wav(), to: "source.wav")
    try folder.run("lame", "--quiet", "source.wav", "a.mp3")
    var bytes = try folder.bytes(of: "a.mp3")
    let at = try #require(
      bytes.indices.first { at in ["Info", "Xing"].contains { bytes[at...].starts(with: $0.utf8) } })
    let lame = try #require(bytes.indices.first { $0 > at && bytes[$0...].starts(with: "LAME".utf8) })
    // No count, and all the delay that can be written.
    for index in 8..<12 { bytes[at + index] = 0 }
    (bytes[lame + 21], bytes[lame + 22]) = (0xFF, 0xF0)
    try folder.write(bytes, to: "a.mp3")
    let reader = try MediaOpener.open(folder.location("a.mp3"))
    defer { reader.close() }
    #expect(reader.info.frames == 0)
    #expect(try reader.seek(toFrame: 100) >= 0)
    #expect(try reader.readAll().count >= 0)
  }

  @Test("of an edit list are left to FFmpeg", arguments: [-5_000_000, Int64.min])
  func negativeEdit(_ duration: Int64) throws {
    func big(_ number: Int64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> Int64(8 * (count - 1 - $0))) }
    }
    func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
      big(Int64(body.count + 8), 4) + Array(type.utf8) + body
    }
    let nothing = [UInt8](repeating: 0, count: 80)
    let edit = [1, 0, 0, 0] + big(1, 4) + big(duration, 8) + big(0, 8) + [0, 1, 0, 0]
    let track = box(
      "trak",
      box("tkhd", nothing[..<12] + big(1, 4) + nothing) + box("edts", box("elst", edit))
        + box("mdia", box("mdhd", nothing[..<12] + big(1, 4) + big(48_000, 4) + nothing)))
    let movie = box("moov", box("mvhd", nothing[..<12] + big(1, 4) + nothing) + track)
    let folder = try SourceFolder()
    try folder.write(movie, to: "a.mp4")
    let timing = MP4Timing(try MediaFile(MediaPath(folder.path("a.mp4"))))
    #expect(timing.tracks.isEmpty)
    #expect(timing.hasComplexEdits)
  }
}
