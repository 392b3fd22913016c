import Foundation
import Testing

@testable import AfterlockCore

@Suite("Dates of the log")
struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (0.25, "1970-01-01T00:00:00.250Z"),
      (951_782_399.999, "2000-02-28T23:59:59.999Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
      (951_868_800, "2000-03-01T00:00:00.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
      (1_796_036_587.25, "2026-11-30T11:03:07.250Z"), (-1, "1969-12-31T23:59:59.000Z"),
      (-62_167_219_200, "0000-01-01T00:00:00.000Z"), (253_402_300_799, "9999-12-31T23:59:59.000Z"),
    ] as [(Double, String)])
  func `are UTC, and lead back`(seconds: Double, text: String) {
    #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)) == text)
    #expect(Timestamp.date(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test func `are those of Foundation's calendar, on any day since that is the Gregorian one`() {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let milliseconds = Int64.random(in: -12_000_000_000_000...200_000_000_000_000, using: &random)
      // A binary fraction, so that no one rounds it.
      let date = Date(timeIntervalSince1970: Double(milliseconds / 1000) + Double(milliseconds & 7) / 8)
      #expect(Timestamp.text(date) == date.formatted(format))
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
  func `of no clock are cut`(seconds: Double) {
    #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)).utf8.count == 24)
  }

  @Test(arguments: [
    "", "2026", "2026-11-30", "2026-11-30T11:03:07Z", "2026-11-30T11:03:07.250", "2026-13-30T11:03:07.250Z",
    "2026-02-29T11:03:07.250Z", "2026-11-31T11:03:07.250Z", "2026-11-30T24:03:07.250Z",
    "2026-11-30T11:60:07.250Z", "2026-11-30T11:03:60.250Z", "2026-00-30T11:03:07.250Z",
    "2026-11-00T11:03:07.250Z", "-026-11-30T11:03:07.250Z", "２０２６-11-30T11:03:07.250Z",
  ])
  func `of another form are none`(text: String) {
    #expect(Timestamp.date(text) == nil)
  }
}
