import Testing

@testable import AfterlockBench

@Suite("The benchmark's verdicts")
struct TableTests {
  private func row(_ ours: Double?) -> Row {
    var row = Row(title: "a figure", unit: "ms", target: "≤ 60 ms")
    row.values["pw-play"] = 120
    row.values["afterlock"] = ours
    row.judge { $0 <= 60 }
    return row
  }

  @Test func `a target holds where ours reaches it`() {
    #expect(row(60).holds == true && row(60.1).holds == false)
    #expect(Table(peers: ["pw-play", "afterlock"], rows: [row(60)]).holds)
    #expect(!Table(peers: ["pw-play", "afterlock"], rows: [row(60), row(61)]).holds)
  }

  @Test func `what could not be measured of ours holds nothing`() {
    #expect(row(nil).holds == false)
    let table = Table(peers: ["pw-play", "afterlock"], rows: [row(nil)])
    #expect(!table.holds)
    #expect(table.markdown.hasSuffix("| a figure | 120 ms | – |  | ≤ 60 ms | **no** |"))
  }

  @Test func `a row that nobody judged does not hold either`() {
    #expect(!Table(peers: ["afterlock"], rows: [Row(title: "a figure", unit: "", target: "")]).holds)
  }

  @Test func `ratios are ours by theirs`() {
    #expect(row(60).ratio(to: "pw-play") == "0.500 × pw-play")
    #expect(row(60).ratio(to: "mpv") == nil && row(nil).ratio(to: "pw-play") == nil)
  }

  @Test(arguments: [([], nil), ([3], 3), ([3, 1], 2), ([5, 1, 3], 3)] as [([Double], Double?)])
  func `the median is the middle one, or between the two`(values: [Double], expected: Double?) {
    #expect(median(values) == expected)
  }
}
