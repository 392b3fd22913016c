internal import AfterlockCore
internal import AfterlockRealtime
internal import Dispatch

/// Keeping the rings filled, and what comes of it when they are read.
extension DecodingEngine {
  /// Frames decoded at a time: small enough that a command waits for a few milliseconds at most.
  private static let chunkFrames = 8_192

  /// Decodes until enough is ahead. The first chunk goes out before the rest is decoded.
  func fill() {
    while let track = tracks.last, let lane = lanes.last {
      guard !track.isDecoded else {
        guard joinUpcoming() else { break }
        continue
      }
      let wanted = min(lane.wantedFrames, Self.chunkFrames)
      guard wanted > 0, decode(track, into: lane, frames: wanted) else { break }
      letGoIfReady()
      activateIfWanted()
      openUpcomingIfNear()
    }
    openUpcomingIfNear()
    letGoIfReady()
    activateIfWanted()
    finishIfRead()
  }

  /// - Returns: `false` when nothing has come from the server yet; `delivered` goes on.
  private func decode(_ track: Track, into lane: Lane, frames: Int) -> Bool {
    var failure: PlaybackFailure?
    var isOnItsWay = false
    let written = lane.ring.write(upTo: frames) { region in
      do throws(PlaybackFailure) {
        let count = try track.read(into: region)
        isOnItsWay = count == nil
        return count ?? 0
      } catch {
        failure = error
        return 0
      }
    }
    if isOnItsWay { return false }
    track.nextFrame += Int64(written)
    let damage = failure ?? track.takeDamage()
    if written == 0 { track.isDecoded = true }
    guard !track.isInterrupted else { return true }
    if track.isDecoded, track.nextFrame == 0 {
      passOver(track, damage ?? PlaybackFailure(.empty, "The file has no sound in it: it ends at once."))
      return true
    }
    if let damage { reports.fact(.damaged(track.run, damage)) }
    if !track.isJoined {
      track.isJoined = true
      if heldBackUntil != nil { beMorePatient() }
      reports.fact(.joined(track.run))
    }
    if track.isDecoded, track !== current { track.close() }
    return true
  }

  /// Something has come from a server.
  func delivered(_ delivery: RemoteReader.Delivery) {
    let track = tracks.last { $0.remote?.id == delivery.reader } ?? upcoming.track
    guard let track, let remote = track.remote, remote.id == delivery.reader else { return }
    switch remote.take(delivery) {
    case .late: return
    case .frames: break
    case .landed(let frame): landed(track, at: frame, missed: nil)
    case .missed(let failure, let frame): landed(track, at: frame, missed: failure)
    case .gone(let failure):
      track.isDecoded = true
      if !track.isInterrupted { reports.fact(.failed(track.run, failure, played: true)) }
      return
    }
    fill()
  }

  /// A track without a single frame is no track: nothing of it could ever be heard and so tell that the next one's turn
  /// has come, and in a loop it would come by for ever.
  private func passOver(_ track: Track, _ failure: PlaybackFailure) {
    tracks.removeLast()
    lanes.last?.segments.removeLast()
    if lanes.count > 1, lanes.last?.segments.isEmpty == true { dropLanes(from: lanes.count - 1) }
    follow()
    reports.fact(.failed(track.run, failure, played: false))
  }

  // MARK: Beginning

  /// What has to be ahead when a run begins, as a part of a second: more than any quantum.
  private static let aheadAtStart = 1.0 / 6
  /// How long a short track waits for each one that follows it.
  private static let patience = Duration.seconds(1)

  /// A track that would be over before the next one is joined is not heard before that.
  ///
  /// Call it before the track is appended to `lane`.
  func holdBackIfShort(_ track: Track, from frame: Int64, in lane: Lane) {
    let rate = Double(track.format.rate)
    if let frames = track.info.frames, Double(frames - frame) / rate >= Self.aheadAtStart { return }
    lane.ring.stage()
    beMorePatient()
    if !isWaitingToLetGo { letGo(in: Self.patience) }
  }

  /// Something has come that what is held back waited for; the next one may take as long again.
  private func beMorePatient() { heldBackUntil = .now + Self.patience }

  private func letGo(in time: Duration) {
    isWaitingToLetGo = true
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(time / .milliseconds(1)) + 1)) {
      self.assumeIsolated { engine in
        engine.isWaitingToLetGo = false
        guard let deadline = engine.heldBackUntil else { return }
        let left = deadline - .now
        guard left <= .zero else { return engine.letGo(in: left) }
        engine.letGo()
        engine.activateIfWanted()
      }
    }
  }

  private func letGoIfReady() {
    guard let deadline = heldBackUntil, hasEnoughToBegin || deadline <= .now else { return }
    letGo()
  }

  private func letGo() {
    heldBackUntil = nil
    lane?.ring.publish()
  }

  private var hasEnoughToBegin: Bool {
    let ahead = lanes.reduce(0) { $0 + Double($1.pendingFrames) / Double($1.format.rate) }
    return ahead >= Self.aheadAtStart || !canGrow
  }

  // MARK: What the ring says

  /// A ring woke the engine; wakes of a ring that is gone find nothing to do.
  func ringWoke() {
    for lane in lanes {
      let events = lane.ring.takeEvents()
      if events.contains(.paused), lane === self.lane { fadedOut() }
    }
    passBoundaries()
    fill()
    finishIfRead()
  }

  /// Reports each run whose first frame has been handed to the output, and forgets what was heard.
  private func passBoundaries() {
    let before = current?.run
    while let lane {
      let read = lane.ring.readIndex
      while let first = lane.segments.first {
        if read > first.startIndex { reportStarted(first.run) }
        guard lane.segments.count > 1, read > lane.segments[1].startIndex else { break }
        lane.segments.removeFirst()
        tracks.removeFirst()
      }
      armBoundary(of: lane)
      guard lanes.count > 1, lane.ring.isReadToEnd, lanes[1].ring.readIndex > 0 else { break }
      leaveLane()
    }
    guard let current, current.run != before else { return }
    lane?.stream.setTitle(title(of: current))
    follow()
  }

  private func reportStarted(_ run: PlaybackRun) {
    guard startedRun != run.id else { return }
    startedRun = run.id
    reports.fact(.started(run))
  }

  /// The first lane has been read to its end and the second one sounds.
  private func leaveLane() {
    let old = lanes.removeFirst()
    tracks.removeFirst(old.segments.count)
    drainingLanes.append(old)
    let name = ObjectIdentifier(old)
    old.stream.drain {
      self.onExecutor { engine in
        guard let index = engine.drainingLanes.firstIndex(where: { ObjectIdentifier($0) == name }) else {
          return
        }
        engine.drainingLanes.remove(at: index).close()
      }
    }
  }

  /// All has been read and nothing follows: wait until it has left the device.
  func finishIfRead() {
    guard let lane, lane.isActive, lanes.count == 1, let last = tracks.last, last.isDecoded else { return }
    guard upcoming.isNone, draining == nil, lane.ring.isReadToEnd else { return }
    passBoundaries()
    let run = last.run
    reportStarted(run)
    lastDrain += 1
    let drain = lastDrain
    draining = drain
    lane.stream.drain {
      self.onExecutor { if $0.draining == drain { $0.ended(run) } }
    }
  }

  private func ended(_ run: PlaybackRun) {
    // All has left the device, whatever its last report of a delay says.
    let end = current.map { Duration.frames($0.nextFrame, rate: $0.format.rate) }
    clock.stand(at: end ?? clock.now.time, of: run)
    draining = nil
    tracks = []
    lane?.segments = []
    lane?.setActive(false)
    reportRate(0, .endOfQueue)
    reports.fact(.ended(run))
  }
}
