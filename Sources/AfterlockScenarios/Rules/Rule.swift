/// A rule of a platform or of the noise maker, or a facet of one, as this target implements it.
///
/// Each is implemented in one place, which asks ``RuleSet/has(_:)``: so a rule can be switched off to show what it is for,
/// and a test can show that some scenario sees it missing.
public enum Rule: String, Hashable, Sendable, CaseIterable {
  // The phone.
  /// Without the capability an app in the background is suspended.
  case capability = "P1 suspension"
  /// An app that was suspended is told so when it runs again.
  case suspensionNotice = "P1 notice"
  /// Ambient and solo ambient are silenced by the lock.
  case lockSilence = "P2 lock"
  /// Ambient and solo ambient are silenced by the Ring/Silent switch.
  case ringSwitch = "P2 ring switch"
  /// Ambient mixes with the sound of other apps.
  case mixing = "P2 mixing"
  /// An app in the background whose session is inactive is suspended.
  case sessionActivation = "P3"
  /// A player that shows video is paused when the app enters the background.
  case videoPause = "P4 pause"
  /// A player that is on no layer shows no video.
  case videoLayers = "P4 layers"
  /// Disabled video tracks show no video.
  case videoTracks = "P4 tracks"
  /// The tracks of a stream cannot be disabled.
  case streamTracks = "P4 streams"
  /// The background policy decides whether an app switch pauses.
  case backgroundPolicy = "P5 policy"
  /// The side button pauses a player on a visible layer whatever the policy.
  case sideButtonPause = "P5 side button"
  /// The side button: the system's pause comes before the app is in the background.
  case sideButtonOrder = "P6"
  /// The lock may skip `inactive`.
  case skippedInactive = "P7"
  /// The system says why the rate changed.
  case rateReason = "P8"
  /// Artwork closures and command handlers are called off the main thread.
  case foreignThreads = "P9"
  /// The simulator does not reproduce the lock.
  case simulatorLock = "P10 lock"
  /// The simulator's build does not have the device build's checks.
  case simulatorBuild = "P10 build"
  /// An interruption pauses and tells of its beginning and its end.
  case interruption = "P11 notices"
  /// Nobody starts to play during an interruption.
  case refusedStart = "P11 refusal"
  /// The forced pause may be seen after the notice.
  case forcedPauseOrder = "P11 order"
  /// The end says whether to go on.
  case interruptionOptions = "P11 options"
  /// The end may say nothing of it.
  case missingOptions = "P11 missing options"
  /// The loss of a route pauses.
  case unplug = "P12 unplug"
  /// A new device is no lost one.
  case plug = "P12 plug"
  /// An interruption deactivates the session.
  case interruptionDeactivates = "P13 interruption"
  /// The end of the media service deactivates the session.
  case serviceDeactivates = "P13 service"
  /// The player dies with the media service.
  case serviceDeath = "P13 player"

  // The desktop.
  /// A lock of the desktop's screen that several sources tell of is one, and a request is no state.
  case oneLock = "L1"
  /// Screen savers tell of locks that logind knows nothing of.
  case lockSources = "L1 sources"
  /// A sleep is told of, and waits until the sound has ended.
  case sleepNotice = "L2"
  /// The end of a sleep is told of.
  case wakeNotice = "L2 wake"
  /// Where the word that a sleep is over was lost, the answer to a question says it.
  case sleepQuestion = "L2 question"
  /// A machine that nobody touches goes to sleep.
  case idleSleep = "L3"
  /// While sound runs it does not.
  case sleepInhibitor = "L3 sound"
  /// A screen that nobody looks at is locked.
  case idleLock = "L3 screen"
  /// While a video is seen it is not.
  case screenInhibitor = "L3 video"
  /// The session manager pauses the player before its sink goes.
  case sessionManagerPause = "L4"
  /// It waits before it links the player to another sink.
  case sessionManagerRelink = "L4 wait"
  /// The loss of the sink that was played to holds the player.
  case sinkLost = "L5"
  /// Without any sink nothing plays.
  case noSink = "L6"
  /// The sound server can die.
  case serverLoss = "L7"
  /// It comes back.
  case serverReturn = "L7 return"
  /// A headset that has gone with the server is waited for.
  case awaitedSink = "L7 sink"
  /// A role policy takes the player off its sink.
  case cork = "L8"
  /// A role policy lowers the player's role and not the player.
  case duck = "L8 duck"
  /// The session bus can die, and nothing is heard over it.
  case busLoss = "L9"
  /// It comes back, and the player with it.
  case busReturn = "L9 return"

  // The noise maker.
  /// The toggle reads Play or Pause by the player's state.
  case noiseToggle = "N toggle"
  /// There is a volume slider.
  case noiseVolume = "N volume"
  /// One line says how far the file has come.
  case noiseStatus = "N status"
  /// The file is played again and again.
  case noiseLoop = "N loop"
  /// The session's category is playback.
  case noiseCategory = "N category"
  /// The session is active while it plays.
  case noiseSession = "N session"
  /// The file is opened before Play.
  case noisePrepared = "N prepared"
  /// Lock screen and headset can play, pause and toggle.
  case noiseRemote = "N remote"
  /// A file that cannot be loaded disables the controls, and the status says so.
  case noiseUnloadable = "N unloadable"
}

/// The rules in force.
public struct RuleSet: Hashable, Sendable {
  private var missing: Set<Rule>

  /// All of them, or all but some.
  public init(without missing: Set<Rule> = []) { self.missing = missing }

  /// Whether `rule` is in force.
  public func has(_ rule: Rule) -> Bool { !missing.contains(rule) }
}
