import AfterlockCore
import Testing

/// What the noise maker shows (N).
@Suite struct NoiseMakerTests {
  private let entry = QueueEntry(
    id: TrackID(rawValue: 1), location: .file(MediaPath("/sounds/rain.wav")), title: nil)
  private let info = MediaInfo(
    format: AudioFormat(rate: 48_000, channels: [.frontLeft]), frames: 48_000, codec: "pcm_s16le",
    isSeekExact: true, tags: MediaTags(), hasArtwork: false)

  private func snapshot(
    _ state: PlaybackState = .paused, wants: Bool = false, held: PlaybackSuppression = []
  ) -> PlayerSnapshot {
    var snapshot = PlayerSnapshot()
    snapshot.entry = entry
    snapshot.info = info
    snapshot.state = state
    snapshot.intent = PlaybackIntent(wantsToPlay: wants, origin: .viewer)
    snapshot.suppression = held
    return snapshot
  }

  private func failed(_ extent: ItemFailure.Extent, _ state: PlaybackState = .ended) -> PlayerSnapshot {
    var snapshot = snapshot(state)
    if state == .ended { (snapshot.entry, snapshot.info) = (nil, nil) }
    let failure = PlaybackFailure(.corrupt, "The file is damaged.")
    snapshot.failures = FailureList([ItemFailure(entry: entry, failure: failure, extent: extent)])
    return snapshot
  }

  @Test func `A file that is open has loaded, before anybody says Play`() {
    let shown = NoiseMaker(snapshot())
    #expect(shown.status == "rain.wav has loaded")
    #expect(shown.toggle == .play && shown.hasControls && shown.volumePercent == 100)
  }

  @Test func `A title is a better name than the file's`() {
    var snapshot = snapshot()
    snapshot.entry?.title = "Noise"
    #expect(NoiseMaker(snapshot).status == "Noise has loaded")
  }

  @Test func `Nothing is said of a file that is still being opened, and a wish for it is taken`() {
    var snapshot = snapshot(.loading)
    snapshot.info = nil
    let shown = NoiseMaker(snapshot)
    #expect(shown.status.isEmpty && shown.hasControls)
    #expect(shown.taken(.play) == .play)
  }

  private static let readings:
    [(state: PlaybackState, wants: Bool, held: PlaybackSuppression, toggle: NoiseMaker.Toggle)] = [
      (.playing, true, [], .pause), (.paused, false, [], .play), (.ended, true, [], .play),
      (.stopped, false, [], .play), (.paused, true, .audioSessionInterrupted, .play),
      // A headset that was pulled: a press goes on. A server that is gone: a press takes the wish back.
      (.paused, true, .sinkLost, .play), (.paused, true, .serverLost, .pause),
    ]

  @Test(arguments: readings)
  func `The toggle reads what a press would do`(
    state: PlaybackState, wants: Bool, held: PlaybackSuppression, toggle: NoiseMaker.Toggle
  ) {
    #expect(NoiseMaker(snapshot(state, wants: wants, held: held)).toggle == toggle)
  }

  @Test func `What the toggle reads is what the policy does`() {
    var policy = PlaybackPolicy()
    _ = policy.handle(.itemSelected)
    _ = policy.handle(.itemReady)
    let events: [PlaybackEvent] = [
      .play(.viewer), .serverLost, .serverRestored, .routeLost, .routeRestored, .sinkLost(.usb),
      .play(.viewer),
      .lifecycle(.interruptionBegan), .lifecycle(.interruptionEnded(shouldResume: nil)),
      .pause(.viewer), .play(.viewer), .stop(.viewer), .play(.viewer), .queueEnded,
    ]
    var readings: Set<NoiseMaker.Toggle> = []
    for event in events {
      _ = policy.handle(event)
      let shown = NoiseMaker(
        snapshot(policy.state, wants: policy.intent.wantsToPlay, held: policy.suppression))
      var pressed = policy
      _ = pressed.handle(.togglePlayPause(.viewer))
      #expect(pressed.intent.wantsToPlay == (shown.toggle == .play), "after \(event)")
      readings.insert(shown.toggle)
    }
    #expect(readings.count == 2)
  }

  @Test(arguments: [ItemFailure.Extent.notPlayed, .brokeOff])
  func `A file that cannot be played disables the controls and says so`(extent: ItemFailure.Extent) {
    let shown = NoiseMaker(failed(extent))
    #expect(shown.status == "Unable to load file" && !shown.hasControls && shown.toggle == .play)
    #expect(shown.file == .unloadable(PlaybackFailure(.corrupt, "The file is damaged.")))
    for command in [PlayerCommand.play, .togglePlayPause, .setVolume(.full), .stop] {
      #expect(shown.taken(command) == nil)
    }
  }

  @Test func `A file that plays on with a part missing has loaded`() {
    #expect(NoiseMaker(failed(.damaged, .playing)).status == "rain.wav has loaded")
  }

  @Test func `Only play, pause, toggle and the slider are taken, and Stop is a pause`() {
    let shown = NoiseMaker(snapshot(.playing, wants: true))
    for command in [
      PlayerCommand.play, .pause, .togglePlayPause, .setVolume(.full), .changeVolume(percent: 5),
    ] {
      #expect(shown.taken(command) == command)
    }
    #expect(shown.taken(.stop) == .pause)
    let others: [PlayerCommand] = [
      .next, .previous, .seek(to: .zero, in: nil), .seekBy(.seconds(1)), .setLoopMode(.none), .cycleLoopMode,
      .setShuffled(true), .toggleShuffled, .jump(to: entry.id), .remove(entry.id),
    ]
    for command in others { #expect(shown.taken(command) == nil, "\(command)") }
  }

  @Test func `The slider shows what is heard`() {
    var snapshot = snapshot()
    snapshot.volume = Volume(percent: 40)
    #expect(NoiseMaker(snapshot).volumePercent == 40)
    snapshot.isMuted = true
    #expect(NoiseMaker(snapshot).volumePercent == 0)
  }
}
