import AfterlockCore

/// What an app does on a phone beside playing: the parts of the fix that the product's own player does not carry (F).
///
/// Called on: any thread; used by one at a time.
struct PhoneHabits: Sendable {
  private let parts: AppParts
  private let services: PhoneServices
  private let player: any PlatformPlayer

  /// The app says what its sound and its picture are (P2, P5).
  init(_ parts: AppParts, _ services: PhoneServices, player: any PlatformPlayer) {
    self.parts = parts
    self.services = services
    self.player = player
    services.session.set(parts.category, parts.mode)
    services.video.backgroundPolicy = parts.backgroundPolicy
  }

  /// The app hears a notice, before its player does.
  func take(_ notice: PlatformNotice) {
    switch notice {
    case .lifecycle(.willResignActive):
      disableVideoTracks()
      if parts.activatesSession == .deactivatesOnResign { services.session.deactivate() }
    case .lifecycle(.didEnterBackground): disableVideoTracks()
    case .lifecycle(.didBecomeActive): services.video.hasTracks = true
    // The player died with the service: a new one takes its place (P13).
    case .serviceRestored: player.renew()
    case .lifecycle, .routeLost, .serviceLost: break
    }
  }

  /// The other way out of P4.
  private func disableVideoTracks() { if parts.disablesVideoTracks { services.video.hasTracks = false } }

  /// Tells the lock screen what plays, where it does not know it or would go on wrongly.
  func publish(_ snapshot: PlayerSnapshot, now: Duration) {
    let center = services.nowPlaying
    let shown = center.info
    guard let entry = snapshot.entry, snapshot.state != .stopped, snapshot.state != .ended else {
      if shown != nil { center.set(nil, at: now) }
      return
    }
    let isSame = shown?.item == entry.id
    let rate = snapshot.state == .playing ? 1.0 : 0
    if isSame, shown?.duration == snapshot.info?.duration, shown?.rate == rate,
      center.elapsed(at: now) == snapshot.position
    {
      return
    }
    center.set(
      NowPlayingInfo(
        item: entry.id, title: entry.title, duration: snapshot.info?.duration, elapsed: snapshot.position,
        rate: rate,
        artwork: isSame ? shown?.artwork ?? artwork : artwork),
      at: now)
  }

  private var artwork: NowPlayingArtwork {
    switch parts.artworkBuiltIn {
    case .mainActor: NowPlayingArtwork(.mainActor)
    case .nonisolated: NowPlayingArtwork(.nonisolated { Self.picture(side: $0) })
    }
  }

  /// The smallest picture that says how large it was wanted.
  static func picture(side: Int) -> ArtworkImage {
    ArtworkImage(bytes: Array("P1 \(side) \(side)".utf8), mimeType: "image/x-portable-bitmap")
  }
}
