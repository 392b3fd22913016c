/// What the phone's frameworks offer an app beside player and notifications.
struct PhoneServices: Sendable {
  /// The audio session (P2, P3, P13).
  let session = PhoneSession()
  /// What is to become of the picture (P4, P5).
  let video = PhoneVideo()
  /// What the lock screen shows (F).
  let nowPlaying = NowPlayingCenter()
}
