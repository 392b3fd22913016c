import AfterlockCore

/// When the picture of which track is asked for: once for each track, as a lock screen would (P9).
///
/// A picture is not to put off the first sound, so that of a track that is to sound is asked for when the track is heard.
/// So a track with a picture is told of twice: at once without it, since a change is told of within 10 ms, and with it
/// when it is there, which is a change of its own. To tell once where the picture is in the cache already would take
/// reading the picture first: the cache goes by content, and no 10 ms hold for a disk.
/// A value; whoever has it carries the wishes out.
struct ArtworkWishes: Hashable, Sendable {
  /// What the player is told.
  enum Wish: Hashable, Sendable {
    /// Another track is current, or none.
    case trackChanged(TrackID?)
    case picture(ArtworkRequest)
  }

  /// The longest side of a picture, in pixels: what a lock screen has room for.
  static let largestSide = 512
  private var track: TrackID?
  private var isAsked = false

  /// Takes in how the player is, and says what to tell it, in order.
  mutating func take(_ snapshot: PlayerSnapshot) -> [Wish] {
    var wishes: [Wish] = []
    if track != snapshot.entry?.id {
      (track, isAsked) = (snapshot.entry?.id, false)
      wishes.append(.trackChanged(track))
    }
    guard !isAsked, let entry = snapshot.entry, let info = snapshot.info,
      snapshot.isHeard || snapshot.state == .paused
    else { return wishes }
    isAsked = true
    wishes.append(
      .picture(
        ArtworkRequest(
          track: entry.id, location: entry.location, maximumSide: Self.largestSide,
          mayBeEmbedded: info.hasArtwork)))
    return wishes
  }
}
