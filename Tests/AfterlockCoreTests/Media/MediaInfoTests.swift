import AfterlockCore
import Testing

@Suite struct MediaInfoTests {
  @Test(arguments: [8_000, 44_100, 48_000, 88_200, 192_000])
  func `A count of frames comes back from its time`(rate: Int) {
    let counts =
      Array(0...2_000) + [rate - 1, rate, rate + 1, rate * 3_600 + 1, rate * 86_400 * 30 + 7].map(Int64.init)
    let wrong = counts.filter { Duration.frames($0, rate: rate).frames(rate: rate) != $0 }
    #expect(wrong == [])
  }

  @Test func `A path is shown on one line, and nothing in it turns the text around`() {
    let path = MediaPath("a\nb\u{2028}c\u{2029}d\u{202E}e\u{1B}")
    #expect(path.display == "a\\nb\\u{2028}c\\u{2029}d\\u{202e}e\\u{1b}")
  }

  @Test func `A time between two frames goes to the nearer one`() {
    #expect(Duration.milliseconds(1).frames(rate: 44_100) == 44)
    #expect(Duration.microseconds(990).frames(rate: 44_100) == 44)
    #expect(Duration.seconds(3_600).frames(rate: 44_100) == 158_760_000)
  }

  @Test(arguments: [1, 8_000, 1_536_000])
  func `A time beyond all frames is the last one`(rate: Int) {
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
    for time in [.seconds(Int64.max), longest, longest * 5] {
      #expect(time.frames(rate: rate) == .max)
      #expect((.zero - time).frames(rate: rate) <= -.max)
      #expect(time.seconds > 9.2e18)
      #expect(!time.secondsText.isEmpty)
    }
    #expect(Duration.frames(.max, rate: rate) > .zero)
    #expect(Duration.frames(.min, rate: rate) < .zero)
  }
}
