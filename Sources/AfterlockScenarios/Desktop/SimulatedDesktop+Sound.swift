import AfterlockCore

/// Sinks, sound server, session manager and role policies (L4–L8).
extension SimulatedDesktop {
  /// How long the session manager waits before it links a player that it has paused to another sink (L4).
  static let relinkDelay = Duration.seconds(1)
  /// What a role policy plays a player at meanwhile (L8).
  static let duckedLevel = Volume(linear: 0.3)

  func updateSound() {
    output.setStalled(isCorked || isRelinking || isAsleep)
    output.setSilenced(output.state.current == nil)
  }

  /// The session manager calls the player's own Pause before the sink goes, and waits before it links it to another one
  /// (L4).
  func removeSink(_ kind: SinkKind?, sessionManagerPauses: Bool) async {
    guard let kind = kind ?? output.state.sinks.current, output.state.sinks.kinds.contains(kind) else {
      return recorder.record(.platform, "there is no such sink")
    }
    if sessionManagerPauses, rules.has(.sessionManagerPause), output.state.current == kind {
      recorder.record(.platform, "the session manager pauses the player: its sink goes")
      await remote(.pause, from: .remote(busName: nil, processID: nil, program: "wireplumber"))
      await settle()
      if rules.has(.sessionManagerRelink), output.state.sinks.kinds.count > 1 {
        isRelinking = true
        agenda.note(.relink, at: recorder.now + Self.relinkDelay)
      }
    }
    output.change { $0.remove(kind) }
  }

  /// With the server goes who has taken the player off its sink, or plays it at a lower level (L7).
  func killServer() {
    guard rules.has(.serverLoss) else { return }
    (isCorked, isDucked, isRelinking, hasToldLinkLoss) = (false, false, false, false)
    agenda.forget(.relink)
    agenda.forget(.awaitedSinkIsMissed)
    output.change { $0.loseServer() }
  }

  func startServer() {
    guard rules.has(.serverReturn) else { return }
    output.change { $0.restoreServer() }
    if output.state.awaited != nil {
      agenda.note(.awaitedSinkIsMissed, at: recorder.now + DesktopOutput.patience)
    }
  }

  /// A role policy takes the link away and gives it back; that is no pause (L8).
  func setCorked(_ isCorked: Bool) {
    guard rules.has(.cork), output.state.hasServer else { return }
    self.isCorked = isCorked
  }

  /// A role policy lowers the sink of the role. Without the rule it lowers the player's own level, which is taken for a
  /// viewer's who moves a mixer (L8).
  func setDucked(_ isDucked: Bool) {
    guard output.state.hasServer, isDucked != self.isDucked else { return }
    self.isDucked = isDucked
    recorder.record(.platform, isDucked ? "the role of the player is lowered" : "its level is given back")
    guard !rules.has(.duck) else { return }
    output.tell(.volumeChanged(isDucked ? Self.duckedLevel : .full))
  }

  /// The app hears that it has no link while it runs, and that it has one again (L8).
  func tellOfLink() {
    let isUnlinked = output.state.current != nil && (isCorked || isRelinking)
    guard isUnlinked != hasToldLinkLoss, !isUnlinked || output.rate > 0 else { return }
    hasToldLinkLoss = isUnlinked
    output.tell(.linkLossChanged(isUnlinked ? .corked : nil))
  }
}
