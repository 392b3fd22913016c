/// What a client may set: rate, volume, loop, shuffle.
extension ConformanceCheck {
  static var values: [Self] { rates + volumes + loops + shuffles }

  private static var rates: [Self] {
    [
      Self("rate 0 pauses", "Rate 0 while playing", gives: "done Paused d 1", from: .playing) { bus in
        let answer = try await bus.set("Rate", "d", "0")
        try await bus.call("Pause")
        return "\(answer) \(try await bus.status()) \(try await bus.get("Rate"))"
      },
      Self(
        "rate 0 is told of as a pause", "its signals", gives: "[changed PlaybackStatus s Paused]",
        from: .playing
      ) {
        bus in
        try await bus.told {
          try await bus.set("Rate", "d", "0")
          try await bus.waitUntilPaused()
        }
      },
    ]
      + ["1", "2", "0.5", "-1"].map { rate in
        Self(
          "rate \(rate)", "Rate \(rate), where there is one rate", gives: "done d 1 Playing []",
          from: .playing
        ) {
          bus in
          var answer = ""
          let signals = try await bus.signals { answer = try await bus.set("Rate", "d", rate) }
          return "\(answer) \(try await bus.get("Rate")) \(try await bus.status()) \(signals)"
        }
      }
  }

  private static var volumes: [Self] {
    [
      ("0.5", "0.5"), ("0", "0"), ("-3", "0"), ("1.5", "1.5"), ("99", "1.5"), ("inf", "1.5"),
      ("0.25", "0.25"),
    ]
    .map { given, expected in
      Self("volume \(given)", "Volume \(given)", gives: "done d \(expected)", from: .paused) {
        "\(try await $0.set("Volume", "d", given)) \(try await $0.get("Volume"))"
      }
    } + [
      Self(
        "volume is told of once", "the signals of Volume 0.5", gives: "[changed Volume d 0.5]", from: .paused
      ) {
        bus in
        try await bus.told { try await bus.set("Volume", "d", "0.5") }
      },
      Self("the same volume is no news", "the signals of Volume 1 at 1", gives: "[]", from: .paused) { bus in
        try await bus.told { try await bus.set("Volume", "d", "1") }
      },
      Self("volume is kept by a pause", "Volume after Play and Pause", gives: "d 0.5", from: .paused) { bus in
        try await bus.set("Volume", "d", "0.5")
        try await bus.call("Play")
        try await bus.call("Pause")
        return try await bus.get("Volume")
      },
    ]
  }

  private static var loops: [Self] {
    ["None", "Track", "Playlist"].map { word in
      Self("loop \(word)", "LoopStatus \(word)", gives: "done s \(word)", from: .paused) {
        "\(try await $0.set("LoopStatus", "s", word)) \(try await $0.get("LoopStatus"))"
      }
    } + [
      Self(
        "loop is told of once", "the signals of LoopStatus Track", gives: "[changed LoopStatus s Track]",
        from: .paused
      ) {
        bus in
        try await bus.told { try await bus.set("LoopStatus", "s", "Track") }
      },
      Self("the same loop is no news", "the signals of LoopStatus None at None", gives: "[]", from: .paused) {
        bus in
        try await bus.told { try await bus.set("LoopStatus", "s", "None") }
      },
    ]
  }

  private static var shuffles: [Self] {
    [
      Self("shuffle on", "Shuffle true", gives: "done b true", from: .paused) {
        "\(try await $0.set("Shuffle", "b", "true")) \(try await $0.get("Shuffle"))"
      },
      Self("shuffle off", "Shuffle true and false", gives: "done b false", from: .paused) {
        try await $0.set("Shuffle", "b", "true")
        return "\(try await $0.set("Shuffle", "b", "false")) \(try await $0.get("Shuffle"))"
      },
      Self(
        "shuffle is told of once", "the signals of Shuffle true", gives: "[changed Shuffle b true]",
        from: .paused
      ) {
        bus in
        try await bus.told { try await bus.set("Shuffle", "b", "true") }
      },
      Self(
        "shuffle leaves the list", "Tracks and the current one after Shuffle", gives: "the same, 1",
        from: .paused
      ) {
        bus in
        try await bus.set("Shuffle", "b", "true")
        return "\(try await bus.tracks() == bus.original ? "the same" : "another"), \(try await bus.place())"
      },
    ]
  }
}
