import AfterlockCore
import AfterlockScenarios
import Foundation
import Testing

@testable import AfterlockLiveScenarios

@Suite struct ScenarioMediaTests {
  @Test func `a tone is as long as its item and has no silent frame`() throws {
    for tone in 0..<6 {
      let data = ScenarioMedia.wave(frames: 100_001, tone: tone)
      #expect(data.count == 44 + 100_001 * 2)
      let silent = stride(from: 44, to: data.count, by: 2).count { data[$0] == 0 && data[$0 + 1] == 0 }
      #expect(silent == 0)
    }
  }

  @Test func `items of one place and length share a file, and all go with the media`() throws {
    var media: ScenarioMedia? = try ScenarioMedia()
    let item = ScenarioItem(title: "Clip", duration: .seconds(1))
    let path = try #require(try media?.file(for: item, at: 0))
    #expect(try media?.file(for: item, at: 0) == path)
    #expect(try media?.file(for: item, at: 1) != path)
    #expect(FileManager.default.fileExists(atPath: path.display))
    media = nil
    #expect(!FileManager.default.fileExists(atPath: path.display))
  }
}
