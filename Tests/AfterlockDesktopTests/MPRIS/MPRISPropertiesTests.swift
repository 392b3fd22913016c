import AfterlockCore
import Testing

@testable import AfterlockDesktop

@Suite("MPRIS properties")
struct MPRISPropertiesTests {
  private func snapshot(_ change: (inout PlayerSnapshot) -> Void = { _ in }) -> PlayerSnapshot {
    var snapshot = PlayerSnapshot()
    snapshot.entry = QueueEntry(id: TrackID(rawValue: 1), location: .file(MediaPath("/a")))
    snapshot.run = snapshot.entry.map { PlaybackRun(id: 1, entry: $0) }
    snapshot.state = .playing
    snapshot.intent = PlaybackIntent(wantsToPlay: true, origin: .viewer)
    snapshot.count = 1
    change(&snapshot)
    return snapshot
  }

  private func changes(_ change: (inout PlayerSnapshot) -> Void) -> [String] {
    MPRISProperties(snapshot(change)).changes(since: MPRISProperties(snapshot()), in: .player)
  }

  @Test func `every property has a value of the type that the table gives`() throws {
    for (interface, table) in [
      (MPRISProperties.Interface.root, MPRISTable.root), (.player, MPRISTable.player),
      (.trackList, MPRISTable.trackList),
    ] {
      var named: [String] = []
      for member in table {
        guard case .property(let type, _, _) = member.kind else { continue }
        let name = "\(member.name)"
        named.append(name)
        if name == "Position" { continue }
        let own = MPRISProperties(snapshot()).value(name, of: interface)
        let value = try #require(own ?? MPRISTrackList().value(name), "\(name)")
        #expect(value.signature == "\(type)", "\(name)")
      }
      #expect(named.filter { $0 != "Position" } == MPRISProperties.names(interface), "in the same order")
    }
  }

  @Test func `only what is other is told of`() {
    #expect(changes { _ in } == [])
    #expect(changes { $0.position = .seconds(3) } == [])
    #expect(changes { $0.jumps = 4 } == [])
    #expect(changes { $0.volume = Volume(percent: 50) } == ["Volume"])
    #expect(changes { $0.isMuted = true } == ["Volume"])
    #expect(changes { $0.loopMode = .track } == ["LoopStatus"])
    #expect(changes { $0.isShuffled = true } == ["Shuffle"])
    #expect(changes { $0.hasNext = true } == ["CanGoNext"])
    #expect(changes { $0.expectsMore = true } == ["CanGoNext"], "it is not known, and that is true")
    #expect(changes { $0.listVersion = 9 } == [])
    #expect(changes { $0.intent.wantsToPlay = false } == ["PlaybackStatus"])
    #expect(changes { $0.state = .paused } == [], "it waits, and that is no wish")
    #expect(changes { $0.entry = nil } == ["Metadata"])
  }

  @Test func `a noise maker's volume ends at 100 %, and a player's does not`() {
    let loud = PlayerCommand.setVolume(Volume(percent: 130))
    let soft = PlayerCommand.setVolume(Volume(percent: 30))
    #expect(RemoteOffer.noiseMaker.taken(loud) == .setVolume(.full))
    #expect(RemoteOffer.noiseMaker.taken(soft) == soft)
    #expect(RemoteOffer.everything.taken(loud) == loud)
  }

  @Test func `a noise maker offers play and pause, and only while its file can be played`() {
    func offered(_ change: @escaping (inout PlayerSnapshot) -> Void = { _ in }) -> [String] {
      let snapshot = snapshot { snapshot in
        snapshot.info = MediaInfo(
          format: AudioFormat(rate: 48_000, channels: [.frontLeft]), frames: 48_000, codec: "flac",
          isSeekExact: true, tags: MediaTags(), hasArtwork: false)
        (snapshot.hasNext, snapshot.hasPrevious) = (true, true)
        change(&snapshot)
      }
      let properties = MPRISProperties(snapshot, offer: .noiseMaker)
      let names = ["CanPlay", "CanPause", "CanSeek", "CanGoNext", "CanGoPrevious"]
      return names.filter { properties.value($0, of: .player) == .boolean(true) }
    }
    #expect(offered() == ["CanPlay", "CanPause"])
    #expect(
      offered { snapshot in
        snapshot.state = .ended
        guard let entry = snapshot.entry else { return }
        let failure = PlaybackFailure(.missing, "There is no such file.")
        snapshot.failures = FailureList([ItemFailure(entry: entry, failure: failure, extent: .notPlayed)])
      } == [])
  }

  @Test func `a picture is news when its file is there, and its address is percent-encoded`() throws {
    let picture = ArtworkImage(bytes: [1], mimeType: "image/png", file: MediaPath("/c/ä b.png"))
    #expect(changes { $0.artwork = picture } == ["Metadata"])
    #expect(
      changes { $0.artwork = ArtworkImage(bytes: [1], mimeType: "image/png") } == [], "none can read it")
    #expect(changes { $0.isHeard = true } == [])
    let properties = MPRISProperties(snapshot { $0.artwork = picture })
    guard case .properties(let map)? = properties.value("Metadata", of: .player) else {
      Issue.record("no metadata")
      return
    }
    #expect(map.first { $0.name == "mpris:artUrl" }?.value == .string("file:///c/%C3%A4%20b.png"))
  }

  @Test(
    arguments: [
      (.playing, true, [], "Playing"), (.loading, true, [], "Playing"), (.paused, false, [], "Paused"),
      (.paused, true, .serverLost, "Playing"), (.paused, true, .routeLost, "Playing"),
      (.paused, true, .systemPaused, "Paused"), (.stopped, false, [], "Stopped"),
      (.ended, true, [], "Stopped"),
    ] as [(PlaybackState, Bool, PlaybackSuppression, String)])
  func `the status is what a button would change`(
    state: PlaybackState, wants: Bool, held: PlaybackSuppression, status: String
  ) {
    let properties = MPRISProperties(
      snapshot {
        $0.state = state
        $0.intent.wantsToPlay = wants
        $0.suppression = held
      })
    #expect(properties.status == status)
  }

  @Test func `a jump is what the rate does not explain`() {
    func hasJumped(_ change: (inout PlayerSnapshot) -> Void) -> Bool {
      DesktopSession.hasJumped(from: snapshot(), to: snapshot(change))
    }
    #expect(!hasJumped { _ in })
    #expect(hasJumped { $0.jumps = 1 })
    // The same track again: nothing else tells a client.
    #expect(hasJumped { $0.run = $0.entry.map { PlaybackRun(id: 2, entry: $0) } })
    func hasWaited(_ state: PlaybackState, for causes: PlaybackSuppression) -> Bool {
      var (before, now) = (snapshot(), snapshot())
      (before.state, before.suppression, now.state) = (state, causes, state)
      (before.isHeard, now.isHeard) = (true, true)
      return DesktopSession.hasJumped(from: before, to: now)
    }
    // The position stood still while the status was "Playing".
    #expect(hasWaited(.playing, for: .serverLost) && hasWaited(.playing, for: .routeLost))
    #expect(!hasWaited(.playing, for: []) && !hasWaited(.paused, for: .screenLocked))
    // Another track begins at 0, and its metadata says so.
    #expect(
      !hasJumped {
        $0.entry = QueueEntry(id: TrackID(rawValue: 2), location: .file(MediaPath("/b")))
        $0.run = $0.entry.map { PlaybackRun(id: 2, entry: $0) }
      })
  }

  @Test func `loop modes have the specification's words`() {
    #expect(LoopMode.allCases.map(MPRISProperties.loopWord) == ["None", "Track", "Playlist"])
    #expect(MPRISProperties.loopMode("Playlist") == .playlist && MPRISProperties.loopMode("playlist") == nil)
  }
}
