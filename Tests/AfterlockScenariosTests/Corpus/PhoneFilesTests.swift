import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

/// The files for the phone and the simulator.
@Suite(.computesForLong) struct PhoneFilesTests {
  @Test func `Each theme of the phone has files, with the whole fix and with a part of it off`() throws {
    let files = try Corpus.scenarios().filter { $0.scenario.platform != .desktop }
    #expect(files.count >= 45)
    for theme in [
      "lock", "app-switch", "session", "capability", "interruption", "routes", "remote", "layers", "queue",
    ] {
      let apps = files.filter { $0.path.hasPrefix("\(theme)/") }.map(\.scenario.app)
      #expect(apps.contains(AppParts()) && apps.contains { $0 != AppParts() }, "\(theme)")
    }
  }
}
