/// Wishes. Only a person's changes the intent; the same words from the system are a pause by the system (L4).
extension PlaybackPolicy {
  mutating func play(_ origin: CommandOrigin, _ effects: inout [PlaybackEffect]) {
    guard origin.isPerson else {
      lift(.systemPaused, start: .setRateCalled, &effects)
      return
    }
    intent = PlaybackIntent(wantsToPlay: true, origin: origin)
    suppression.subtract(.liftedByPerson)
    // There may be one that the sound is kept from, until the sink comes back that was played to before the server went.
    if suppression.contains(.routeLost) { effects.append(.allowOtherSink) }
    loadIfNeeded(&effects)
    reconcile(&effects)
  }

  mutating func pause(_ origin: CommandOrigin, _ effects: inout [PlaybackEffect]) {
    guard !origin.isSessionManager else { return pausedBySessionManager(&effects) }
    guard origin.isPerson else {
      if intent.wantsToPlay { hold(.systemPaused, reason: .setRateCalled, &effects) }
      return
    }
    intent = PlaybackIntent(wantsToPlay: false, origin: origin)
    reconcile(&effects)
  }

  /// The session manager pauses players when their sink goes, whichever kind it was, and says nothing else with it (L4):
  /// so it stands for a lost sink, whenever it comes, and only a viewer who chose to follow is not asked.
  private mutating func pausedBySessionManager(_ effects: inout [PlaybackEffect]) {
    if configuration.onRouteLoss != .follow { holdForLostSink(&effects) }
  }

  /// A person who toggles goes by what is heard: silence that a Play would end is "paused" to them (L5), while a
  /// player that only waits for its server is "playing" and a toggle takes the wish back.
  mutating func toggle(_ origin: CommandOrigin, _ effects: inout [PlaybackEffect]) {
    let isOn = intent.wantsToPlay && hasItem && suppression.isDisjoint(with: .liftedByPerson)
    if isOn { pause(origin, &effects) } else { play(origin, &effects) }
  }

  /// Stop then Play starts at 0 (MPRIS), so the item is let go of.
  mutating func stop(_ origin: CommandOrigin, _ effects: inout [PlaybackEffect]) {
    guard origin.isPerson else { return pause(origin, &effects) }
    intent = PlaybackIntent(wantsToPlay: false, origin: origin)
    let wasLoaded = item != .none
    item = .none
    reconcile(&effects)
    if wasLoaded { effects.append(.unload) }
  }

  /// After Stop and after the end of the queue, Play begins at the start.
  private mutating func loadIfNeeded(_ effects: inout [PlaybackEffect]) {
    guard !hasItem else { return }
    item = .loading
    effects.append(.load)
  }
}
