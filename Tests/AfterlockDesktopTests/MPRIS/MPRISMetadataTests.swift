import AfterlockCore
import Testing

@testable import AfterlockDesktop

@Suite("MPRIS metadata")
struct MPRISMetadataTests {
  private func entry(_ location: MediaLocation = .file(MediaPath("/music/a.flac")), title: String? = nil)
    -> QueueEntry
  {
    QueueEntry(id: TrackID(rawValue: 7), location: location, title: title)
  }

  private func info(_ tags: MediaTags = MediaTags(), frames: Int64? = 96_000) -> MediaInfo {
    MediaInfo(
      format: AudioFormat(rate: 48_000, channels: [.frontLeft, .frontRight]), frames: frames, codec: "flac",
      isSeekExact: true, tags: tags, hasArtwork: false)
  }

  private func map(_ value: BusValue) -> [String: BusValue] {
    guard case .properties(let properties) = value else { return [:] }
    return Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.value) })
  }

  @Test func `without a track it says so, and nothing else`() {
    let none = BusValue.objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")
    #expect(map(MPRISMetadata.map(nil, nil)) == ["mpris:trackid": none])
  }

  @Test func `has the specification's types, and leaves out what is not known`() {
    var tags = MediaTags()
    tags.title = "Title"
    tags.artists = ["One", "Two"]
    tags.album = "Album"
    tags.albumArtists = ["One"]
    tags.composers = ["Three"]
    tags.genres = ["Jazz"]
    tags.comment = "Words"
    tags.date = "2024-05"
    tags.trackNumber = 3
    tags.discNumber = 1
    let full = map(MPRISMetadata.map(entry(), info(tags), artwork: "file:///c/a.png"))
    let types = full.mapValues(\.signature)
    #expect(
      types == [
        "mpris:trackid": "o", "mpris:length": "x", "mpris:artUrl": "s", "xesam:url": "s", "xesam:title": "s",
        "xesam:artist": "as", "xesam:album": "s", "xesam:albumArtist": "as", "xesam:composer": "as",
        "xesam:genre": "as", "xesam:comment": "as", "xesam:trackNumber": "i", "xesam:discNumber": "i",
        "xesam:contentCreated": "s",
      ])
    #expect(full["mpris:length"] == .int64(2_000_000) && full["xesam:comment"] == .texts(["Words"]))
    #expect(full["xesam:contentCreated"] == .string("2024-05-01T00:00:00Z"))
    let bare = map(MPRISMetadata.map(entry(), nil))
    #expect(Set(bare.keys) == ["mpris:trackid", "xesam:url", "xesam:title"])
    #expect(bare["xesam:title"] == .string("a.flac"))
    // A live stream has no length.
    #expect(map(MPRISMetadata.map(entry(), info(frames: nil)))["mpris:length"] == nil)
    #expect(map(MPRISMetadata.map(entry(title: "Listed"), info()))["xesam:title"] == .string("Listed"))
  }

  @Test(
    arguments: [
      ("2024", "2024-01-01T00:00:00Z"), ("2024-02", "2024-02-01T00:00:00Z"),
      ("2024-02-29", "2024-02-29T00:00:00Z"), ("2024-02-29T12:34:56", "2024-02-29T12:34:56Z"),
      ("2024-02-29T12:34:56Z", "2024-02-29T12:34:56Z"), ("0000", nil), ("24", nil), ("2024-13", nil),
      ("2024-1-1", nil), ("2024-01-32", nil),
      ("2024-02-30", nil), ("2023-02-29", nil), ("2000-02-29", "2000-02-29T00:00:00Z"), ("1900-02-29", nil),
      ("2024-04-31", nil), ("May 2024", nil), ("", nil), ("2024T", nil),
      ("2024-01-01T25:00:00", nil), ("２０２４", nil),
    ] as [(String, String?)])
  func `dates become ISO 8601, or nothing`(date: String, expected: String?) {
    #expect(MPRISMetadata.timestamp(date) == expected)
  }

  @Test func `what nobody can show is cut, between characters`() {
    var tags = MediaTags()
    tags.title = String(repeating: "é", count: 4_000)
    tags.artists = Array(repeating: "One", count: 40)
    let map = map(MPRISMetadata.map(entry(), info(tags)))
    #expect(map["xesam:title"] == .string(String(repeating: "é", count: 2_048)))
    #expect(map["xesam:artist"] == .texts(Array(repeating: "One", count: 16)))
  }

  @Test func `a character longer than a text may be is cut too`() {
    var tags = MediaTags()
    let accents = String(repeating: "\u{301}", count: 1_000_000)
    tags.title = "e" + accents
    tags.album = "ab" + accents
    let map = map(MPRISMetadata.map(entry(), info(tags)))
    #expect(map["xesam:title"] == .string("e" + String(repeating: "\u{301}", count: 2_047)))
    #expect(map["xesam:album"] == .string("a"))
  }

  @Test func `all texts of a track have a bound, and what stands first is whole`() {
    var tags = MediaTags()
    let long = Array(repeating: String(repeating: "\0", count: 4_096), count: 40)
    (tags.artists, tags.albumArtists, tags.composers, tags.genres) = (long, long, long, long)
    (tags.title, tags.album, tags.comment) = ("Title", "Album", "Words")
    let value = MPRISMetadata.map(entry(), info(tags), artwork: String(repeating: "a", count: 20_000))
    #expect(value.textBytes < MPRISMetadata.mostText + 1_000, "\(value.textBytes)")
    let map = map(value)
    #expect(map["xesam:title"] == .string("Title") && map["xesam:album"] == .string("Album"))
    #expect(map["mpris:artUrl"] == nil && map["xesam:comment"] == nil)
    guard case .array(_, let artists)? = map["xesam:artist"] else {
      Issue.record("\(map.keys)")
      return
    }
    #expect(artists.count == 16 && artists[0] == .string(String(repeating: "\u{FFFD}", count: 1_365)))
  }

  @Test func `an address that nobody can open is left out`() {
    let path = "/" + String(repeating: "ä", count: 4_000)
    #expect(map(MPRISMetadata.map(entry(.file(MediaPath(path))), nil))["xesam:url"] == nil)
    #expect(map(MPRISMetadata.map(entry(.url("http://h/" + path)), nil))["xesam:url"] == nil)
    let longest = "/" + String(repeating: "ä", count: 2_047)
    #expect(map(MPRISMetadata.map(entry(.file(MediaPath(longest))), nil))["xesam:url"] != nil)
  }

  @Test func `ids are paths that lead back, and no others do`() {
    for id in [1, 42, UInt64.max] {
      #expect(MPRISTrack.id(MPRISTrack.path(TrackID(rawValue: id))) == TrackID(rawValue: id))
    }
    for path in [
      "/", MPRISTrack.none, "/org/afterlock/track/", "/org/afterlock/track/0", "/org/afterlock/track/01",
      "/org/afterlock/track/1x", "/org/afterlock/track/18446744073709551616", "/org/mpris/MediaPlayer2/1",
    ] {
      #expect(MPRISTrack.id(path) == nil, "\(path)")
    }
  }

  @Test func `addresses of files are percent-encoded byte for byte`() {
    #expect(MediaAddress.file(Array("/a b/ü%#?.ogg".utf8)) == "file:///a%20b/%C3%BC%25%23%3F.ogg")
    #expect(MediaAddress.file([0x2F, 0xFF, 0x0A]) == "file:///%FF%0A")
    #expect(MediaAddress.file(Array("x".utf8)).hasPrefix("file:///"))
    #expect(MediaAddress.of(.url("http://h/a?b=c%20d&e f")) == "http://h/a?b=c%20d&e%20f")
  }

  @Test func `texts are such as the bus takes`() {
    let refused: [UInt32] = [0, 0xFFFF, 0xFDD0, 0x1FFFE]
    for scalar in refused.compactMap(Unicode.Scalar.init) {
      #expect(BusValue.text("a" + String(Character(scalar)) + "b") == .string("a\u{FFFD}b"))
    }
    #expect(BusValue.text("Füße 音楽 🎧") == .string("Füße 音楽 🎧"))
  }
}
