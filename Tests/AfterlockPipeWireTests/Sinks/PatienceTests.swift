import Testing

@testable import AfterlockPipeWire

@Suite struct PatienceTests {
  private let start = ContinuousClock.now

  @Test func `Each wait ends by itself, and the next one is the one to set a timer for`() {
    var patience = Patience()
    #expect(patience.next == nil)
    patience.begin(.sinkAfterServer, at: start)
    patience.begin(.link, at: start + .seconds(1))
    patience.begin(.serverAfterSink, at: start + .seconds(1))
    #expect(patience.next == start + .milliseconds(1_150))
    #expect(patience.takeDue(at: start + .milliseconds(1_149)) == [])
    #expect(patience.takeDue(at: start + .milliseconds(1_150)) == [.serverAfterSink])
    #expect(patience.takeDue(at: start + .milliseconds(1_150)) == [], "once")
    #expect(patience.next == start + .milliseconds(1_500))
    #expect(patience.takeDue(at: start + .seconds(9)) == [.link, .sinkAfterServer])
    #expect(patience.next == nil)
  }

  @Test func `What has come is not waited for, and what begins anew has all its time again`() {
    var patience = Patience()
    patience.begin(.link, at: start)
    patience.begin(.link, at: start + .milliseconds(400))
    #expect(patience.takeDue(at: start + .milliseconds(500)) == [])
    patience.end(.link)
    #expect(patience.next == nil && patience.takeDue(at: start + .seconds(9)) == [])
    patience.begin(.sinkAfterServer, at: start)
    patience.endAll()
    #expect(patience.next == nil)
  }
}
