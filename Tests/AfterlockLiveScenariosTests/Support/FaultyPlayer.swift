import AfterlockCore
import AfterlockScenarios
import Synchronization

@testable import AfterlockLiveScenarios

/// A player with a fault that somebody who listens must find.
final class FaultyPlayer: PlatformPlayer {
  enum Fault: Sendable {
    /// It says that it is held, and sounds on.
    case soundsOn
    /// It is silent for a while, and says nothing of it.
    case isSilent(from: Duration, to: Duration)
  }

  private let base: LivePlayer
  private let fault: Fault
  private struct State {
    var said: [PlatformReport] = []
    var isHeld = false
    var isInGap = false
  }
  private let state = Mutex(State())

  init(_ base: LivePlayer, _ fault: Fault, _ clock: LiveClock) {
    self.base = base
    self.fault = fault
    guard case .isSilent(let from, let to) = fault else { return }
    Task {
      // The clock begins when the scenario does.
      while base.rate == 0 { try await Task.sleep(for: .milliseconds(5)) }
      await clock.sleep(until: from)
      setGap(true)
      await clock.sleep(until: to)
      setGap(false)
    }
  }

  private func setGap(_ isInGap: Bool) {
    state.withLock { $0.isInGap = isInGap }
    base.setSilenced(isInGap)
  }

  func perform(_ command: EngineCommand) {
    guard case .pause(let reason) = command, case .soundsOn = fault else { return base.perform(command) }
    hold(reason)
  }

  func pauseBySystem(reason: RateChangeReason) {
    if case .soundsOn = fault { hold(reason) } else { base.pauseBySystem(reason: reason) }
  }

  private func hold(_ reason: RateChangeReason) {
    state.withLock { state in
      guard !state.isHeld else { return }
      state.isHeld = true
      state.said.append(.rate(0, reason, runID: position.run?.id))
    }
  }

  func setSilenced(_ isSilenced: Bool) {
    if !state.withLock(\.isInGap) { base.setSilenced(isSilenced) }
  }

  func takeReports() async -> [PlatformReport] {
    let reports = await base.takeReports()
    return state.withLock { state in
      defer { state.said = [] }
      return reports + state.said
    }
  }

  func setRefusesStart(_ refuses: Bool) { base.setRefusesStart(refuses) }
  func die() { base.die() }
  func renew() { base.renew() }
  func failItem() { base.failItem() }
  func endItem() { base.endItem() }
  func advance(to time: Duration) async -> Duration { await base.advance(to: time) }
  var position: PlaybackPosition { base.position }
  var rate: Double { state.withLock(\.isHeld) ? 0 : base.rate }
  var isSounding: Bool { base.isSounding }
}
