import Testing

@testable import AfterlockCLI

@Suite("Comparing what a sink received")
struct SinkComparisonTests {
  /// Stereo frames that come in chunks of odd sizes.
  private func cursor(_ frames: [Float], chunk: Int) -> FrameCursor {
    var rest = frames[...]
    return FrameCursor(channels: 2) { buffer in
      for value in rest.prefix(chunk) { buffer += [value, -value] }
      rest = rest.dropFirst(chunk)
    }
  }

  private func compare(_ source: [Float], _ sink: [Float]) throws -> SinkComparison {
    let results = try [1, 3, 1000].map { chunk in
      try SinkComparison(source: cursor(source, chunk: chunk), sink: cursor(sink, chunk: 4))
    }
    #expect(Set(results).count == 1)
    return results[0]
  }

  /// Frames that all differ.
  private let music: [Float] = (1...100).map { Float($0) / 128 }
  private func silence(_ count: Int) -> [Float] { Array(repeating: 0, count: count) }

  @Test func `all frames between silences are equal`() throws {
    let result = try compare(music, silence(7) + music + silence(9))
    #expect(result.isEqual)
    #expect(result.equalFrames == 100 && result.sourceFrames == 100 && result.longestGapFrames == 0)
    #expect(try compare(music, music).isEqual)
  }

  @Test func `what is no number is compared bit for bit`() throws {
    let odd: [Float] = [0.5, .nan, .infinity, -.infinity, Float(bitPattern: 0x7F80_0001), 0.25]
    #expect(try compare(odd, silence(3) + odd).isEqual)
    #expect(try !compare(odd, [0.5, Float(bitPattern: 0x7FC0_0001)] + odd[2...]).isEqual)
  }

  @Test func `silence of the source's own is no gap`() throws {
    let source = silence(3) + music + silence(5) + music + silence(4)
    #expect(try compare(source, silence(50) + source).isEqual)
    #expect(try compare(source, source + silence(50)).isEqual)
  }

  @Test func `a gap is found where nothing was lost`() throws {
    let result = try compare(music, silence(2) + music[..<40] + silence(6) + music[40...] + silence(3))
    #expect(!result.isEqual)
    #expect(result.gapCount == 1 && result.longestGapFrames == 6)
    #expect(result.equalFrames == 100 && result.firstDifference == nil)
  }

  @Test func `a gap is found where its frames were lost`() throws {
    let result = try compare(music, music[..<40] + silence(6) + music[46...])
    #expect(result.gapCount == 1 && result.longestGapFrames == 6)
    #expect(result.equalFrames == 94 && result.firstDifference == 40)
  }

  @Test func `a missing start, a missing end and a missing middle are found`() throws {
    #expect(try compare(music, Array(music[1...])).firstDifference == 0)
    let end = try compare(music, music[..<99] + silence(20))
    #expect(end.firstDifference == 99 && end.equalFrames == 99 && end.gapCount == 0 && !end.isEqual)
    #expect(try compare(music, Array(music[..<50] + music[51...])).firstDifference == 50)
    #expect(try compare(music, silence(100)).firstDifference == 0)
    #expect(try compare(music, []).firstDifference == 0)
  }

  @Test func `one changed bit is found, and so is sound that does not belong there`() throws {
    var changed = music
    changed[60] = changed[60].nextUp
    let result = try compare(music, changed)
    #expect(result.firstDifference == 60 && result.equalFrames == 99)
    let more = try compare(music, music + silence(3) + [0.5])
    #expect(more.surplusFrames == 1 && !more.isEqual)
  }

  @Test func `silence proves nothing`() throws {
    let result = try compare(silence(10), silence(30))
    #expect(result.isSourceSilent && !result.isEqual)
    #expect(try compare([], silence(3)).isEqual == false)
  }
}
