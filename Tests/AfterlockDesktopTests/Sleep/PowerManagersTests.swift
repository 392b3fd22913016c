import Testing

@testable import AfterlockDesktop

/// What the desktop's power managers are asked, and what they hold (L3).
@Suite struct PowerManagersTests {
  private typealias Step = PowerManagers.Step

  @Test func `Sound asks each once, and silence gives back what was given`() {
    var managers = PowerManagers()
    #expect(managers.steps().isEmpty)
    managers.isWanted = true
    #expect(managers.steps().map(\.0) == [.gnome, .freedesktop])
    #expect(managers.steps().isEmpty && !managers.isHeld, "asked once")
    managers.take(7, from: .gnome)
    managers.take(nil, from: .freedesktop)
    #expect(managers.steps().isEmpty && managers.isHeld, "who refuses is not asked again")
    managers.isWanted = false
    let steps = managers.steps()
    #expect(steps.map(\.0) == [.gnome] && steps.map(\.1) == [.release(7)])
    #expect(managers.steps().isEmpty && !managers.isHeld)
    managers.isWanted = true
    #expect(managers.steps().map(\.1) == [.inhibit, .inhibit], "after a pause everybody is asked again")
  }

  @Test func `An answer that comes after a pause is given back at once`() {
    var managers = PowerManagers()
    managers.isWanted = true
    _ = managers.steps()
    managers.isWanted = false
    #expect(managers.steps().isEmpty)
    managers.take(9, from: .freedesktop)
    #expect(managers.steps().map(\.1) == [.release(9)])
  }

  @Test func `A manager that comes is asked, and one that goes holds nothing`() {
    var managers = PowerManagers()
    managers.isWanted = true
    _ = managers.steps()
    managers.take(nil, from: .gnome)
    managers.take(nil, from: .freedesktop)
    managers.forget(.gnome)
    #expect(managers.steps().map(\.0) == [.gnome])
    managers.take(1, from: .gnome)
    managers.forget(.gnome)
    #expect(!managers.isHeld)
  }

  @Test func `GNOME is asked about sleep alone, so that the screen may blank and lock`() {
    #expect(PowerManager.gnome.inhibitArguments.last == .uint32(4))
    #expect(PowerManager.gnome.inhibitArguments.map(\.signature).joined() == "susu")
    #expect(PowerManager.freedesktop.inhibitArguments.map(\.signature).joined() == "ss")
  }
}
