import AfterlockCore

/// The log's words for what happened, in words for a person; pure.
///
/// Every reason, event and cause that the core has stands here: tests go through the core's own, so that a new one that
/// nobody has explained fails.
enum ReasonWords {
  /// Clauses in the past tense; "" where who did it says it all.
  static let clauses: [String: String] = [
    // Commands, and the rate changes that confirm them.
    "play": "", "pause": "", "togglePlayPause": "", "stop": "", "setRateCalled": "",
    // The output and the server.
    "setRateFailed": "the sound could not be started",
    "serverLost": "the sound server went away", "serverRestored": "the sound server came back",
    "routeLost": "there was no sink any more", "routeRestored": "there was a sink again",
    "sinkLost": "the sink went away",
    // The list.
    "queueEnded": "the list came to its end", "endOfQueue": "the list came to its end",
    "itemFailed": "the track broke off", "next": "the next track was wanted",
    "previous": "the track before was wanted", "jump": "another track was wanted",
    "remove": "the track was taken out of the list", "loop": "the list was to be played in another order",
    "shuffle": "the list was to be played in another order",
    // What neither starts nor stops it.
    "volume": "the volume was set", "seek": "the position was moved",
    // The machine and its screen.
    "systemSleep": "the machine went to sleep", "systemWillSleep": "the machine went to sleep",
    "systemWake": "the machine woke up", "systemDidWake": "the machine woke up",
    "screenLocked": "the screen was locked", "screenUnlocked": "the screen was unlocked",
    // The program and its place on the desktop or the phone.
    "appBackgrounded": "the player left the foreground with its picture on screen",
    "appSuspended": "the program was suspended", "appResumed": "the program went on",
    "willResignActive": "the player was about to leave the foreground",
    "didEnterBackground": "the player left the foreground",
    "willEnterForeground": "the player was on its way to the foreground",
    "didBecomeActive": "the player came to the foreground",
    // Other programs that take the sound.
    "audioSessionInterrupted": "another program took the sound",
    "interruptionBegan": "another program took the sound",
    "interruptionEnded": "the other program gave the sound back",
    "interruptionEnded(shouldResume)": "the other program gave the sound back",
    "interruptionEnded(shouldNotResume)": "the other program was done, and advised against going on",
    "sessionInactive": "the audio session was deactivated",
    "sessionDeactivated": "the audio session was deactivated",
    "sessionActivated": "the audio session was activated",
    SoundAccount.programEnded: "the program ended",
  ]

  /// What a person waits for, for each cause that holds the sound: completes "once …".
  static let ends: [String: String] = [
    "audioSessionInterrupted": "the other program gives the sound back",
    "routeLost": "there is a sink",
    "serverLost": "the sound server is back",
    "sessionInactive": "the audio session is active",
    "appSuspended": "the program goes on (\"fg\" in its terminal)",
    "systemAsleep": "the machine is awake",
    "resumeNotAdvised": "the other program lets it",
    "startFailed": "the sound can be started",
    "systemPaused": "the system lets it",
    "screenLocked": "the screen is unlocked",
    "sinkLost": "you say that another sink may have the sound",
    "corked": "the other program is done",
    "noSessionManager": "a session manager such as wireplumber runs (\"afterlock doctor\" tells more)",
  ]

  /// Causes that end by themselves, although a person's Play ends them as well.
  static let endingByThemselves: Set<String> = ["audioSessionInterrupted", "screenLocked", "sessionInactive"]

  /// The clause for a line; "" where who did it says it all.
  /// - Parameter sink: what was said of the sink right before.
  static func clause(_ line: PlaybackLogLine, sink: String?) -> String {
    let (reason, message) = (line.entry.reason ?? "", line.entry.message ?? "")
    switch reason {
    case "routeLost", "sinkLost":
      if let clause = sink.flatMap(lossClause) { return clause }
    case "serverLost":
      if sink == "there is no sound server" { return "there was no sound server" }
    case "serverRestored":
      if sink == "there is a sound server" { return "there was a sound server at last" }
    case "routeRestored":
      if let sink, sink.hasPrefix("sink: ") {
        return "the sink '\(sink.dropFirst("sink: ".count))' was there"
      }
    case SoundAccount.programEnded where !message.isEmpty: return message
    // A line that only tells, such as of a stream that the session manager has taken away.
    case "": return message
    default: break
    }
    // The session manager says that the sink has gone, and not that there is no other (L4).
    let isManagers = reason == "routeLost" && line.entry.origin.isSessionManager
    let clause = clauses[isManagers ? "sinkLost" : reason] ?? "its reason was '\(reason)'"
    return message.hasPrefix("told by ") && !clause.isEmpty ? "\(clause), \(message)," : clause
  }

  /// The log's words on a sink that has gone, "sink lost: X" and "the headset 'X' went away", as a clause; `nil` for
  /// others: the session manager's pause may come before the log has a word on the sink.
  private static func lossClause(_ message: String) -> String? {
    if message.hasSuffix(" went away") { return message }
    if message == "there is no sink" { return "there was no sink" }
    guard message.hasPrefix("sink lost: ") else { return nil }
    return "the sink '\(message.dropFirst("sink lost: ".count))' went away"
  }

  /// What became of the last track, from the log's "brokeOff: CAUSE".
  static func failure(_ message: String) -> String {
    let parts = message.split(separator: ": ", maxSplits: 1)
    guard parts.count == 2, let extent = ItemFailure.Extent(rawValue: String(parts[0])) else {
      return PlainText.clause(message)
    }
    let cause = PlainText.clause(String(parts[1]))
    switch extent {
    case .notPlayed: return "its last track could not be played: \(cause)"
    case .brokeOff: return "its last track broke off: \(cause)"
    case .damaged: return "its last track is damaged: \(cause)"
    }
  }

  /// What has to come about, for some causes.
  static func ends(of causes: [String]) -> String {
    let ends = causes.map { self.ends[$0] ?? "'\($0)' is over" }
    return ends.count > 1
      ? ends.dropLast().joined(separator: ", ") + " and " + (ends.last ?? "") : ends.first ?? ""
  }

  /// Who it was, as the subject of a sentence.
  static func who(_ origin: CommandOrigin) -> String {
    switch origin {
    case .viewer: "you"
    case .system: "the system"
    case .engine: "the player itself"
    // It comes over the bus as a person's programs do, and no person stands behind it (L4).
    case .remote(_, let process, let program?) where origin.isSessionManager:
      "the system (\(program)\(process.map { ", process \($0)" } ?? ""))"
    // Nobody else calls from a program of ours.
    case .remote(_, _, ProgramIdentity.name): "you, with \"\(ProgramIdentity.name) control\""
    case .remote(let busName, let process, let program):
      switch (program, process) {
      case (let program?, let process?): "\(program) (process \(process))"
      case (let program?, nil): program
      case (nil, let process?): "the program with process id \(process)"
      case (nil, nil): busName.map { "the program \($0) on the session bus" } ?? "another program"
      }
    }
  }
}
