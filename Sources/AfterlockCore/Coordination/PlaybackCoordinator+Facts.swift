/// What the engine, the notifications and the platform tell.
extension PlaybackCoordinator {
  func take(_ fact: EngineFact) {
    switch fact {
    case .opened(let run, let info): opened(run, info)
    case .failed(let run, let failure, let played): failed(run, failure, played: played)
    case .damaged(let run, let failure): note(failure, of: run, extent: .damaged)
    case .joined(let run): joined(run)
    case .started(let run): started(run)
    case .ended(let run):
      guard run == currentRun else { return }
      goOn(to: queue.advance(), origin: .engine)
    case .seeked(let run, let position): seeked(run, position)
    case .volumeChanged(let level): volumeChanged(level)
    case .muteChanged(let isMuted):
      self.isMuted = isMuted
      record(
        .volume, message: "a mixer has \(isMuted ? "muted it" : "let it be heard")", origin: .system,
        .volume(volume, isMuted: isMuted))
    case .linkLossChanged(let loss):
      linkLoss = loss
      record(.route, message: loss?.message ?? LinkLoss.endMessage, origin: .system)
    case .serverMissing:
      isServerMissing = true
      record(.route, message: "there is no sound server", origin: .system)
      decide(.serverLost, origin: .system)
    case .serverLost:
      sink = nil
      linkLoss = nil
      decide(.serverLost, origin: .system)
    case .serverRestored:
      if isServerMissing { record(.route, message: "there is a sound server", origin: .system) }
      isServerMissing = false
      decide(.serverRestored, origin: .system)
    case .routeLost(let sink):
      record(.route, message: sink.map { "sink lost: \($0)" } ?? "there is no sink", origin: .system)
      self.sink = nil
      decide(.routeLost, origin: .system)
    case .routeRestored(let sink):
      record(.route, message: "sink: \(sink)", origin: .system)
      self.sink = sink
      decide(.routeRestored, origin: .system)
    case .sinkLost(let sink):
      record(.route, message: "\(sink.phrase) went away", origin: .system, .sink(sink.kind))
      decide(.sinkLost(sink.kind), origin: .system)
      if policy.suppression.contains(.sinkLost) { lostSink = sink }
    case .sinkChanged(let sink):
      record(.route, message: "sink: \(sink)", origin: .system)
      self.sink = sink
    }
  }

  func take(_ change: RateChange) {
    lastRateChange = change
    decide(.rateChanged(change), origin: origin(of: change))
  }

  func take(_ event: LifecycleEvent, from source: String?) {
    decide(.lifecycle(event), origin: .system, source: source)
  }

  /// A picture may come when another track plays already: then it is not for that one.
  func take(_ image: ArtworkImage?, of track: TrackID) {
    guard track == currentEntry?.id else { return }
    artwork = image.map { (track, $0) }
  }

  /// Who made the rate change: for the player's own commands, whoever gave the last one in that direction.
  private func origin(of change: RateChange) -> CommandOrigin {
    switch change.reason {
    case .setRateCalled: change.rate == 0 ? lastPauseOrigin : lastStartOrigin
    case .setRateFailed, .endOfQueue, .itemFailed: .engine
    default: .system
    }
  }

  // MARK: - Runs

  private func opened(_ run: PlaybackRun, _ info: MediaInfo) {
    if run == currentRun {
      currentInfo = info
      decide(.itemReady, origin: .engine)
    } else if let index = offers.firstIndex(where: { $0.run == run }) {
      offers[index].info = info
    }
  }

  /// The first frame of `run` went out: of what was loaded, or of what was named as upcoming at some time since. The
  /// engine may have joined it before it heard of a later choice, and what it plays is what is current.
  private func started(_ run: PlaybackRun) {
    if run == currentRun {
      isHeard = true
      decide(.itemReady, origin: .engine)
    } else if let index = offers.firstIndex(where: { $0.run == run }) {
      let offer = offers[index]
      offers.removeFirst(index + 1)
      // Taken out of the list while the engine went on to it: what follows what has ended is what plays.
      guard queue.contains(run.entry.id) else { return goOn(to: queue.advance(), origin: .engine) }
      currentRun = run
      currentInfo = offer.info
      isHeard = true
      seekTargets = []
      advance(to: run)
      nameUpcoming()
    } else {
      return
    }
    record(.track, message: nil, origin: .engine, of: run.entry, currentInfo)
  }

  private func failed(_ run: PlaybackRun, _ failure: PlaybackFailure, played: Bool) {
    let isCurrent = run == currentRun
    let offer = offers.firstIndex { $0.run == run }
    guard isCurrent || offer != nil else { return }
    note(failure, of: run, extent: played ? .brokeOff : .notPlayed)
    // Before the queue changes, so that it is not copied for every bad file.
    queueAhead = nil
    // Where it comes round again it begins at its start.
    if failure.code != .tooShort { queue.markFailed(run.entry.id) }
    if isCurrent {
      goOn(to: queue.advance(), origin: .engine)
      return
    }
    if let offer { offers.remove(at: offer) }
    // The engine has let go of it and knows nothing that follows.
    if naming == .said(run) { naming = .unsaid }
    nameUpcoming()
  }

  private func note(_ failure: PlaybackFailure, of run: PlaybackRun, extent: ItemFailure.Extent) {
    let item = ItemFailure(entry: run.entry, failure: failure, extent: extent)
    if extent != .damaged || notedDamage.insert(item).inserted {
      failures.append(item)
      failureBroadcast.send(item)
    }
    let info = run == currentRun ? currentInfo : offers.first { $0.run == run }?.info
    record(
      .error, message: "\(extent.rawValue): \(failure.message)", origin: .engine, of: run.entry, info)
  }

  /// Landing on or nearest to a target settles it and the ones before: an engine may fold several seeks into one.
  private func seeked(_ run: PlaybackRun, _ position: Duration) {
    guard run == currentRun else { return }
    jumps += 1
    func distance(_ index: Int) -> Duration {
      max(seekTargets[index] - position, position - seekTargets[index])
    }
    guard let nearest = seekTargets.indices.min(by: { distance($0) < distance($1) }) else { return }
    seekTargets.removeFirst(nearest + 1)
  }

  /// A mixer of the desktop has moved the stream's volume. Silence while muted is what was asked for here.
  private func volumeChanged(_ level: Volume) {
    if isMuted, level.slider == 0 { return }
    isMuted = false
    volume = level
    let percent = Int(level.percent.rounded())
    record(
      .volume, message: "a mixer has set the volume to \(percent) %", origin: .system,
      .volume(volume, isMuted: isMuted))
  }
}
