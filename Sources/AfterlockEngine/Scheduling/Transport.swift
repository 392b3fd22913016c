internal import AfterlockCore
internal import AfterlockRealtime
internal import Dispatch

/// Starting, holding, seeking, and what the output says.
extension DecodingEngine {
  func start(_ reason: RateChangeReason) {
    wantsRunning = true
    startReason = reason
    if hasLostSink {
      hasLostSink = false
      output.allowOtherSink()
    }
    if pausing != nil {
      stopPausing()
      resumeRing()
    }
    if let lane, !lane.isActive { lane.ring.applyPendingWhileIdle() }
    fill()
  }

  /// Lets the stream run once there is something to hear.
  func activateIfWanted() {
    guard wantsRunning, hasServer, hasRoute, pausing == nil, heldBackUntil == nil else { return }
    guard let lane, let segment = lane.segments.first else { return }
    guard rate == 0 || !lane.isActive else { return }
    guard lane.ring.writeIndex > segment.startIndex || current?.isDecoded == true else { return }
    if rate == 0 { resumeRing() }
    lanes.forEach { $0.setActive(true) }
    reportRate(1, startReason)
    finishIfRead()
  }

  /// Takes a pause of the ring back. The middle of a track fades in; its beginning is exact.
  private func resumeRing() {
    guard let lane, let segment = lane.segments.first else { return }
    let isAtStart = segment.startFrame == 0 && lane.ring.readIndex <= segment.startIndex
    lane.ring.requestResume(fadesIn: !isAtStart)
    for next in lanes.dropFirst() { next.ring.requestResume(fadesIn: next.ring.readIndex > 0) }
  }

  /// Holds the streams where they are. A drain under way is off.
  private func hold() {
    lanes.forEach { $0.setActive(false) }
    draining = nil
    // Skips that no cycle has made would keep the ring full, and a full ring never gets what it needs to begin again.
    lane?.ring.applyPendingWhileIdle()
  }

  /// - Parameter isHeld: the streams have been held already, behind the engine's back.
  func pause(_ reason: RateChangeReason, isHeld: Bool = false) {
    wantsRunning = false
    if isHeld {
      stopPausing()
      hold()
    }
    guard rate > 0, let lane, lane.isActive else {
      reportRate(0, reason)
      return
    }
    guard pausing == nil else { return }
    pausing = reason
    lanes.forEach { $0.ring.requestPause() }
    // Where no cycle runs (no sink, a server that hangs) nothing fades, and nothing is heard either.
    pauseTicket += 1
    let ticket = pauseTicket
    queue.asyncAfter(deadline: DispatchTime.now() + .milliseconds(500)) {
      self.assumeIsolated { engine in
        if engine.pauseTicket == ticket { engine.fadedOut() }
      }
    }
  }

  private func stopPausing() {
    pausing = nil
    fadeWaiters.forEach { $0.resume() }
    fadeWaiters = []
  }

  /// The ring has faded out: hold the stream.
  func fadedOut() {
    guard let reason = pausing else { return }
    stopPausing()
    hold()
    reportRate(0, reason)
  }

  func reportRate(_ rate: Double, _ reason: RateChangeReason) {
    guard rate != self.rate else { return }
    self.rate = rate
    reports.rateChange(rate, reason, current?.run ?? opening?.run ?? leftRun)
  }

  func seek(_ run: PlaybackRun, to position: Duration) {
    if let opening, opening.run == run {
      self.opening = (run, position, isSought: true)
      clock.stand(at: position, of: run)
      reports.fact(.seeked(run, position: position))
      return
    }
    guard let track = current, track.run == run, let lane else { return }
    guard track.isOpen else {
      reopen(track, at: position)
      reports.fact(.seeked(run, position: position))
      return
    }
    let frame: Int64
    do throws(PlaybackFailure) {
      frame = try track.seek(toFrame: position.frames(rate: track.format.rate))
    } catch {
      reports.fact(.damaged(run, error))
      reports.fact(.seeked(run, position: clock.now.time))
      return
    }
    if tracks.count > 1 { putBack(tracks[1]) }
    tracks = [track]
    dropLanes(from: 1)
    track.isDecoded = false
    draining = nil
    lane.ring.reopen()
    cut(lane, fadesIn: frame > 0)
    holdBackIfShort(track, from: frame, in: lane)
    anchor(track, at: frame, in: lane)
    fill()
    guard track.remote == nil else { return awaitedLanding = run.id }
    reports.fact(.seeked(run, position: .frames(frame, rate: track.format.rate)))
  }

  /// What is written to `lane` from here on begins at `frame` of `track`; nothing of it was written before.
  private func anchor(_ track: Track, at frame: Int64, in lane: Lane) {
    track.nextFrame = frame
    lane.segments = []
    append(track, to: lane)
  }

  /// A server says where a seek has landed, or that it did not come about.
  func landed(_ track: Track, at frame: Int64, missed failure: PlaybackFailure?) {
    guard track === current, let lane else { return }
    if track.nextFrame != frame { anchor(track, at: frame, in: lane) }
    if let failure { reports.fact(.damaged(track.run, failure)) }
    // A track that is begun in its middle is no news.
    guard awaitedLanding == track.run.id else { return }
    awaitedLanding = nil
    reports.fact(.seeked(track.run, position: .frames(frame, rate: track.format.rate)))
  }

  /// A track that was decoded ahead waits for its turn again, from its start.
  private func putBack(_ track: Track) {
    upcoming = .named(track.run)
    // A connection that must be asked again can as well be made again, when it is needed.
    guard track.isOpen, track.remote == nil, (try? track.seek(toFrame: 0)) == 0 else { return }
    track.isDecoded = false
    track.isJoined = false
    upcoming = .opened(track)
  }

  // MARK: The output

  func handle(_ event: AudioOutputEvent) {
    switch event {
    case .serverMissing:
      hasServer = false
      stall(.serverLost)
      reports.fact(.serverMissing)
    case .connected(let sink):
      if !hasServer {
        hasServer = true
        reports.fact(.serverRestored)
      }
      if let sink { reports.fact(.sinkChanged(sink)) } else { loseRoute(nil) }
    case .serverLost:
      hasServer = false
      stall(.serverLost)
      reports.fact(.serverLost)
    case .serverRestored(let sink):
      hasServer = true
      reports.fact(.serverRestored)
      guard let sink else { return loseRoute(nil) }
      if hasRoute { reports.fact(.sinkChanged(sink)) } else { findRoute(sink) }
    case .routeLost(let sink):
      loseRoute(sink)
    case .routeRestored(let sink):
      findRoute(sink)
    case .sinkLost(let sink):
      hasLostSink = true
      stall(.routeLost)
      reports.fact(.sinkLost(sink))
    case .sinkChanged(let sink):
      reports.fact(.sinkChanged(sink))
    case .linkLossChanged(let loss):
      reports.fact(.linkLossChanged(loss))
    case .volumeChanged(let volume):
      reports.fact(.volumeChanged(volume))
    case .muteChanged(let isMuted):
      reports.fact(.muteChanged(isMuted))
    case .failed(let words):
      refuse(words)
    }
  }

  /// A stream cannot go on: whatever comes next gets streams of its own.
  private func refuse(_ words: String) {
    guard let run = current?.run ?? opening?.run else { return }
    clock.stand(at: clock.now.time, of: run)
    leaveCurrent()
    dropLanes(from: 0)
    reports.fact(.failed(run, PlaybackFailure(.server, words), played: true))
  }

  private func loseRoute(_ sink: String?) {
    guard hasRoute else { return }
    hasRoute = false
    stall(.routeLost)
    reports.fact(.routeLost(sink: sink))
  }

  /// What was on its way when the server or the sink went away is played again when there is one.
  private func takeBackUnheard() {
    guard let lane, lane.stream.unheardFrames > 0 else { return }
    // Once it has been read to its end, the next lane may begin.
    guard lanes.count == 1 || !lane.ring.isReadToEnd else { return }
    lane.ring.rewind(by: lane.stream.unheardFrames)
    // The end was reached and is to be reached again.
    if lane.ring.endIndex != nil { lane.ring.finish() }
  }

  private func findRoute(_ sink: String) {
    guard !hasRoute else { return }
    hasRoute = true
    reports.fact(.routeRestored(sink: sink))
  }

  /// Nothing can sound: the streams are held where they are, and wait for the coordinator's `start`.
  private func stall(_ reason: RateChangeReason) {
    // What was on its way when the stream was held before is silence, or has been taken back.
    let isSounding = lane?.isActive ?? false
    wantsRunning = false
    stopPausing()
    hold()
    if isSounding { takeBackUnheard() }
    closeDrainingLanes()
    reportRate(0, reason)
  }
}
