/// Play, pause, stop, next, previous and the position.
extension ConformanceCheck {
  static var steering: [Self] { playing + stopping + skipping + seeking + positions }

  private static var playing: [Self] {
    [
      Self("Play plays", "Play while paused", gives: "done Playing", from: .paused) {
        "\(try await $0.call("Play")) \(try await $0.status())"
      },
      Self(
        "Play is told of once", "the signals of Play", gives: "[changed PlaybackStatus s Playing]",
        from: .paused
      ) {
        bus in
        try await bus.told { try await bus.call("Play") }
      },
      Self("Play twice is Play once", "the signals of Play while playing", gives: "[]", from: .playing) {
        bus in
        try await bus.told { try await bus.call("Play") }
      },
      Self("Pause pauses", "Pause while playing", gives: "done Paused", from: .playing) {
        "\(try await $0.call("Pause")) \(try await $0.status())"
      },
      Self(
        "Pause is told of once", "the signals of Pause", gives: "[changed PlaybackStatus s Paused]",
        from: .playing
      ) {
        bus in
        try await bus.told { try await bus.call("Pause") }
      },
      Self("Pause twice is Pause once", "the signals of Pause while paused", gives: "[]", from: .paused) {
        bus in
        try await bus.told { try await bus.call("Pause") }
      },
      Self("PlayPause plays", "PlayPause while paused", gives: "done Playing", from: .paused) {
        "\(try await $0.call("PlayPause")) \(try await $0.status())"
      },
      Self("PlayPause pauses", "PlayPause while playing", gives: "done Paused", from: .playing) {
        "\(try await $0.call("PlayPause")) \(try await $0.status())"
      },
      Self("PlayPause starts", "PlayPause while stopped", gives: "done Playing", from: .stopped) {
        "\(try await $0.call("PlayPause")) \(try await $0.status())"
      },
      Self("Play goes on where it was", "Play and Pause at 30 s", gives: "30 s to 40 s", from: .paused) {
        bus in
        try await bus.call("SetPosition", "ox", bus.original[0], "30000000")
        try await bus.call("Play")
        try await bus.call("Pause")
        let position = try await bus.position()
        return (30_000_000...40_000_000).contains(position) ? "30 s to 40 s" : "\(position)"
      },
    ]
  }

  private static var stopping: [Self] {
    [
      Self("Stop stops", "Stop while playing", gives: "done Stopped", from: .playing) {
        "\(try await $0.call("Stop")) \(try await $0.status())"
      },
      Self("Stop stops a pause", "Stop while paused", gives: "done Stopped", from: .paused) {
        "\(try await $0.call("Stop")) \(try await $0.status())"
      },
      Self("Stop twice is Stop once", "the signals of Stop while stopped", gives: "[]", from: .stopped) {
        bus in
        try await bus.told { try await bus.call("Stop") }
      },
      Self("Pause leaves it stopped", "Pause while stopped", gives: "done Stopped", from: .stopped) {
        "\(try await $0.call("Pause")) \(try await $0.status())"
      },
      Self("stopped it stands at 0", "Position while stopped", gives: "x 0", from: .stopped) {
        try await $0.get("Position")
      },
      Self("stopped it keeps its track", "the current track after Stop", gives: "1", from: .stopped) {
        "\(try await $0.place())"
      },
      Self("Stop then Play begins at 0", "Stop at 30 s, Play and Pause", gives: "below 10 s", from: .paused) {
        bus in
        try await bus.call("SetPosition", "ox", bus.original[0], "30000000")
        try await bus.call("Stop")
        try await bus.call("Play")
        try await bus.call("Pause")
        let position = try await bus.position()
        return position < 10_000_000 ? "below 10 s" : "\(position)"
      },
      Self("Seek has no effect when stopped", "Seek and Play while stopped", gives: "done 0", from: .stopped)
      {
        "\(try await $0.call("Seek", "x", "5000000")) \(try await $0.position())"
      },
    ]
  }

  private static var skipping: [Self] {
    [
      Self("Next keeps a pause", "Next while paused", gives: "done Paused 2", from: .paused) {
        "\(try await $0.call("Next")) \(try await $0.status()) \(try await $0.place())"
      },
      Self("Next plays on", "Next while playing", gives: "done Playing 2", from: .playing) {
        "\(try await $0.call("Next")) \(try await $0.status()) \(try await $0.place())"
      },
      Self("Next stays stopped", "Next while stopped", gives: "done Stopped 2", from: .stopped) {
        "\(try await $0.call("Next")) \(try await $0.status()) \(try await $0.place())"
      },
      Self("another track is no jump", "Seeked after Next", gives: "[]", from: .paused) { bus in
        let signals = try await bus.signals { try await bus.call("Next") }
        return "\(signals.filter { $0.hasPrefix("Seeked") })"
      },
      Self("another track says so", "signals with Metadata after Next", gives: "true", from: .paused) { bus in
        let signals = try await bus.signals {
          try await bus.call("Next")
          try await bus.waitUntilOpen()
        }
        return "\(signals.contains { $0.hasPrefix("changed") && $0.contains("Metadata") })"
      },
      Self("another track begins at 0", "Position after Next at 30 s", gives: "x 0", from: .paused) { bus in
        try await bus.call("SetPosition", "ox", bus.original[0], "30000000")
        try await bus.call("Next")
        return try await bus.get("Position")
      },
      Self("nothing follows the last", "CanGoNext on the last track", gives: "b false", from: .paused) {
        bus in
        try await bus.list("GoTo", "o", bus.original[3])
        return try await bus.get("CanGoNext")
      },
      // The specification lets Next stop where nothing follows, and lets it do nothing where CanGoNext is false, which it
      // is there: the second is what a client was told.
      Self(
        "Next after the last does nothing", "Next where CanGoNext is false", gives: "done Paused 4",
        from: .paused
      ) {
        bus in
        try await bus.list("GoTo", "o", bus.original[3])
        return "\(try await bus.call("Next")) \(try await bus.status()) \(try await bus.place())"
      },
      Self(
        "a looped list goes round", "CanGoNext and Next on the last track", gives: "b true 1", from: .paused
      ) {
        bus in
        try await bus.set("LoopStatus", "s", "Playlist")
        try await bus.list("GoTo", "o", bus.original[3])
        let can = try await bus.get("CanGoNext")
        try await bus.call("Next")
        return "\(can) \(try await bus.place())"
      },
      Self("Next leaves a looped track", "Next with LoopStatus Track", gives: "2", from: .paused) { bus in
        try await bus.set("LoopStatus", "s", "Track")
        try await bus.call("Next")
        return "\(try await bus.place())"
      },
      Self("Previous goes back", "Next and Previous", gives: "done Paused 1", from: .paused) { bus in
        try await bus.call("Next")
        return "\(try await bus.call("Previous")) \(try await bus.status()) \(try await bus.place())"
      },
      Self(
        "Previous restarts after 3 s", "Previous at 4 s of the second track", gives: "2 at 0", from: .paused
      ) {
        bus in
        try await bus.call("Next")
        try await bus.waitUntilOpen()
        try await bus.call("Seek", "x", "4000000")
        try await bus.call("Previous")
        return "\(try await bus.place()) at \(try await bus.position())"
      },
      Self("a restart is a jump", "the signals of Previous at 4 s", gives: "[Seeked 0]", from: .paused) {
        bus in
        try await bus.call("Seek", "x", "4000000")
        return try await bus.told { try await bus.call("Previous") }
      },
      Self(
        "Previous restarts the first", "Previous at 1 s of the first track", gives: "1 at 0", from: .paused
      ) {
        bus in
        try await bus.call("Seek", "x", "1000000")
        try await bus.call("Previous")
        return "\(try await bus.place()) at \(try await bus.position())"
      },
    ]
  }

  private static var seeking: [Self] {
    let seeks = [
      ("Seek moves", "5000000", "1 at 15000000"), ("Seek moves back", "-5000000", "1 at 5000000"),
      ("Seek stops at 0", "-20000000", "1 at 0"), ("Seek by nothing stays", "0", "1 at 10000000"),
      ("Seek to the end stays", "50000000", "1 at 60000000"),
      ("Seek beyond the end is Next", "50000001", "2 at 0"),
      ("Seek takes the least", "-9223372036854775808", "1 at 0"),
      ("Seek takes the most", "9223372036854775807", "2 at 0"),
    ]
    return seeks.map { name, offset, expected in
      Self(name, "Seek of \(offset) at 10 s", gives: "done \(expected) Paused", from: .paused) { bus in
        try await bus.call("SetPosition", "ox", bus.original[0], "10000000")
        let answer = try await bus.call("Seek", "x", offset)
        let place = "\(try await bus.place()) at \(try await bus.position())"
        return "\(answer) \(place) \(try await bus.status())"
      }
    } + [
      Self("Seek is told of once", "the signals of Seek", gives: "[Seeked 5000000]", from: .paused) { bus in
        try await bus.told { try await bus.call("Seek", "x", "5000000") }
      },
      Self(
        "a looped track that begins again is a jump", "Seeked after the end with LoopStatus Track",
        gives: "1 below 10 s", from: .paused
      ) { bus in
        try await bus.set("LoopStatus", "s", "Track")
        try await bus.call("SetPosition", "ox", bus.original[0], "59500000")
        let signals = try await bus.signals {
          try await bus.call("Play")
          try await bus.waitUntilBack(before: 10_000_000)
          try await bus.call("Pause")
        }
        let jumps = signals.filter { $0.hasPrefix("Seeked ") }.compactMap { Int64($0.dropFirst(7)) }
        return "\(jumps.count) \(jumps.allSatisfy { $0 < 10_000_000 } ? "below 10 s" : "\(jumps)")"
      },
      Self("Seek is told of while playing", "Seeked after Seek to 30 s", gives: "1", from: .playing) { bus in
        let signals = try await bus.signals { try await bus.call("Seek", "x", "30000000") }
        return "\(signals.filter { $0.hasPrefix("Seeked 3") }.count)"
      },
    ]
  }

  private static var positions: [Self] {
    let ignored = [
      ("another track's", 2, "5000000"), ("less than nothing", 0, "-1"), ("beyond the end", 0, "60000001"),
      ("the greatest", 0, "9223372036854775807"),
    ]
    return ignored.map { name, track, position in
      Self(
        "no position \(name)", "SetPosition to \(position) at 10 s", gives: "done 10000000 []", from: .paused
      ) { bus in
        try await bus.call("SetPosition", "ox", bus.original[0], "10000000")
        let signals = try await bus.signals {
          try await bus.call("SetPosition", "ox", bus.original[track], position)
        }
        return "done \(try await bus.position()) \(signals)"
      }
    }
      + [
        "/", "/org/mpris/MediaPlayer2/TrackList/NoTrack", "/org/afterlock/track/999999",
        "/org/afterlock/track/x",
      ].map { track in
        Self("no position of \(track)", "SetPosition with that track", gives: "done 0", from: .paused) {
          "\(try await $0.call("SetPosition", "ox", track, "5000000")) \(try await $0.position())"
        }
      } + [
        Self("SetPosition moves", "SetPosition to 5 s", gives: "done x 5000000", from: .paused) { bus in
          "\(try await bus.call("SetPosition", "ox", bus.original[0], "5000000")) \(try await bus.get("Position"))"
        },
        Self("SetPosition is told of once", "its signals", gives: "[Seeked 5000000]", from: .paused) { bus in
          try await bus.told { try await bus.call("SetPosition", "ox", bus.original[0], "5000000") }
        },
        Self("SetPosition to the end", "SetPosition to the length", gives: "x 60000000 1", from: .paused) {
          bus in
          try await bus.call("SetPosition", "ox", bus.original[0], "60000000")
          return "\(try await bus.get("Position")) \(try await bus.place())"
        },
        Self("the position stands", "Position twice while paused", gives: "true", from: .paused) {
          try await $0.call("Seek", "x", "7000000")
          return "\(try await $0.position() == $0.position())"
        },
        Self(
          "the position moves", "Position until it is greater", gives: "greater, at most the length",
          from: .playing
        ) {
          bus in
          let before = try await bus.position()
          try await bus.waitUntilMoved(beyond: before)
          return try await bus.position() <= 60_000_000 ? "greater, at most the length" : "too great"
        },
      ]
  }
}
