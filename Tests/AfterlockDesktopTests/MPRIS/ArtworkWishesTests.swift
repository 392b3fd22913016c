import AfterlockCore
import Testing

@testable import AfterlockDesktop

@Suite("When a picture is asked for")
struct ArtworkWishesTests {
  private func snapshot(
    _ id: UInt64?, _ state: PlaybackState, isHeard: Bool = false, hasArtwork: Bool? = nil
  ) -> PlayerSnapshot {
    var snapshot = PlayerSnapshot()
    snapshot.entry = id.map {
      QueueEntry(id: TrackID(rawValue: $0), location: .file(MediaPath("/\($0)")))
    }
    snapshot.info = hasArtwork.map {
      MediaInfo(
        format: AudioFormat(rate: 48_000, channels: [.mono]), frames: 48_000, codec: "flac",
        isSeekExact: true, tags: MediaTags(), hasArtwork: $0)
    }
    (snapshot.state, snapshot.isHeard) = (state, isHeard)
    return snapshot
  }

  private func request(_ id: UInt64, mayBeEmbedded: Bool) -> ArtworkWishes.Wish {
    .picture(
      ArtworkRequest(
        track: TrackID(rawValue: id), location: .file(MediaPath("/\(id)")), maximumSide: 512,
        mayBeEmbedded: mayBeEmbedded))
  }

  @Test func `the track is heard first, and is asked about once`() {
    var wishes = ArtworkWishes()
    #expect(wishes.take(snapshot(nil, .stopped)) == [])
    #expect(wishes.take(snapshot(1, .loading)) == [.trackChanged(TrackID(rawValue: 1))])
    #expect(wishes.take(snapshot(1, .playing, hasArtwork: true)) == [], "open, and not heard yet")
    let heard = snapshot(1, .playing, isHeard: true, hasArtwork: true)
    #expect(wishes.take(heard) == [request(1, mayBeEmbedded: true)])
    #expect(wishes.take(heard) == [])
    #expect(wishes.take(snapshot(1, .stopped)) == [])
    #expect(wishes.take(heard) == [])
  }

  @Test func `one that begins held is asked about when it is open`() {
    var wishes = ArtworkWishes()
    #expect(
      wishes.take(snapshot(2, .paused, hasArtwork: false))
        == [.trackChanged(TrackID(rawValue: 2)), request(2, mayBeEmbedded: false)])
  }

  @Test func `the next one is another, the one before it again, and the end is none`() {
    var wishes = ArtworkWishes()
    for id in [1, 2, 1] as [UInt64] {
      #expect(
        wishes.take(snapshot(id, .playing, isHeard: true, hasArtwork: true))
          == [.trackChanged(TrackID(rawValue: id)), request(id, mayBeEmbedded: true)])
    }
    #expect(wishes.take(snapshot(nil, .ended)) == [.trackChanged(nil)])
  }
}
