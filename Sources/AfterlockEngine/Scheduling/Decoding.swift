internal import AfterlockCore
internal import AfterlockRealtime

/// Keeping the ring filled, and joining one track to the next.
extension DecodingEngine {
  /// Frames decoded at a time: small enough that a command waits for a few milliseconds at most.
  private static let chunkFrames = 8_192
  /// The next track is opened when less than this is left to decode.
  private static let opensUpcomingBefore = Duration.seconds(5)

  /// Decodes until enough is ahead. The first chunk goes out before the rest is decoded.
  func fill() {
    while let track = decoding, let lane = nextLane ?? lane {
      guard !track.isDecoded else {
        guard joinUpcoming() else { break }
        continue
      }
      let wanted = min(lane.wantedFrames, Self.chunkFrames)
      guard wanted > 0, decode(track, into: lane, frames: wanted) else { break }
      activateIfWanted()
      openUpcomingIfNear()
    }
    openUpcomingIfNear()
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
    } else if let damage {
      reports.fact(.damaged(track.run, damage))
    }
    return true
  }

  /// Something has come from a server.
  func delivered(_ delivery: RemoteReader.Delivery) {
    let tracks = [current, decoding, upcoming.track].lazy.compactMap(\.self)
    guard let track = tracks.first(where: { $0.remote?.id == delivery.reader }), let remote = track.remote
    else { return }
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
    if track === current {
      current = nil
      decoding = nil
      lane?.segments = []
    } else {
      if nextLane != nil { dropNextLane() } else { lane?.segments.removeLast() }
      decoding = current
      follow()
    }
    reports.fact(.failed(track.run, failure, played: false))
  }

  // MARK: Upcoming

  func setUpcoming(_ run: PlaybackRun?) {
    if let decoding, let current, decoding !== current {
      // The next track is in the ring already. If it is not heard yet it is cut out again; if it is, the coordinator
      // hears of it by `started` and decides anew.
      guard run != decoding.run, takeBackDecodedAhead() else { return }
      self.decoding = current
    }
    guard run != upcoming.run else { return fill() }
    upcoming = run.map(Upcoming.named) ?? .none
    fill()
  }

  /// Cuts what follows `current` out of the ring. `false` when it is being heard already.
  private func takeBackDecodedAhead() -> Bool {
    if nextLane != nil {
      guard lane?.ring.isReadToEnd != true else { return false }
      dropNextLane()
      return true
    }
    guard let lane, let boundary = lane.segments.last, lane.segments.count > 1 else { return false }
    guard lane.ring.takeBack(to: boundary.startIndex) else { return false }
    lane.segments.removeLast()
    follow()
    return true
  }

  private func openUpcomingIfNear() {
    guard case .named(let run) = upcoming, let current, decoding === current else { return }
    if !current.isDecoded {
      guard let frames = current.info.frames else { return }
      let left = Duration.frames(max(0, frames - current.nextFrame), rate: current.format.rate)
      guard left < Self.opensUpcomingBefore else { return }
    }
    upcoming = .opening(run)
    open(run)
  }

  /// The upcoming track could be opened.
  func prepare(_ track: Track) {
    upcoming = .opened(track)
    if current == nil { current = track }
    fill()
  }

  /// Goes on with the next track, when there is one and it is open. Otherwise says to the ring what its end is.
  private func joinUpcoming() -> Bool {
    guard let lane, let current, decoding === current else { return false }
    guard case .opened(let track) = upcoming else {
      if case .none = upcoming { lane.ring.finish() }
      return false
    }
    upcoming = .none
    track.nextFrame = 0
    decoding = track
    // It came late, and the end was taken for the last one: it is not.
    draining = nil
    if track.format == lane.format {
      lane.ring.reopen()
      append(track, to: lane)
    } else {
      lane.ring.finish()
      let next = makeLane(for: track)
      next.ring.hold(until: lane.ring)
      nextLane = next
      append(track, to: next)
      if rate > 0 { next.setActive(true) }
    }
    return true
  }

  // MARK: What the ring says

  /// A ring woke the engine; wakes of a ring that is gone find nothing to do.
  func ringWoke() {
    for lane in [lane, nextLane] {
      guard let lane else { continue }
      let events = lane.ring.takeEvents()
      if events.contains(.paused), lane === self.lane { fadedOut() }
    }
    passBoundaries()
    fill()
    finishIfRead()
  }

  /// Reports each run whose first frame has been handed to the output, and forgets what was heard.
  private func passBoundaries() {
    guard let lane else { return }
    let read = lane.ring.readIndex
    while let first = lane.segments.first {
      if read > first.startIndex { reportStarted(first.run) }
      guard lane.segments.count > 1, read > lane.segments[1].startIndex else { break }
      lane.segments.removeFirst()
      if let decoding, decoding.run == lane.segments.first?.run { current = decoding }
      lane.stream.setTitle(current.flatMap(title(of:)))
      follow()
    }
    armBoundary(of: lane)
    guard let nextLane, lane.ring.isReadToEnd, nextLane.ring.readIndex > 0 else { return }
    handOver(from: lane, to: nextLane)
  }

  private func reportStarted(_ run: PlaybackRun) {
    guard startedRun != run.id else { return }
    startedRun = run.id
    reports.fact(.started(run))
  }

  /// The first lane has been read to its end and the second one sounds.
  private func handOver(from old: Lane, to next: Lane) {
    lane = next
    nextLane = nil
    current = decoding
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
    follow()
    passBoundaries()
  }

  /// All has been read and nothing follows: wait until it has left the device.
  func finishIfRead() {
    guard let lane, lane.isActive, let current, nextLane == nil else { return }
    guard current.isDecoded, decoding === current, draining == nil else { return }
    guard lane.ring.isReadToEnd, case .none = upcoming else { return }
    passBoundaries()
    reportStarted(current.run)
    let run = current.run
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
    current = nil
    decoding = nil
    lane?.segments = []
    lane?.setActive(false)
    reportRate(0, .endOfQueue)
    reports.fact(.ended(run))
  }
}
