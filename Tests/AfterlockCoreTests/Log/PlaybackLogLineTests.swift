import Foundation
import Testing

@testable import AfterlockCore

@Suite("Lines of the log, read again")
struct PlaybackLogLineTests {
  private static let origins: [CommandOrigin] = [
    .viewer, .system, .engine, .remote(busName: ":1.42", processID: 4_242, program: "playerctl"),
    .remote(busName: nil, processID: nil, program: nil),
  ]

  @Test(arguments: PlaybackLogEntry.Event.allCases)
  func `come back as they were`(event: PlaybackLogEntry.Event) throws {
    for origin in Self.origins {
      for isFull in [true, false] {
        var entry = PlaybackLogEntry(
          event: event, rate: isFull ? 1 : 0, origin: origin, wantedToPlay: !isFull, wantsToPlay: isFull,
          position: .milliseconds(61_500))
        if isFull {
          (entry.reason, entry.track, entry.message) = ("somethingNewIn2030", "/a \"b\"\n", "Füße\u{2028}")
          (entry.decided, entry.suppression) = (["load", "start(x)"], ["routeLost"])
          entry.detail = .track(
            LoggedTrack(id: TrackID(rawValue: 7), index: 3, title: "A \"b\"", duration: .milliseconds(1_500)))
        }
        let line = PlaybackLogLine(
          time: .microseconds(1_000_001), date: isFull ? Date(timeIntervalSince1970: 1e9 + 0.25) : nil,
          entry: entry)
        #expect(try #require(PlaybackLogLine(json: line.json.utf8)) == line)
      }
    }
  }

  private static let valid = PlaybackLogLine(
    time: .zero, date: nil,
    entry: PlaybackLogEntry(
      event: .route, rate: 0, origin: .system, wantedToPlay: true, wantsToPlay: true, position: .zero)
  ).json

  @Test func `of a later version are read as far as they are known`() throws {
    let later = Self.valid.replacing("{\"time\"", with: "{\"new\":[1,{}],\"time\"")
    #expect(PlaybackLogLine(json: later.utf8) != nil)
    let older = Self.valid.replacing("\"date\":null,", with: "")
    #expect(PlaybackLogLine(json: older.utf8) != nil)
    #expect(PlaybackLogLine(json: Self.valid.replacing("\"date\":null", with: "\"date\":\"x\"").utf8) != nil)
  }

  @Test(arguments: [
    ("\"route\"", "\"somethingElse\""), ("\"system\"", "\"nobody\""), ("\"time\":0", "\"time\":1e300"),
    ("\"time\":0.000000", "\"time\":null"), ("\"position\"", "\"place\""), ("}", ""), ("{", "[{"),
    ("\"wantsToPlay\":true", "\"wantsToPlay\":1"), ("\"decided\":[]", "\"decided\":[1]"),
  ])
  func `that are none give nothing`(old: String, new: String) {
    #expect(PlaybackLogLine(json: Self.valid.replacing(old, with: new).utf8) == nil)
  }

  @Test func `of random bytes never do harm`() {
    var random = SeededGenerator(seed: 11)
    let valid = Array(Self.valid.utf8)
    for _ in 0..<2_000 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let line = PlaybackLogLine(json: bytes) { #expect(PlaybackLogLine(json: line.json.utf8) != nil) }
    }
  }
}
