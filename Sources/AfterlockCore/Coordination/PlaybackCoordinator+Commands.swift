/// What commands mean for the queue and the engine; play and pause are the policy's.
extension PlaybackCoordinator {
  func take(_ command: PlayerCommand, origin: CommandOrigin) {
    switch command {
    case .play: decide(.play(origin), origin: origin)
    case .pause: decide(.pause(origin), origin: origin)
    case .togglePlayPause: decide(.togglePlayPause(origin), origin: origin)
    case .stop: decide(.stop(origin), origin: origin)
    case .next: next(origin: origin)
    case .previous: previous(origin: origin)
    case .seek(let position, let id): seek(to: position, in: id, origin: origin)
    case .seekBy(let amount): seek(by: amount, origin: origin)
    case .setVolume(let volume): set(volume: volume, isMuted: isMuted, origin: origin)
    case .changeVolume(let percent):
      set(volume: Volume(percent: volume.percent + percent), isMuted: isMuted, origin: origin)
    case .setMuted(let isMuted): set(volume: volume, isMuted: isMuted, origin: origin)
    case .toggleMute: set(volume: volume, isMuted: !isMuted, origin: origin)
    case .setLoopMode(let mode):
      let isOther = mode != queue.loopMode
      queue.setLoopMode(mode)
      if isOther { recordOrder("loop", origin: origin) }
      nameUpcoming()
    case .cycleLoopMode: take(.setLoopMode(queue.loopMode.following), origin: origin)
    case .setShuffled(let isOn):
      let isOther = isOn != queue.isShuffled
      queue.setShuffled(isOn)
      if isOther { recordOrder("shuffle", origin: origin) }
      nameUpcoming()
    case .toggleShuffled: take(.setShuffled(!queue.isShuffled), origin: origin)
    case .jump(let id):
      guard let entry = queue.jump(to: id) else { return }
      recordMove("jump", to: entry, origin: origin)
      if policy.state != .stopped { goOn(to: entry, origin: origin) }
    case .remove(let id): remove(id, origin: origin)
    }
  }

  /// Keeps paused or stopped; with nothing to follow the queue ends (MPRIS Next).
  private func next(origin: CommandOrigin) {
    guard policy.hasItem || queue.hasNext else { return }
    let entry = queue.next()
    recordMove("next", to: entry, origin: origin)
    if policy.state == .stopped { return }
    goOn(to: entry, origin: origin)
  }

  private func previous(origin: CommandOrigin) {
    switch queue.previous(position: latestPosition) {
    case nil: break
    case .restart(let entry):
      recordMove("previous", to: entry, origin: origin)
      // What was asked for is the track before, and that is written down.
      if policy.hasItem { seek(to: .zero, in: entry.id, origin: .engine) }
    case .entry(let entry):
      recordMove("previous", to: entry, origin: origin)
      if policy.state != .stopped { goOn(to: entry, origin: origin) }
    }
  }

  private func seek(to position: Duration, in id: TrackID?, origin: CommandOrigin) {
    guard policy.hasItem, let currentRun, id == nil || id == currentRun.entry.id else { return }
    guard position >= .zero, currentInfo?.duration.map({ position <= $0 }) ?? true else { return }
    let target = position.bounded
    recordSeek(to: target, origin: origin)
    seekTargets.append(target)
    engine.perform(.seek(currentRun, position: target))
  }

  /// Beyond the end is the next entry, as MPRIS has it.
  private func seek(by amount: Duration, origin: CommandOrigin) {
    guard policy.hasItem else { return }
    let target = max(latestPosition.bounded + amount.bounded, .zero).bounded
    if let duration = currentInfo?.duration, target > duration {
      next(origin: origin)
    } else {
      seek(to: target, in: nil, origin: origin)
    }
  }

  /// Where playback is, or will be once all seeks have landed: three quick steps of 5 s are 15 s.
  private var latestPosition: Duration { seekTargets.last ?? heardPosition }

  private func set(volume: Volume, isMuted: Bool, origin: CommandOrigin) {
    let isOther = self.volume != volume || self.isMuted != isMuted
    self.volume = volume
    self.isMuted = isMuted
    if isOther { recordVolume(origin: origin) }
    engine.perform(.setVolume(isMuted ? Volume(slider: 0) : volume))
  }
}
