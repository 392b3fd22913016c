import AfterlockCore

extension ScenarioAction {
  /// The word of the file for it.
  public var word: String {
    switch self {
    case .play: "play"
    case .pause: "pause"
    case .toggle: "toggle"
    case .stop: "stop"
    case .next: "next"
    case .previous: "previous"
    case .seek: "seek"
    case .volume: "volume"
    case .addLayer: "addLayer"
    case .dropLayer: "dropLayer"
    case .remotePlay: "remote.play"
    case .remotePause: "remote.pause"
    case .remoteToggle: "remote.toggle"
    case .remoteNext: "remote.next"
    case .remotePrevious: "remote.previous"
    case .remoteSeek: "remote.seek"
    case .sideButton: "sideButton"
    case .unlock: "unlock"
    case .switchApp: "switchApp"
    case .returnToApp: "returnToApp"
    case .openControlCenter: "controlCenter.open"
    case .closeControlCenter: "controlCenter.close"
    case .ringSwitchSilent: "ringSwitch.silent"
    case .ringSwitchRing: "ringSwitch.ring"
    case .beginInterruption: "interruption.begin"
    case .endInterruption: "interruption.end"
    case .unplugRoute: "route.unplug"
    case .plugRoute: "route.plug"
    case .terminate: "terminate"
    case .lock: "lock"
    case .sleep: "sleep"
    case .wake: "wake"
    case .removeSink: "sink.remove"
    case .addSink: "sink.add"
    case .setDefaultSink: "sink.setDefault"
    case .killServer: "server.kill"
    case .startServer: "server.start"
    case .cork: "cork"
    case .uncork: "uncork"
    case .duck: "duck"
    case .unduck: "unduck"
    case .killBus: "bus.kill"
    case .startBus: "bus.start"
    case .failItem: "item.fail"
    case .endItem: "item.end"
    }
  }

  /// The word with what goes with it, for people.
  public var words: String {
    switch self {
    case .seek(let position), .remoteSeek(let position): "\(word) to \(position.secondsText) s"
    case .volume(let percent): "\(word) to \(Int(percent.rounded())) %"
    case .sideButton(skipsInactive: true): "\(word), which skips inactive"
    case .beginInterruption(let kind, _): "\(word): \(kind.rawValue)"
    case .endInterruption(true?): "\(word): should resume"
    case .endInterruption(false?): "\(word): should not resume"
    case .lock(let sources), .unlock(let sources):
      sources.count == LockSource.allCases.count
        ? word : "\(word) by \(sources.map(\.rawValue).sorted().joined(separator: ", "))"
    case .removeSink(let kind, let pauses):
      (kind.map { "\(word): \($0.rawValue)" } ?? word)
        + (pauses ? "" : ", and the session manager pauses nobody")
    case .addSink(let kind): "\(word): \(kind.rawValue)"
    case .setDefaultSink(let kind?): "\(word): \(kind.rawValue)"
    default: word
    }
  }
}
