/// What the phone's frameworks offer an app beside player and notifications.
struct PhoneServices: Sendable {
  let session = PhoneSession()
  let video = PhoneVideo()
  let nowPlaying = NowPlayingCenter()
}
