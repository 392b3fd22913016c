/// What MPRIS 2.2 says of its interfaces, one member a line, in the words of ``IntrospectionReader``.
///
/// A method: its arguments, "in" or "out", with type and name. A signal: its arguments. A property: its type, how it may be
/// accessed, and the annotation EmitsChangedSignal, which is "true" where there is none.
enum MPRISFacts {
  static let root = "org.mpris.MediaPlayer2"
  static let player = "org.mpris.MediaPlayer2.Player"
  static let trackList = "org.mpris.MediaPlayer2.TrackList"

  /// Members that have to be there.
  static let required: Set<String> = lines(
    root,
    """
    method Raise
    method Quit
    property CanQuit b read true
    property CanRaise b read true
    property HasTrackList b read true
    property Identity s read true
    property DesktopEntry s read true
    property SupportedUriSchemes as read true
    property SupportedMimeTypes as read true
    """
  ).union(
    lines(
      player,
      """
      method Next
      method Previous
      method Pause
      method PlayPause
      method Stop
      method Play
      method Seek in x Offset
      method SetPosition in o TrackId in x Position
      method OpenUri in s Uri
      signal Seeked x Position
      property PlaybackStatus s read true
      property LoopStatus s readwrite true
      property Rate d readwrite true
      property Shuffle b readwrite true
      property Metadata a{sv} read true
      property Volume d readwrite true
      property Position x read false
      property MinimumRate d read true
      property MaximumRate d read true
      property CanGoNext b read true
      property CanGoPrevious b read true
      property CanPlay b read true
      property CanPause b read true
      property CanSeek b read true
      property CanControl b read false
      """)
  ).union(
    lines(
      trackList,
      """
      method GetTracksMetadata in ao TrackIds out aa{sv} Metadata
      method AddTrack in s Uri in o AfterTrack in b SetAsCurrent
      method RemoveTrack in o TrackId
      method GoTo in o TrackId
      signal TrackListReplaced ao Tracks o CurrentTrack
      signal TrackAdded a{sv} Metadata o AfterTrack
      signal TrackRemoved o TrackId
      signal TrackMetadataChanged o TrackId a{sv} Metadata
      property Tracks ao read invalidates
      property CanEditTracks b read true
      """))

  /// Members that may be left out.
  static let optional: Set<String> = lines(
    root,
    """
    property Fullscreen b readwrite true
    property CanSetFullscreen b read true
    """)

  /// The type of each entry of `Metadata` that this player gives.
  static let metadata: [String: String] = [
    "mpris:trackid": "o", "mpris:length": "x", "mpris:artUrl": "s", "xesam:album": "s",
    "xesam:albumArtist": "as", "xesam:artist": "as", "xesam:asText": "s", "xesam:audioBPM": "i",
    "xesam:autoRating": "d", "xesam:comment": "as", "xesam:composer": "as", "xesam:contentCreated": "s",
    "xesam:discNumber": "i", "xesam:firstUsed": "s", "xesam:genre": "as", "xesam:lastUsed": "s",
    "xesam:lyricist": "as", "xesam:title": "s", "xesam:trackNumber": "i", "xesam:url": "s",
    "xesam:useCount": "i", "xesam:userRating": "d",
  ]

  /// What of `found` is not as it is to be: one line for each member that is missing, or that nobody knows.
  static func differences(
    of found: Set<String>, from required: Set<String> = required, optional: Set<String> = optional
  ) -> [String] {
    required.subtracting(found).map { "missing: \($0)" }.sorted()
      + found.subtracting(required).subtracting(optional).map { "not in the specification: \($0)" }.sorted()
  }

  private static func lines(_ interface: String, _ text: String) -> Set<String> {
    Set(text.split(separator: "\n").map { "\(interface) \($0)" })
  }
}
