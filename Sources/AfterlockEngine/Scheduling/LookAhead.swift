internal import AfterlockCore
internal import AfterlockRealtime

/// Which track follows which, as far ahead as the rings reach.
extension DecodingEngine {
  /// Tracks that may wait for their turn, however short they are.
  private static let mostTracks = 1_024
  /// Lanes that may be in use at once: each is a stream of its own to the server.
  static let mostLanes = 4
  /// The next track is opened when less than this is left to decode.
  private static let opensUpcomingBefore = Duration.seconds(5)

  /// What follows `after`. What was joined to it otherwise is taken back; if that is being heard already, the coordinator
  /// hears of it by `started` and decides anew.
  func setUpcoming(_ run: PlaybackRun?, after: PlaybackRun) {
    if opening?.run == after {
      upcoming = run.map(Upcoming.named) ?? .none
      return
    }
    guard let place = tracks.lastIndex(where: { $0.run.id == after.id }) else { return }
    if place + 1 < tracks.count {
      guard tracks[place + 1].run != run, takeBack(from: place + 1) else { return }
    } else if !upcoming.isUnknown, upcoming.run == run {
      return
    }
    upcoming = run.map(Upcoming.named) ?? .none
    fill()
  }

  /// Takes the track at `place` and all behind it out of the rings. `false` when it is being heard already.
  private func takeBack(from place: Int) -> Bool {
    var (number, segment) = (0, place)
    while segment >= lanes[number].segments.count {
      segment -= lanes[number].segments.count
      number += 1
    }
    if segment == 0 {
      guard !lanes[number - 1].ring.isReadToEnd else { return false }
      dropLanes(from: number)
    } else {
      let lane = lanes[number]
      guard lane.ring.takeBack(to: lane.segments[segment].startIndex) else { return false }
      lane.segments.removeSubrange(segment...)
      dropLanes(from: number + 1)
    }
    tracks.removeSubrange(place...)
    follow()
    return true
  }

  func openUpcomingIfNear() {
    guard case .named(let run) = upcoming, let last = tracks.last, tracks.count < Self.mostTracks else {
      return
    }
    if !last.isDecoded {
      guard let frames = last.info.frames else { return }
      let left = Duration.frames(max(0, frames - last.nextFrame), rate: last.format.rate)
      guard left < Self.opensUpcomingBefore else { return }
    }
    upcoming = .opening(run)
    open(run)
  }

  /// Goes on with the next track, when there is one, it is open and there is room. Otherwise says to the ring what its end
  /// is.
  func joinUpcoming() -> Bool {
    guard let lane = lanes.last else { return false }
    guard case .opened(let track) = upcoming, hasRoom(for: track) else {
      if upcoming.isNone { lane.ring.finish() }
      return false
    }
    upcoming = .unknown
    track.nextFrame = 0
    let isSameFormat = track.format == lane.format
    guard let next = isSameFormat ? lane : makeLane(for: track) else { return false }
    tracks.append(track)
    // It came late, and the end was taken for the last one: it is not.
    draining = nil
    if isSameFormat {
      lane.ring.reopen()
      append(track, to: lane)
    } else {
      lane.ring.finish()
      next.ring.hold(until: lane.ring)
      lanes.append(next)
      append(track, to: next)
      if rate > 0 { next.setActive(true) }
    }
    return true
  }

  private func hasRoom(for track: Track) -> Bool {
    guard tracks.count < Self.mostTracks else { return false }
    return track.format == lanes.last?.format || lanes.count < Self.mostLanes
  }

  /// Whether more can come without that something is heard before.
  var canGrow: Bool {
    guard let last = tracks.last else { return false }
    guard last.isDecoded else { return true }
    return switch upcoming {
    case .none: false
    case .unknown, .named, .opening: tracks.count < Self.mostTracks
    case .opened(let track): hasRoom(for: track)
    }
  }
}
