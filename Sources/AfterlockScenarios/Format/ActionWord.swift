/// The words that files have for actions; what goes with each, and where it can happen.
enum ActionWord: String, CaseIterable {
  // The viewer.
  case play
  case pause
  case toggle
  case stop
  case next
  case previous
  case seek
  case volume
  case addLayer
  case dropLayer

  // Lock screen and headset.
  case remotePlay = "remote.play"
  case remotePause = "remote.pause"
  case remoteToggle = "remote.toggle"
  case remoteNext = "remote.next"
  case remotePrevious = "remote.previous"
  case remoteSeek = "remote.seek"

  // The phone.
  case sideButton
  case unlock
  case switchApp
  case returnToApp
  case openControlCenter = "controlCenter.open"
  case closeControlCenter = "controlCenter.close"
  case ringSwitchSilent = "ringSwitch.silent"
  case ringSwitchRing = "ringSwitch.ring"
  case beginInterruption = "interruption.begin"
  case endInterruption = "interruption.end"
  case unplugRoute = "route.unplug"
  case plugRoute = "route.plug"
  case terminate

  // The desktop.
  case lock
  case sleep
  case wake
  case removeSink = "sink.remove"
  case addSink = "sink.add"
  case setDefaultSink = "sink.setDefault"
  case killServer = "server.kill"
  case startServer = "server.start"
  case cork
  case uncork
  case duck
  case unduck
  case killBus = "bus.kill"
  case startBus = "bus.start"

  // The item.
  case failItem = "item.fail"
  case endItem = "item.end"

  /// The platforms that have it.
  var platforms: [Scenario.Platform] {
    switch self {
    case .sideButton, .switchApp, .returnToApp, .openControlCenter, .closeControlCenter, .ringSwitchSilent,
      .ringSwitchRing, .beginInterruption, .endInterruption, .unplugRoute, .plugRoute, .terminate:
      [.phone, .simulator]
    case .lock, .sleep, .wake, .removeSink, .addSink, .setDefaultSink, .cork, .uncork, .duck, .unduck,
      .killBus,
      .startBus:
      [.desktop]
    default: Scenario.Platform.allCases
    }
  }

  /// The keys that can go with it on a platform, besides `at` and `do`.
  func argumentKeys(on platform: Scenario.Platform?) -> [String] {
    switch self {
    case .seek, .remoteSeek, .volume: ["to"]
    case .sideButton: ["skipsInactive"]
    case .beginInterruption: ["kind", "pauseSeen"]
    case .endInterruption: ["shouldResume"]
    case .lock: ["by"]
    case .unlock: platform == .desktop || platform == nil ? ["by"] : []
    case .removeSink: ["kind", "sessionManagerPauses"]
    case .addSink, .setDefaultSink: ["kind"]
    case .wake: ["isTold"]
    default: []
    }
  }

  /// What comes nearest to it on a platform that does not have it.
  func counterpart(on platform: Scenario.Platform) -> ActionWord? {
    let pairs: [(phone: ActionWord, desktop: ActionWord)] = [
      (.sideButton, .lock), (.unplugRoute, .removeSink), (.plugRoute, .addSink), (.beginInterruption, .cork),
      (.endInterruption, .uncork),
    ]
    return platform == .desktop
      ? pairs.first { $0.phone == self }?.desktop : pairs.first { $0.desktop == self }?.phone
  }

  /// The words that a platform has; all when it is not known.
  static func offered(on platform: Scenario.Platform?) -> [ActionWord] {
    allCases.filter { word in platform.map(word.platforms.contains) ?? true }
  }

  /// Every key that goes with some action.
  static var allArgumentKeys: [String] {
    allCases.flatMap { $0.argumentKeys(on: nil) }.reduce(into: []) { keys, key in
      if !keys.contains(key) { keys.append(key) }
    }
  }

  /// The action that it stands for; `nil` when something may have to be said of it.
  var plainAction: ScenarioAction? {
    switch self {
    case .seek, .remoteSeek, .volume, .sideButton, .beginInterruption, .endInterruption, .lock, .unlock,
      .wake, .removeSink, .addSink, .setDefaultSink:
      nil
    case .play: .play
    case .pause: .pause
    case .toggle: .toggle
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .addLayer: .addLayer
    case .dropLayer: .dropLayer
    case .remotePlay: .remotePlay
    case .remotePause: .remotePause
    case .remoteToggle: .remoteToggle
    case .remoteNext: .remoteNext
    case .remotePrevious: .remotePrevious
    case .switchApp: .switchApp
    case .returnToApp: .returnToApp
    case .openControlCenter: .openControlCenter
    case .closeControlCenter: .closeControlCenter
    case .ringSwitchSilent: .ringSwitchSilent
    case .ringSwitchRing: .ringSwitchRing
    case .unplugRoute: .unplugRoute
    case .plugRoute: .plugRoute
    case .terminate: .terminate
    case .sleep: .sleep
    case .killServer: .killServer
    case .startServer: .startServer
    case .cork: .cork
    case .uncork: .uncork
    case .duck: .duck
    case .unduck: .unduck
    case .killBus: .killBus
    case .startBus: .startBus
    case .failItem: .failItem
    case .endItem: .endItem
    }
  }
}

extension ScenarioAction {
  /// What an interruption comes from when a file does not say (P11).
  static let usualInterruption = InterruptionKind.call
  /// When the pause that an interruption forces is seen, when a file does not say (P11).
  static let usualForcedPause = ForcedPauseMoment.before

  /// The word of the file for it.
  public var word: String { actionWord.rawValue }

  /// Its word.
  var actionWord: ActionWord {
    switch self {
    case .play: .play
    case .pause: .pause
    case .toggle: .toggle
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .seek: .seek
    case .volume: .volume
    case .addLayer: .addLayer
    case .dropLayer: .dropLayer
    case .remotePlay: .remotePlay
    case .remotePause: .remotePause
    case .remoteToggle: .remoteToggle
    case .remoteNext: .remoteNext
    case .remotePrevious: .remotePrevious
    case .remoteSeek: .remoteSeek
    case .sideButton: .sideButton
    case .unlock: .unlock
    case .switchApp: .switchApp
    case .returnToApp: .returnToApp
    case .openControlCenter: .openControlCenter
    case .closeControlCenter: .closeControlCenter
    case .ringSwitchSilent: .ringSwitchSilent
    case .ringSwitchRing: .ringSwitchRing
    case .beginInterruption: .beginInterruption
    case .endInterruption: .endInterruption
    case .unplugRoute: .unplugRoute
    case .plugRoute: .plugRoute
    case .terminate: .terminate
    case .lock: .lock
    case .sleep: .sleep
    case .wake: .wake
    case .removeSink: .removeSink
    case .addSink: .addSink
    case .setDefaultSink: .setDefaultSink
    case .killServer: .killServer
    case .startServer: .startServer
    case .cork: .cork
    case .uncork: .uncork
    case .duck: .duck
    case .unduck: .unduck
    case .killBus: .killBus
    case .startBus: .startBus
    case .failItem: .failItem
    case .endItem: .endItem
    }
  }
}
