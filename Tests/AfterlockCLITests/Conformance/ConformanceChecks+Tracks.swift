import AfterlockTestSupport

/// The list of tracks, and what is opened.
extension ConformanceCheck {
  static var tracks: [Self] { listing + adding + refusing + removing + going + opening }

  private static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  private static var listing: [Self] {
    [
      Self("the list in order", "the files of Tracks", gives: original, from: .paused) {
        "\(try await $0.files())"
      },
      Self("Tracks are paths", "the type of Tracks", gives: "ao") {
        try await $0.value("Tracks", of: MPRISFacts.trackList)["type"]?.text ?? ""
      },
      Self("ids are unique", "Tracks with the same file twice", gives: "4", from: .paused) {
        "\(Set(try await $0.tracks()).count)"
      },
      Self("the list can be edited", "CanEditTracks", gives: "b true") {
        try await $0.get("CanEditTracks", of: MPRISFacts.trackList)
      },
      Self("metadata in the order asked for", "GetTracksMetadata of 2, 1, 2", gives: "true", from: .paused) {
        bus in
        let asked = [1, 0, 1].map { bus.original[$0] }
        return "\(try await bus.metadata(of: asked).map { $0["mpris:trackid"]?.data.text } == asked)"
      },
      Self("metadata of unknown tracks", "GetTracksMetadata of two that are not there", gives: "0") {
        "\(try await $0.metadata(of: [none, "/org/afterlock/track/99999"]).count)"
      },
      Self("metadata of no tracks", "GetTracksMetadata of nothing", gives: "aa{sv} [[]]") {
        try await $0.list("GetTracksMetadata", "ao", "0")
      },
      Self("metadata of the current track", "GetTracksMetadata beside Metadata", gives: "true", from: .paused)
      { bus in
        "\(try await bus.metadata(of: [bus.original[0]]).first == bus.metadata())"
      },
    ]
  }

  private static let original = #"["a.wav", "b.wav", "a.wav", "t%20%231.flac"]"#

  private static func add(
    _ name: String, _ asked: String, _ file: String, after place: Int?, current: Bool = false,
    gives files: String
  ) -> Self {
    Self(name, "AddTrack \(asked)", gives: files, from: .paused) { bus in
      let after = place.map { bus.original[$0] } ?? none
      let count = files.split(separator: " ")[1].count
      let answer = try await bus.list("AddTrack", "sob", bus.address(file), after, "\(current)")
      try await bus.waitForTracks(count)
      return "\(answer) \(try await bus.files().map { $0.prefix(1) }.joined()) \(try await bus.place())"
        + " \(try await bus.status())"
    }
  }

  private static var adding: [Self] {
    [
      add("AddTrack at the start", "behind NoTrack", "c.wav", after: nil, gives: "done cabat 2 Paused"),
      add("AddTrack behind a track", "behind the second", "c.wav", after: 1, gives: "done abcat 1 Paused"),
      add("AddTrack at the end", "behind the last", "c.wav", after: 3, gives: "done abatc 1 Paused"),
      add(
        "AddTrack as the current one", "to be current", "c.wav", after: 1, current: true,
        gives: "done abcat 3 Paused"),
      add("AddTrack of a folder", "of three files", "f", after: 0, gives: "done a123bat 1 Paused"),
      add(
        "AddTrack of a folder as current", "of three files, to be current", "f", after: 0, current: true,
        gives: "done a123bat 2 Paused"),
      add("AddTrack of a playlist", "of two items", "l.m3u", after: 3, gives: "done abatcb 1 Paused"),
      Self("AddTrack behind an unknown track", "the last file", gives: #"done "c.wav""#, from: .paused) {
        bus in
        let after = "/org/afterlock/track/99999"
        let answer = try await bus.list("AddTrack", "sob", bus.address("c.wav"), after, "false")
        return "\(answer) \(try await bus.files().suffix(1).map(\.debugDescription).joined())"
      },
      Self("AddTrack of the same file", "the number of ids", gives: "5", from: .paused) { bus in
        try await bus.list("AddTrack", "sob", bus.address("a.wav"), bus.original[0], "false")
        return "\(Set(try await bus.tracks()).count)"
      },
      Self("ids of the others stay", "Tracks without the new one", gives: "true", from: .paused) { bus in
        try await bus.list("AddTrack", "sob", bus.address("c.wav"), bus.original[0], "false")
        var tracks = try await bus.tracks()
        tracks.remove(at: 1)
        return "\(tracks == bus.original)"
      },
      Self("AddTrack is told of once", "its signals", gives: "true", from: .paused) { bus in
        let signals = try await bus.signals {
          try await bus.list("AddTrack", "sob", bus.address("c.wav"), bus.original[1], "false")
        }
        let new = try await bus.tracks()[2]
        let expected = [
          "TrackAdded {mpris:trackid: o \(new), xesam:title: s c.wav, xesam:url: s \(bus.address("c.wav"))} "
            + bus.original[1], "changed Tracks without its value",
        ]
        return signals == expected ? "true" : "\(signals)"
      },
      Self(
        "many tracks replace the list", "what a client knows after the signals for a folder of 60",
        gives: "replaced true 64", from: .paused
      ) { bus in
        let signals = try await bus.signals {
          try await bus.list("AddTrack", "sob", bus.address("many"), bus.original[0], "false")
          try await bus.waitForTracks(64)
        }
        let isReplaced = signals.contains { $0.hasPrefix("TrackListReplaced") }
        let known = ConformanceBus.list(bus.original, after: signals)
        let tracks = try await bus.tracks()
        return "\(isReplaced ? "replaced" : "\(signals)") \(known == tracks) \(tracks.count)"
      },
    ]
  }

  private static var refusing: [Self] {
    let refused = [
      ("a file that is not there", "missing.wav", "no such file"),
      ("what is no sound", "notes.txt", "notes.txt"), ("an empty folder", "empty", "no music"),
    ]
    return refused.map { name, file, cause in
      Self("no \(name)", "AddTrack of it", gives: "with its cause, []", from: .paused) { bus in
        var answer = ""
        let signals = try await bus.signals {
          answer = try await bus.cause(
            "AddTrack", "sob", bus.address(file), bus.original[0], "true", on: MPRISFacts.trackList)
        }
        return "\(answer.contains(cause) ? "with its cause" : answer), \(signals)"
      }
    }
      + ["ftp://host/a.wav", "a.wav", "/tmp/a.wav", "", "http://127.0.0.1:1/a.wav"].map { address in
        Self("no '\(address)'", "AddTrack of it", gives: "refused 4 1", from: .paused) { bus in
          let answer = try await bus.list("AddTrack", "sob", address, bus.original[0], "true")
          return "\(answer) \(try await bus.tracks().count) \(try await bus.place())"
        }
      }
  }

  private static var removing: [Self] {
    [
      Self(
        "RemoveTrack takes out", "the list without a track that was added", gives: "done true", from: .paused
      ) {
        bus in
        let new = try await bus.added()
        return "\(try await bus.list("RemoveTrack", "o", new)) \(try await bus.tracks() == bus.original)"
      },
      Self("RemoveTrack is told of once", "its signals", gives: "true", from: .paused) { bus in
        let new = try await bus.added()
        let signals = try await bus.signals { try await bus.list("RemoveTrack", "o", new) }
        return signals == ["TrackRemoved \(new)", "changed Tracks without its value"] ? "true" : "\(signals)"
      },
      Self("RemoveTrack of what follows", "the next track", gives: "2 of 4, Paused", from: .paused) { bus in
        try await bus.list("RemoveTrack", "o", try await bus.added())
        try await bus.call("Next")
        return "\(try await bus.place()) of \(try await bus.tracks().count), \(try await bus.status())"
      },
      Self("RemoveTrack of the current one", "what plays then", gives: "Paused b.wav", from: .paused) { bus in
        let new = try await bus.added()
        try await bus.list("GoTo", "o", new)
        try await bus.list("RemoveTrack", "o", new)
        return "\(try await bus.status()) \(try await bus.metadata()["xesam:title"]?.data.words ?? "nothing")"
      },
      Self("RemoveTrack plays on", "the same while playing", gives: "Playing b.wav", from: .playing) { bus in
        let new = try await bus.added()
        try await bus.list("GoTo", "o", new)
        try await bus.list("RemoveTrack", "o", new)
        return "\(try await bus.status()) \(try await bus.metadata()["xesam:title"]?.data.words ?? "nothing")"
      },
    ]
      + [none, "/", "/org/afterlock/track/99999"].map { track in
        Self("RemoveTrack \(track)", "a track that is not there", gives: "done []", from: .paused) { bus in
          var answer = ""
          let signals = try await bus.signals { answer = try await bus.list("RemoveTrack", "o", track) }
          return "\(answer) \(signals)"
        }
      }
  }

  private static var going: [Self] {
    [
      Self("GoTo keeps a pause", "GoTo the third while paused", gives: "done Paused 3", from: .paused) {
        bus in
        let answer = try await bus.list("GoTo", "o", bus.original[2])
        return "\(answer) \(try await bus.status()) \(try await bus.place())"
      },
      Self("GoTo plays on", "GoTo the third while playing", gives: "done Playing 3", from: .playing) { bus in
        let answer = try await bus.list("GoTo", "o", bus.original[2])
        return "\(answer) \(try await bus.status()) \(try await bus.place())"
      },
      Self("GoTo stays stopped", "GoTo the third while stopped", gives: "done Stopped 3", from: .stopped) {
        bus in
        let answer = try await bus.list("GoTo", "o", bus.original[2])
        return "\(answer) \(try await bus.status()) \(try await bus.place())"
      },
    ]
      + [none, "/", "/org/afterlock/track/99999"].map { track in
        Self("GoTo \(track)", "a track that is not there", gives: "done Paused 1", from: .paused) {
          "\(try await $0.list("GoTo", "o", track)) \(try await $0.status()) \(try await $0.place())"
        }
      }
  }

  private static var opening: [Self] {
    let starts: [(String, ConformanceBus.Start)] = [
      ("paused", .paused), ("playing", .playing), ("stopped", .stopped),
    ]
    return starts.map { word, start in
      Self("OpenUri while \(word)", "OpenUri of a file", gives: "done Playing acbat 2", from: start) { bus in
        let answer = try await bus.call("OpenUri", "s", bus.address("c.wav"))
        let files = try await bus.files().map { $0.prefix(1) }.joined()
        return "\(answer) \(try await bus.status()) \(files) \(try await bus.place())"
      }
    } + [
      Self("OpenUri is told of", "TrackAdded, and then Metadata", gives: "true", from: .paused) { bus in
        let signals = try await bus.signals { try await bus.call("OpenUri", "s", bus.address("c.wav")) }
        let added = signals.firstIndex { $0.hasPrefix("TrackAdded") }
        let changed = signals.firstIndex { $0.hasPrefix("changed") && $0.contains("Metadata") }
        guard let added, let changed else { return "\(signals)" }
        return "\(added < changed)"
      },
      Self("after OpenUri the list goes on", "OpenUri and Next", gives: "Playing 3 b.wav", from: .paused) {
        bus in
        try await bus.call("OpenUri", "s", bus.address("c.wav"))
        try await bus.call("Next")
        let title = try await bus.metadata()["xesam:title"]?.data.words ?? "nothing"
        return "\(try await bus.status()) \(try await bus.place()) \(title)"
      },
      Self(
        "OpenUri of a folder", "its files, the first of which plays", gives: "Playing a123bat 2",
        from: .paused
      ) {
        bus in
        try await bus.call("OpenUri", "s", bus.address("f"))
        try await bus.waitForTracks(7)
        let files = try await bus.files().map { $0.prefix(1) }.joined()
        return "\(try await bus.status()) \(files) \(try await bus.place())"
      },
      Self(
        "a bad address loses nothing", "OpenUri of it at 10 s", gives: "refused Playing 1, []", from: .playing
      ) {
        bus in
        try await bus.call("SetPosition", "ox", bus.original[0], "10000000")
        var answer = ""
        let signals = try await bus.signals {
          answer = try await bus.call("OpenUri", "s", bus.address("notes.txt"))
        }
        try await bus.waitUntilMoved(beyond: 10_000_000)
        return "\(answer) \(try await bus.status()) \(try await bus.place()), \(signals)"
      },
    ]
  }
}

extension ConformanceBus {
  /// Waits until the list has so many tracks: the rest of a folder may come after the answer.
  func waitForTracks(_ count: Int) async throws {
    try await waitUntil("\(count) tracks") { try await tracks().count == count }
  }

  /// What a client that knew `tracks` knows after the signals.
  static func list(_ tracks: [String], after signals: [String]) -> [String] {
    var tracks = tracks
    for signal in signals {
      let words = signal.split { " [],{}:".contains($0) }.map(String.init)
      let paths = words.filter { $0.hasPrefix("/org/") }
      switch words[0] {
      case "TrackListReplaced": tracks = Array(paths.dropLast())
      case "TrackAdded":
        let place = tracks.firstIndex(of: paths[1]).map { $0 + 1 } ?? 0
        tracks.insert(paths[0], at: place)
      case "TrackRemoved": tracks.removeAll { $0 == paths[0] }
      default: break
      }
    }
    return tracks
  }

  /// Puts a track behind the current one, and gives its id.
  func added() async throws -> String {
    try await list("AddTrack", "sob", address("c.wav"), original[0], "false")
    return try await tracks()[1]
  }
}
