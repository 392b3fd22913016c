import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockEngine

@Suite("Sound that is not in the format that its header gives", .computesForLong)
struct ChangedFormatTests {
  /// Reads as the engine does, into room for whole frames; says when more came than fits.
  private static func count(_ reader: any MediaReader) throws -> Int {
    let room = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: 8 * 4_096 * reader.info.format.channelCount)
    defer { room.deallocate() }
    var total = 0
    while true {
      // Most of the room is spare, for what a reader gives too much.
      let asked = 4_096 * reader.info.format.channelCount
      let count = try reader.read(into: UnsafeMutableBufferPointer(rebasing: room[..<asked]))
      #expect(count <= 4_096)
      if count == 0 { return total }
      total += count
    }
  }

  @Test("is refused where the header of FLAC names two channels and the frames have one")
  func monoFrames() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 60_000, channels: 1).wav(), to: "source.wav")
    try folder.run("flac", "-s", "-o", "a.flac", "source.wav")
    var bytes = try folder.bytes(of: "a.flac")
    bytes[20] |= 2
    try folder.write(bytes, to: "a.flac")
    let reader = try MediaOpener.open(folder.location("a.flac"))
    defer { reader.close() }
    #expect(reader.info.format.channelCount == 2)
    let failure = #expect(throws: PlaybackFailure.self) { try Self.count(reader) }
    #expect(failure?.code == .corrupt)
    #expect(failure?.message.contains("not in the format") == true)
    #expect(throws: PlaybackFailure.self) { try reader.seek(toFrame: 20_000) }
    #expect(try Self.count(reader) == 0)
    #expect(reader.takeDamage() != nil)
  }

  @Test("ends at a hole where the header of FLAC names another rate than the frames")
  func otherRate() throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 120_000).wav(), to: "source.wav")
    try folder.run("flac", "-s", "-o", "a.flac", "source.wav")
    var bytes = try folder.bytes(of: "a.flac")
    // 48,000 in 20 bits, before the number of channels.
    (bytes[18], bytes[19], bytes[20]) = (0x0B, 0xB8, bytes[20] & 0x0F)
    for index in (bytes.count / 2)..<(bytes.count / 2 + 3_000) { bytes[index] = 0x55 }
    try folder.write(bytes, to: "a.flac")
    let reader = try MediaOpener.open(folder.location("a.flac"))
    defer { reader.close() }
    #expect(reader.info.format.rate == 48_000)
    let count = try Self.count(reader)
    #expect((40_000..<70_000).contains(count), "\(count)")
    #expect(reader.takeDamage()?.code == .truncated)
    #expect(reader.info.frames == Int64(count))
  }

  @Test("takes no memory without bound where its rate changes", arguments: [16, 1_000])
  func tinyRate(_ rate: Int) throws {
    let folder = try SourceFolder()
    var flac = FlacWriter(rate: 655_350, channels: 8)
    for _ in 0..<20 { flac.append(count: 4_096, rate: 655_350, channels: 8, value: 1_000) }
    // At 16 Hz these are 65 GB.
    flac.append(count: 51_000, rate: rate, channels: 8, value: 1_000)
    for _ in 0..<20 { flac.append(count: 4_096, rate: 655_350, channels: 8, value: 1_000) }
    try folder.write(flac.bytes, to: "a.flac")
    let reader = try MediaOpener.open(folder.location("a.flac"))
    defer { reader.close() }
    #expect(reader.info.format.rate == 655_350)
    let count = try Self.count(reader)
    #expect((39 * 4_096...41 * 4_096).contains(count), "\(count)")
    #expect(reader.takeDamage()?.message.contains("Invalid data") == true)
  }

  @Test("plays whole where its rate changes to one that is heard")
  func usualRates() throws {
    let folder = try SourceFolder()
    var flac = FlacWriter(rate: 48_000, channels: 2)
    for _ in 0..<10 { flac.append(count: 4_096, rate: 48_000, channels: 2, value: 8_192) }
    // One frame of more than 8 s.
    flac.append(count: 65_535, rate: 8_000, channels: 2, value: 8_192)
    for _ in 0..<10 { flac.append(count: 4_096, rate: 48_000, channels: 2, value: 8_192) }
    try folder.write(flac.bytes, to: "a.flac")
    let decoded = try Decoded(folder.location("a.flac"))
    #expect(decoded.damage == nil)
    #expect(abs(decoded.frames - (20 * 4_096 + 65_535 * 6)) < 16, "\(decoded.frames)")
    // The resampler fades its first and last samples.
    let wrong = decoded.samples.filter { abs($0 - 0.25) > 0.01 }.count
    #expect(wrong < 400, "\(wrong)")
  }
}
