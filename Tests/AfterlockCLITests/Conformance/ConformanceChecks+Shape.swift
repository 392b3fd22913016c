import AfterlockTestSupport

/// Types, ranges and access: what holds however the player is.
extension ConformanceCheck {
  static var shape: [Self] { rootProperties + playerProperties + readOnly + refusals + metadataTypes }

  private static var rootProperties: [Self] {
    let fixed = [
      ("CanQuit", "b true"), ("CanRaise", "b false"), ("HasTrackList", "b true"), ("Identity", "s Afterlock"),
      ("SupportedUriSchemes", "as [file, http, https]"),
      ("Fullscreen", "refused"), ("CanSetFullscreen", "refused"),
    ]
    return fixed.map { name, value in
      Self("root \(name)", "the property \(name)", gives: value) {
        try await $0.get(name, of: MPRISFacts.root)
      }
    } + [
      Self(
        "MIME types", "SupportedMimeTypes, each with one slash and once, FLAC and playlists among them",
        gives: "as true"
      ) { bus in
        let value = try await bus.value("SupportedMimeTypes", of: MPRISFacts.root)
        let types = value.data.texts
        let areSound = types.allSatisfy { $0.split(separator: "/").count == 2 }
        let areAll = Set(types).isSuperset(of: ["audio/flac", "audio/mpeg", "audio/x-mpegurl"])
        return "\(value["type"]?.text ?? "") \(areSound && areAll && Set(types).count == types.count)"
      },
      Self("DesktopEntry", "DesktopEntry, the name of a file without its end", gives: "s true") { bus in
        let value = try await bus.value("DesktopEntry", of: MPRISFacts.root)
        let name = value.data.text ?? ""
        return
          "\(value["type"]?.text ?? "") \(!name.isEmpty && !name.contains("/") && !name.hasSuffix(".desktop"))"
      },
      Self("Raise has no effect", "Raise, which CanRaise excludes", gives: "done") {
        try await $0.call("Raise", on: MPRISFacts.root)
      },
    ]
  }

  private static var playerProperties: [Self] {
    let fixed = [
      ("PlaybackStatus", "s Paused"), ("LoopStatus", "s None"), ("Rate", "d 1"), ("Shuffle", "b false"),
      ("Volume", "d 1"), ("Position", "x 0"), ("MinimumRate", "d 1"), ("MaximumRate", "d 1"),
      ("CanGoNext", "b true"), ("CanPlay", "b true"), ("CanPause", "b true"), ("CanSeek", "b true"),
      ("CanControl", "b true"),
    ]
    let all = [MPRISFacts.root, MPRISFacts.player, MPRISFacts.trackList]
    return fixed.map { name, value in
      Self("player \(name)", "the property \(name)", gives: value, from: .paused) { try await $0.get(name) }
    } + [
      Self("metadata is a map", "the type of Metadata", gives: "a{sv}") {
        try await $0.value("Metadata")["type"]?.text ?? ""
      }
    ]
      + all.map { interface in
        Self("GetAll \(interface)", "the names in GetAll beside those of the introspection", gives: "[]") {
          let document = try await $0.introspection()
          let declared = try IntrospectionReader.members(document).compactMap { line -> String? in
            let words = line.split(separator: " ")
            return words[0] == interface && words[1] == "property" ? String(words[2]) : nil
          }
          let given = try await $0.all(interface).keys
          return BusctlValue.list(Set(declared).symmetricDifference(given).sorted().map { .text($0) }).words
        }
      }
      + [("CanPlay", "Playing"), ("CanPause", "Playing"), ("CanPlay", "Stopped"), ("CanPause", "Stopped")].map
    {
      name, status in
      Self(
        "\(name) while \(status)", "\(name), which does not depend on the status", gives: "b true \(status)",
        from: status == "Playing" ? .playing : .stopped
      ) { "\(try await $0.get(name)) \(try await $0.status())" }
    }
  }

  /// Each property that cannot be written, with a value of its own type.
  private static var readOnly: [Self] {
    let properties: [(String, String, [String])] = [
      (MPRISFacts.root, "CanQuit b", ["false"]), (MPRISFacts.root, "CanRaise b", ["true"]),
      (MPRISFacts.root, "HasTrackList b", ["false"]), (MPRISFacts.root, "Identity s", ["x"]),
      (MPRISFacts.root, "DesktopEntry s", ["x"]), (MPRISFacts.root, "SupportedUriSchemes as", ["1", "x"]),
      (MPRISFacts.root, "SupportedMimeTypes as", ["1", "x"]),
      (MPRISFacts.player, "PlaybackStatus s", ["Playing"]), (MPRISFacts.player, "Metadata a{sv}", ["0"]),
      (MPRISFacts.player, "Position x", ["5"]), (MPRISFacts.player, "MinimumRate d", ["0.5"]),
      (MPRISFacts.player, "MaximumRate d", ["2"]), (MPRISFacts.player, "CanGoNext b", ["false"]),
      (MPRISFacts.player, "CanGoPrevious b", ["false"]), (MPRISFacts.player, "CanPlay b", ["false"]),
      (MPRISFacts.player, "CanPause b", ["false"]), (MPRISFacts.player, "CanSeek b", ["false"]),
      (MPRISFacts.player, "CanControl b", ["false"]), (MPRISFacts.trackList, "Tracks ao", ["0"]),
      (MPRISFacts.trackList, "CanEditTracks b", ["false"]),
    ]
    return properties.map { interface, property, value in
      let words = property.split(separator: " ").map(String.init)
      return Self("\(words[0]) is read only", "writing \(property)", gives: "refused, and it stays") { bus in
        let before = try await bus.get(words[0], of: interface)
        let answer = try await bus.set(words[0], words[1], value, of: interface)
        let after = try await bus.get(words[0], of: interface)
        let isSame = words[0] == "Position" || before == after
        return "\(answer), and it \(isSame ? "stays" : "changes")"
      }
    }
  }

  private static var refusals: [Self] {
    let writes = [
      ("LoopStatus", "b", "true"), ("LoopStatus", "s", "Always"), ("LoopStatus", "s", "track"),
      ("LoopStatus", "s", ""), ("Rate", "s", "1"), ("Rate", "x", "0"), ("Shuffle", "s", "true"),
      ("Shuffle", "i", "1"), ("Volume", "s", "0.5"), ("Volume", "i", "0"), ("Volume", "d", "nan"),
      ("NoSuchProperty", "b", "true"),
    ]
    return writes.map { name, type, value in
      Self("no \(name) of \(type) '\(value)'", "writing it", gives: "refused, the same", from: .anyhow) {
        bus in
        let before = try await bus.get(name)
        let answer = try await bus.set(name, type, value)
        return "\(answer), \(try await bus.get(name) == before ? "the same" : "another")"
      }
    } + [
      Self("no unknown property", "reading NoSuchProperty", gives: "refused") {
        try await $0.get("NoSuchProperty")
      },
      Self("no unknown method", "NoSuchMethod", gives: "refused") { try await $0.call("NoSuchMethod") },
      Self("no unknown interface", "a property of an unknown interface", gives: "refused") {
        try await $0.get("Volume", of: "org.mpris.MediaPlayer2.Nothing")
      },
      Self("Seek takes x", "Seek with a text", gives: "refused") { try await $0.call("Seek", "s", "5") },
      Self("Seek takes one", "Seek with nothing", gives: "refused") { try await $0.call("Seek") },
      Self("SetPosition takes o", "SetPosition with a text for the track", gives: "refused") {
        try await $0.call("SetPosition", "sx", "/", "5")
      },
      Self("OpenUri takes s", "OpenUri with a path of an object", gives: "refused") {
        try await $0.call("OpenUri", "o", "/a")
      },
      Self("Play takes nothing", "Play with a number", gives: "refused") {
        try await $0.call("Play", "x", "1")
      },
      Self("AddTrack takes three", "AddTrack with an address alone", gives: "refused") {
        try await $0.list("AddTrack", "s", "file:///a")
      },
      Self("GoTo takes o", "GoTo with a text", gives: "refused") { try await $0.list("GoTo", "s", "/a") },
    ]
  }

  /// Of a file with every tag.
  private static var metadataTypes: [Self] {
    let expected = [
      ("mpris:length", "x 20000000"), ("xesam:title", "s Title"), ("xesam:artist", "as [Artist]"),
      ("xesam:album", "s Album"), ("xesam:albumArtist", "as [Band]"), ("xesam:genre", "as [Jazz]"),
      ("xesam:composer", "as [Composer]"), ("xesam:comment", "as [Words]"), ("xesam:trackNumber", "i 3"),
      ("xesam:discNumber", "i 2"), ("xesam:contentCreated", "s 2024-05-06T00:00:00Z"),
    ]
    return expected.map { name, value in
      Self("metadata \(name)", "\(name) of a file with all tags", gives: value, from: .paused) { bus in
        try await bus.goToTagged()
        return try await bus.metadata()[name]?.words ?? "nothing"
      }
    } + [
      Self(
        "metadata types", "entries of Metadata with another type than the specification's", gives: "[]",
        from: .paused
      ) {
        bus in
        try await bus.goToTagged()
        let wrong = try await bus.metadata().filter { $1["type"]?.text != MPRISFacts.metadata[$0] }
        return BusctlValue.list(wrong.keys.sorted().map { .text($0) }).words
      },
      Self("metadata url", "xesam:url", gives: "true", from: .paused) { bus in
        try await bus.goToTagged()
        return "\(try await bus.metadata()["xesam:url"]?.words == "s \(bus.address("t%20%231.flac"))")"
      },
      Self("no tags are made up", "Metadata of a file without tags", gives: "[a.wav]", from: .paused) {
        let metadata = try await $0.metadata()
        let tags = metadata.filter { $0.key.hasPrefix("xesam:") && $0.key != "xesam:url" }
        return BusctlValue.list(tags.values.map(\.data)).words
      },
      Self("track id is a path", "mpris:trackid", gives: "o true", from: .paused) {
        let id = try await $0.metadata()["mpris:trackid"]
        let path = id?.data.text ?? ""
        return "\(id?["type"]?.text ?? "") \(path.hasPrefix("/") && !path.hasPrefix("/org/mpris"))"
      },
    ]
  }
}

extension ConformanceBus {
  /// Goes to the track with all tags, which is the last one.
  func goToTagged() async throws {
    try await list("GoTo", "o", original[3])
    try await waitUntil("its file to be open") { try await get("CanSeek") == "b true" }
  }
}
