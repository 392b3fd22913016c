/// What the policy is told: wishes, facts and the platform's own events, in the order in which they met.
public enum PlaybackEvent: Hashable, Sendable {
  /// Play, as `origin` asks for it.
  case play(CommandOrigin)
  /// Pause, as `origin` asks for it.
  case pause(CommandOrigin)
  /// Play or pause, whichever is not the case.
  case togglePlayPause(CommandOrigin)
  /// Stop and let go of the item.
  case stop(CommandOrigin)
  /// The engine has been told to load an item.
  case itemSelected
  /// The current item is open.
  case itemReady
  /// The queue has nothing more to play.
  case queueEnded
  /// The rate of playback changed, as a notification said (P8).
  case rateChanged(RateChange)
  /// The app, the screen, the machine or the audio session changed.
  case lifecycle(LifecycleEvent)
  /// The sound server went away (L7).
  case serverLost
  /// The sound server is back, the stream rebuilt and inactive (L7).
  case serverRestored
  /// There is no sink (L6).
  case routeLost
  /// There is a sink again (L6).
  case routeRestored
  /// The sink that was played to has gone, and the engine holds (L5); ``routeLost`` comes before it where it was the last.
  case sinkLost(SinkKind)
}

/// What the policy wants done, in this order; carried out elsewhere.
public enum PlaybackEffect: Hashable, Sendable {
  /// Let the engine load the queue's current entry from its start (the queue's first when there is none).
  case load
  /// Let the engine start.
  case start(reason: RateChangeReason)
  /// Whatever sink there is may have the sound: the one that is waited for need not come (L5).
  case allowOtherSink
  /// Hold the engine.
  case pause(reason: RateChangeReason)
  /// Let the engine let go of the item.
  case unload
  /// Activate the audio session; comes right before the start that needs it (P3).
  case activateSession
  /// Take the player off its layers (P4).
  case detachLayers
  /// Give the player back to its layers.
  case attachLayers

  /// The effect as the log has it.
  public var name: String {
    switch self {
    case .load: "load"
    case .start(let reason): "start(\(reason))"
    case .allowOtherSink: "allowOtherSink"
    case .pause(let reason): "pause(\(reason))"
    case .unload: "unload"
    case .activateSession: "activateSession"
    case .detachLayers: "detachLayers"
    case .attachLayers: "attachLayers"
    }
  }
}
