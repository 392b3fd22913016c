import AfterlockCore
import Testing

@testable import AfterlockScenarios

/// The facts that engine and output tell of sinks and server, in their order (L5, L6, L7).
@Suite struct DesktopOutputTests {
  private typealias Step = DesktopOutput.Step

  private func output(
    _ kinds: [SinkKind] = [], policy: RouteLossPolicy = .auto, without rules: Set<Rule> = []
  ) -> DesktopOutput {
    let actions = kinds.map { ScenarioAction.setDefaultSink(kind: $0) }
    let sinks = DesktopSinks(for: actions.map { TimedAction(at: .zero, $0) })
    return DesktopOutput(sinks: sinks, policy: policy, rules: RuleSet(without: rules))
  }

  private let headset = SinkDescription(name: "headset", kind: .headset)
  private let speakers = SinkDescription(name: "speakers", kind: .other)

  @Test func `A pulled headset is told of last, when the server has not gone with it`() {
    var output = output([.headset])
    #expect(output.connect() == [.tell(.sinkChanged("headset"))])
    #expect(
      output.remove(.headset) == [
        .tell(.sinkChanged("speakers")), .hold(.routeLost), .tell(.sinkLost(headset)),
      ])
    #expect(output.isHeld && !output.mayRun)
    #expect(output.add(.headset) == [.tell(.sinkChanged("headset"))])
    #expect(!output.mayRun, "the same sink's return is nobody's word")
    #expect(output.allowOtherSink().isEmpty)
    #expect(output.mayRun)
  }

  @Test func `What is followed is told of first`() {
    var output = output([.headset], policy: .follow)
    #expect(
      output.remove(.headset) == [
        .hold(.routeLost), .tell(.sinkLost(headset)), .tell(.sinkChanged("speakers")),
      ])
  }

  @Test func `The last sink is no route any more, and the next one is one`() {
    var output = output()
    #expect(
      output.remove(.other) == [
        .hold(.routeLost), .tell(.routeLost(sink: "speakers")), .hold(.routeLost), .tell(.sinkLost(speakers)),
      ])
    #expect(output.current == nil && !output.mayRun)
    #expect(output.add(.usb) == [.tell(.routeRestored(sink: "usb"))])
  }

  @Test func `A sink that is not played to, or not there, is no loss`() {
    var output = output([.headset])
    #expect(output.remove(.other).isEmpty)
    #expect(output.remove(.usb).isEmpty)
    #expect(output.mayRun)
    #expect(output.choose(.usb).isEmpty)
  }

  @Test func `A server that comes back has the sinks that there are then`() {
    var output = output()
    #expect(output.restoreServer().isEmpty, "it has never gone")
    #expect(output.loseServer() == [.hold(.serverLost), .tell(.serverLost)])
    #expect(output.loseServer().isEmpty)
    #expect(!output.mayRun)
    #expect(output.add(.usb).isEmpty, "nobody tells of it")
    #expect(output.restoreServer() == [.tell(.serverRestored), .tell(.sinkChanged("usb"))])
    #expect(output.mayRun)
  }

  @Test func `A server without any sink has no route`() {
    var output = output()
    _ = output.loseServer()
    _ = output.remove(.other)
    #expect(
      output.restoreServer() == [
        .tell(.serverRestored), .hold(.routeLost), .tell(.routeLost(sink: nil)),
      ])
    #expect(output.add(.other) == [.tell(.routeRestored(sink: "speakers"))])
  }

  @Test func `A headset is played to again once the server has linked it, and no other before`() {
    var output = output([.headset])
    _ = output.loseServer()
    #expect(
      output.restoreServer() == [
        .tell(.serverRestored), .hold(.routeLost), .tell(.routeLost(sink: nil)),
        .tell(.routeRestored(sink: "headset")),
      ])
  }

  @Test(arguments: [RouteLossPolicy.auto, .pause, .follow])
  func `A headset that has not come back is waited for where its loss would pause`(policy: RouteLossPolicy) {
    var output = output([.headset], policy: policy)
    _ = output.loseServer()
    _ = output.remove(.headset)
    let steps = output.restoreServer()
    guard policy != .follow else {
      #expect(steps == [.tell(.serverRestored), .tell(.sinkChanged("speakers"))])
      return
    }
    #expect(output.awaited == .headset && !output.mayRun)
    var late = output
    #expect(late.add(.headset) == [.tell(.routeRestored(sink: "headset"))])
    var other = output
    #expect(other.allowOtherSink() == [.tell(.routeRestored(sink: "speakers"))])
    #expect(
      output.stopAwaiting() == [
        .hold(.routeLost), .tell(.sinkLost(headset)), .tell(.routeRestored(sink: "speakers")),
      ])
    #expect(output.isHeld)
    #expect(output.stopAwaiting().isEmpty)
  }

  @Test func `A server that dies again waits for the same headset`() {
    var output = output([.headset])
    _ = output.loseServer()
    _ = output.remove(.headset)
    _ = output.restoreServer()
    _ = output.loseServer()
    #expect(output.restoreServer() == [.tell(.serverRestored)], "it had no route before")
    #expect(output.awaited == .headset)
  }

  @Test func `Without its rule each of these facts is missing`() {
    var following = output([.headset], without: [.sinkLost])
    #expect(following.remove(.headset) == [.tell(.sinkChanged("speakers"))])
    var careless = output(without: [.noSink, .sinkLost])
    #expect(careless.remove(.other).isEmpty)
    #expect(careless.mayRun)
    var hasty = output([.headset], without: [.awaitedSink])
    _ = hasty.loseServer()
    _ = hasty.remove(.headset)
    #expect(hasty.restoreServer() == [.tell(.serverRestored), .tell(.sinkChanged("speakers"))])
  }
}
