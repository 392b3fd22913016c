import AfterlockCore

@testable import AfterlockDesktop

/// Something that happens to a player on a desktop.
enum LifeEvent: Hashable, Sendable, CustomStringConvertible {
  /// What another program asks of it over the session bus, by MPRIS's names.
  enum Command: String, CaseIterable, Sendable {
    case play = "Play"
    case pause = "Pause"
    case playPause = "PlayPause"
    case stop = "Stop"
    case next = "Next"
    case previous = "Previous"
  }

  case command(Command)
  case seek(seconds: Int)
  /// A source says that the screen is locked.
  case lock(ScreenLock.Source)
  /// logind asks for a lock, and a source says that it is done.
  case requestLock(ScreenLock.Source)
  case unlock(ScreenLock.Source)
  case sleep
  case wake
  case unplug(LifeSink)
  case plug(LifeSink)
  /// The viewer makes it the default.
  case choose(LifeSink)
  case killServer
  case restartServer(without: LifeSink?)
  /// Its sinks go with it.
  case killManager
  case restartManager
  /// The screen savers on it go with it.
  case killBus
  case restartBus

  var description: String {
    switch self {
    case .command(let command): command.rawValue
    case .seek(let seconds): "Seek by \(seconds) s"
    case .lock(let source): "locked, says \(source.rawValue)"
    case .requestLock(let source): "logind asks for a lock, \(source.rawValue) says that it is done"
    case .unlock(let source): "unlocked, says \(source.rawValue)"
    case .sleep: "the machine is about to sleep"
    case .wake: "the machine is awake"
    case .unplug(let sink): "\(sink.rawValue) unplugged"
    case .plug(let sink): "\(sink.rawValue) plugged in"
    case .choose(let sink): "\(sink.rawValue) made the default"
    case .killServer: "the sound server killed"
    case .restartServer(nil): "the sound server is back"
    case .restartServer(let lost?): "the sound server is back without \(lost.rawValue)"
    case .killManager: "the session manager killed"
    case .restartManager: "the session manager is back"
    case .killBus: "the session bus killed"
    case .restartBus: "the session bus is back"
    }
  }
}

/// The sinks of a life.
enum LifeSink: String, Hashable, Sendable, CaseIterable {
  /// A headset, which the session manager prefers.
  case head
  case speakers

  var sink: VirtualSink {
    switch self {
    case .head:
      VirtualSink(
        name: rawValue, properties: ["device.form-factor": "headset", "priority.session": "2000"])
    case .speakers: VirtualSink(name: rawValue, properties: ["priority.session": "1000"])
    }
  }
}
