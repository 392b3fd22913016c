import Testing

@testable import AfterlockScenarios

/// What a desktop does by itself: locks, sleeps, and what else falls due (L3).
@Suite struct IdleMachineTests {
  private let lock = IdleMachine.timeUntilLock
  private let sleep = IdleMachine.timeUntilSleep

  @Test func `Nobody is there: it locks, and later it sleeps, once each`() {
    var idle = IdleMachine()
    #expect(idle.next == nil)
    idle.touch(at: .zero)
    #expect(idle.next == lock)
    #expect(idle.takeDue(at: lock - .seconds(1)).isEmpty)
    #expect(idle.takeDue(at: lock) == [.lock])
    #expect(idle.next == sleep)
    #expect(idle.takeDue(at: sleep) == [.sleep])
    #expect(idle.next == nil)
  }

  @Test func `Whoever touches it puts both off`() {
    var idle = IdleMachine()
    idle.touch(at: .zero)
    idle.touch(at: .seconds(10))
    #expect(idle.next == lock + .seconds(10))
  }

  @Test func `What is asked of it holds until it is taken back, and each wish is for one thing`() {
    var idle = IdleMachine()
    idle.touch(at: .zero)
    idle.set(keepsScreenOn: false, keepsAwake: true, at: .zero)
    #expect(idle.takeDue(at: sleep) == [.lock])
    idle.set(keepsScreenOn: true, keepsAwake: true, at: sleep)
    idle.touch(at: sleep + .seconds(1))
    #expect(idle.next == nil)
    idle.set(keepsScreenOn: true, keepsAwake: false, at: sleep * 2)
    #expect(idle.next == sleep * 3)
    idle.set(keepsScreenOn: false, keepsAwake: false, at: sleep * 2 + .seconds(1))
    #expect(idle.next == sleep * 2 + .seconds(1) + lock)
    idle.stop()
    #expect(idle.next == nil)
  }

  @Test func `The agenda gives what is due in the order in which it was noted`() {
    var agenda = DesktopAgenda()
    agenda.note(.relink, at: .seconds(2))
    agenda.note(.lockRequestExpires(1), at: .seconds(1))
    agenda.note(.sleepIsOverdue(1), at: .seconds(3))
    agenda.note(.relink, at: .seconds(1))
    agenda.forget(.sleepIsOverdue(1))
    #expect(agenda.next == .seconds(1))
    #expect(agenda.takeDue(at: .seconds(1)) == [.lockRequestExpires(1), .relink])
    #expect(agenda.next == nil)
    #expect(agenda.takeDue(at: .seconds(9)).isEmpty)
  }
}
