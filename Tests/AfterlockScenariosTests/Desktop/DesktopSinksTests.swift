import AfterlockCore
import Testing

@testable import AfterlockScenarios

/// Which sinks a scenario's desktop has, and which of them plays (L5).
@Suite struct DesktopSinksTests {
  private func sinks(_ actions: ScenarioAction...) -> DesktopSinks {
    DesktopSinks(for: actions.enumerated().map { TimedAction(at: .seconds($0), $1) })
  }

  @Test func `A desktop has loudspeakers, and what goes or is chosen before it has come`() {
    let usbGoes = ScenarioAction.removeSink(kind: .usb, sessionManagerPauses: true)
    #expect(sinks().kinds == [.other])
    #expect(sinks(usbGoes).kinds == [.usb, .other])
    #expect(sinks(.setDefaultSink(kind: .bluetooth)).kinds == [.bluetooth, .other])
    #expect(sinks(.addSink(kind: .usb), usbGoes).kinds == [.other])
    #expect(sinks(.removeSink, .setDefaultSink).kinds == [.other])
  }

  @Test func `The best one plays until the viewer chooses, and again while that one is not there`() {
    var sinks = sinks()
    func change(_ body: (inout DesktopSinks) -> Bool) -> Bool { body(&sinks) }
    #expect(sinks.current == .other)
    #expect(change { $0.add(.headset) })
    #expect(!change { $0.add(.headset) }, "it is there")
    #expect(sinks.current == .headset)
    #expect(change { $0.choose(nil) })
    #expect(sinks.current == .other)
    #expect(change { $0.remove(.other) })
    #expect(!change { $0.remove(.other) }, "it has gone")
    #expect(sinks.current == .headset)
    #expect(change { $0.add(.other) })
    #expect(sinks.current == .other)
    #expect(change { $0.remove(.headset) })
    #expect(change { $0.remove(.other) })
    #expect(sinks.current == nil)
    #expect(!change { $0.choose(nil) })
    #expect(!change { $0.choose(.usb) })
  }
}
