import Testing

@testable import AfterlockBench

@Suite("What a bus monitor has seen")
struct BusProfileTests {
  private static let text = """
    #type\ttimestamp\tserial\tsender\tdestination\tpath\tinterface\tmember
    sig\t1.000000\t2\torg.freedesktop.DBus\t:1.3\t/org/freedesktop/DBus\torg.freedesktop.DBus\tNameAcquired
    mc\t5.000000\t6\t:1.9\torg.mpris.MediaPlayer2.x\t/org/mpris/MediaPlayer2\torg.mpris.MediaPlayer2.Player\tPause
    mr\t5.001000\t7\t:1.4\t:1.9\t6
    sig\t5.004000\t8\t:1.4\t<none>\t/org/mpris/MediaPlayer2\torg.freedesktop.DBus.Properties\tPropertiesChanged
    mc\t6.000000\t6\t:1.9\torg.mpris.MediaPlayer2.x\t/org/mpris/MediaPlayer2\torg.mpris.MediaPlayer2.Player\tPlay
    """

  @Test func `the time runs from the call to the signal`() {
    let tellings = BusProfile(Self.text).tellings(after: "Pause")
    #expect(tellings.count == 1 && abs((tellings.first ?? 0) - 4) < 0.001)
  }

  @Test func `a call that nothing is told of has no time`() {
    #expect(BusProfile(Self.text).tellings(after: "Play").isEmpty)
    #expect(BusProfile("").tellings(after: "Pause").isEmpty)
  }
}
