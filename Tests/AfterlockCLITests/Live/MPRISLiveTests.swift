import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("Media keys, lock screens and other programs (MPRIS)")
struct MPRISLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private static let name = "org.mpris.MediaPlayer2.afterlock"

  /// Runs the player on two minutes of sound, and the body once it is on the bus.
  private func withPlayer(
    _ more: [String] = [], columns: UInt16? = nil,
    _ body: (LiveDesktop, RunningProgram) async throws -> Void
  ) async throws {
    try folder.wav("a.wav", frames: 8_000 * 60, rate: 8_000, channels: 1)
    try folder.wav("b.wav", frames: 8_000 * 60, rate: 8_000, channels: 1)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        playing: (columns == nil ? ["--log", "-"] : []) + more
          + ["a.wav", "b.wav"].map { "\(folder.path)/\($0)" }, on: live, columns: columns)
      defer { program.kill() }
      try await waitUntil("the player to be on the bus with its file open") {
        try await property(live, "CanSeek") == "b true"
      }
      try await body(live, program)
    }
  }

  private func playerctl(_ live: LiveDesktop, _ words: String...) async throws -> String {
    let output = try await live.run("playerctl", ["-p", "afterlock"] + words)
    return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func busctl(_ live: LiveDesktop, _ words: String...) async throws -> Command.Output {
    try await live.run("busctl", ["--address=\(live.desktop.busAddress)", "--"] + words)
  }

  private func call(_ live: LiveDesktop, _ method: String, _ words: String...) async throws -> Command.Output
  {
    try await live.run(
      "busctl",
      [
        "--address=\(live.desktop.busAddress)", "--", "call", Self.name, "/org/mpris/MediaPlayer2",
        "org.mpris.MediaPlayer2.Player", method,
      ] + words)
  }

  private func property(_ live: LiveDesktop, _ name: String) async throws -> String {
    let output = try await busctl(
      live, "get-property", Self.name, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", name)
    return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `playerctl does what a person expects, and reads what it has set`() async throws {
    try await withPlayer { live, program in
      #expect(try await playerctl(live, "metadata", "xesam:title") == "a.wav")
      #expect(try await playerctl(live, "pause") == "")
      #expect(try await playerctl(live, "status") == "Paused")
      #expect(try await playerctl(live, "position", "10") == "")
      #expect(try await playerctl(live, "position") == "10.000000")
      for (option, value) in [("volume", "0.500000"), ("loop", "Track"), ("shuffle", "On")] {
        #expect(try await playerctl(live, option, value) == "")
        #expect(try await playerctl(live, option) == value, "\(option)")
      }
      #expect(try await playerctl(live, "loop", "None") == "")
      #expect(try await playerctl(live, "shuffle", "Off") == "")
      #expect(try await playerctl(live, "next") == "")
      #expect(try await playerctl(live, "metadata", "xesam:title") == "b.wav")
      #expect(try await playerctl(live, "status") == "Paused", "next keeps it paused")
      #expect(try await playerctl(live, "previous") == "")
      #expect(try await playerctl(live, "metadata", "xesam:title") == "a.wav")
      #expect(try await playerctl(live, "play-pause") == "")
      #expect(try await playerctl(live, "status") == "Playing")
      #expect(try await playerctl(live, "stop") == "")
      #expect(try await playerctl(live, "status") == "Stopped")
      #expect(try await playerctl(live, "play") == "")
      #expect(try await playerctl(live, "status") == "Playing")
      try await program.waitForOutput("\"program\":\"playerctl\"")
    }
  }

  @Test func `playerctl opens what it is given, and follows each change once`() async throws {
    try folder.wav("c d.wav", frames: 8_000 * 60, rate: 8_000, channels: 1)
    try folder.file("notes.txt", "nothing to hear")
    try await withPlayer(["--paused"]) { live, _ in
      let status = try RunningCommand(
        "playerctl", ["-p", "afterlock", "--follow", "status"], environment: live.environment)
      let title = try RunningCommand(
        "playerctl", ["-p", "afterlock", "--follow", "metadata", "xesam:title"],
        environment: live.environment)
      defer { for command in [status, title] { command.send(signal: SIGKILL) } }
      func lines(_ command: RunningCommand) -> [String] {
        command.textSoFar.split(separator: "\n").map(String.init)
      }
      try await waitUntil("both to follow") { lines(status) == ["Paused"] && lines(title) == ["a.wav"] }
      #expect(try await playerctl(live, "open", "\(folder.path)/c d.wav") == "")
      #expect(try await playerctl(live, "status") == "Playing")
      #expect(try await playerctl(live, "metadata", "xesam:title") == "c d.wav")
      let bad = try await live.run("playerctl", ["-p", "afterlock", "open", "\(folder.path)/notes.txt"])
      #expect(bad.status != .code(0) && bad.errorText.contains("notes.txt"), "\(bad.errorText)")
      #expect(try await playerctl(live, "metadata", "xesam:title") == "c d.wav", "it plays on")
      #expect(try await playerctl(live, "pause") == "")
      #expect(try await playerctl(live, "next") == "")
      #expect(try await playerctl(live, "metadata", "xesam:title") == "b.wav")
      #expect(try await playerctl(live, "position", "0") == "")
      #expect(try await playerctl(live, "previous") == "")
      try await waitUntil("the last changes") { lines(title).last == "c d.wav" && lines(title).count > 3 }
      #expect(lines(title) == ["a.wav", "c d.wav", "b.wav", "c d.wav"])
      #expect(lines(status) == ["Paused", "Playing", "Paused"])
    }
  }

  @Test func `what the viewer does with keys is what others read`() async throws {
    try await withPlayer(columns: 100) { live, program in
      try await waitUntil("sound") { try await !live.capture.isSilent(for: 4_800) }
      for (key, property, value) in [
        (" ", "PlaybackStatus", "s \"Paused\""), ("m", "Volume", "d 0"), ("m", "Volume", "d 1"),
        ("\u{1B}[B", "Volume", "d 0.95"), ("l", "LoopStatus", "s \"Track\""), ("s", "Shuffle", "b true"),
      ] {
        program.type(key)
        try await waitUntil("\(property) to be \(value)") { try await self.property(live, property) == value }
      }
      // The word may be on the bus before the last cycle is in the capture.
      try await waitUntil("silence") { try await live.capture.isSilent() }
      program.type("n")
      try await waitUntil("the next") { try await property(live, "Metadata").contains("b.wav") }
      program.type(" ")
      try await waitUntil("Playing") { try await property(live, "PlaybackStatus") == "s \"Playing\"" }
      try await waitUntil("sound") { try await !live.capture.isSilent(for: 4_800) }
    }
  }

  @Test func `calls out of range do what the specification says`() async throws {
    try await withPlayer(["--paused"]) { live, _ in
      let track = "/org/afterlock/track/1"
      func position() async throws -> String { try await property(live, "Position") }
      #expect(try await call(live, "SetPosition", "ox", track, "5000000").status == .code(0))
      #expect(try await position() == "x 5000000")
      // The very end is a place in the track.
      #expect(try await call(live, "SetPosition", "ox", track, "60000000").status == .code(0))
      #expect(try await position() == "x 60000000")
      #expect(try await call(live, "SetPosition", "ox", track, "5000000").status == .code(0))
      // Stale tracks and places outside the track are ignored, and that is no error.
      for (path, place) in [
        ("/org/afterlock/track/2", "1000000"), ("/", "1000000"), (track, "-1"), (track, "60000001"),
      ] {
        #expect(try await call(live, "SetPosition", "ox", path, place).status == .code(0))
        #expect(try await position() == "x 5000000", "\(path) \(place)")
      }
      #expect(try await call(live, "Seek", "x", "-9223372036854775808").status == .code(0))
      #expect(try await position() == "x 0")
      #expect(try await call(live, "Seek", "x", "9223372036854775807").status == .code(0))
      #expect(try await property(live, "Metadata").contains("b.wav"), "beyond the end is the next")
      func isSet(_ name: String, _ type: String, _ value: String) async throws -> Bool {
        let output = try await busctl(
          live, "set-property", Self.name, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", name,
          type,
          value)
        return output.status == .code(0)
      }
      #expect(try await isSet("Volume", "d", "-3"))
      #expect(try await property(live, "Volume") == "d 0")
      #expect(try await isSet("Volume", "d", "99"))
      #expect(try await property(live, "Volume") == "d 1.5")
      #expect(try await !isSet("LoopStatus", "s", "Always"))
      #expect(try await isSet("Rate", "d", "2"))
      #expect(try await property(live, "Rate") == "d 1")
      #expect(try await call(live, "Play").status == .code(0))
      #expect(try await isSet("Rate", "d", "0"))
      try await waitUntil("the pause") { try await property(live, "PlaybackStatus") == "s \"Paused\"" }
    }
  }

  @Test func `a second instance has a name of its own, and each is steered by its name`() async throws {
    try await withPlayer(["--paused"]) { live, _ in
      let second = try RunningProgram(playing: ["\(folder.path)/b.wav"], on: live)
      defer { second.kill() }
      let further = "afterlock.instance\(second.processID)"
      func control(_ word: String, _ player: String) async throws {
        let program = try RunningProgram(
          "control", word, "--player", player, environment: live.environment)
        defer { program.kill() }
        #expect(try await program.exitStatus() == 0, "\(word) \(player): \(program.standardError)")
      }
      func states() async throws -> [String] {
        var states: [String] = []
        for player in ["afterlock", further] {
          // By its whole name: playerctl takes the short one for all instances.
          let output = try await busctl(
            live, "get-property", "org.mpris.MediaPlayer2.\(player)", "/org/mpris/MediaPlayer2",
            "org.mpris.MediaPlayer2.Player", "PlaybackStatus")
          states.append(output.text.filter { $0.isUppercase || $0.isLowercase })
        }
        return states
      }
      try await waitUntil("the second one") {
        try await live.run("playerctl", ["-l"]).text.contains(further)
      }
      try await waitUntil("its sound") { try await !live.capture.isSilent(for: 4_800) }
      #expect(try await states() == ["sPaused", "sPlaying"])
      try await control("pause", further)
      #expect(try await states() == ["sPaused", "sPaused"])
      #expect(try await live.capture.isSilent())
      try await control("play", "afterlock")
      #expect(try await states() == ["sPlaying", "sPaused"])
      #expect(try await !live.capture.isSilent())
      try await control("stop", "afterlock")
      #expect(try await states() == ["sStopped", "sPaused"])
      #expect(try await live.capture.isSilent())
      #expect(
        try await live.run("playerctl", ["-p", further, "play"]).status == .code(0))
      #expect(try await states() == ["sStopped", "sPlaying"])
      #expect(try await !live.capture.isSilent())
    }
  }

  @Test func `control does it from a script`() async throws {
    try await withPlayer(["--paused"]) { live, _ in
      func control(_ words: String...) async throws -> (text: String, errors: String, status: Int32) {
        let program = try RunningProgram(
          (["control"] + words).map { Array($0.utf8) }, environment: live.environment)
        defer { program.kill() }
        let status = try await program.exitStatus()
        return (program.standardOutput, program.standardError, status)
      }
      #expect(try await control("status").text == "Paused: a.wav  0:00 / 1:00  100%\n")
      for words in [["seek", "30"], ["seek", "-10"], ["seek", "+1.5"]] {
        #expect(try await control(words[0], words[1]).status == 0)
      }
      #expect(try await property(live, "Position") == "x 21500000")
      #expect(try await control("volume", "50").status == 0)
      #expect(try await control("volume", "-5").status == 0)
      #expect(try await control("volume").text == "45%\n")
      #expect(try await control("next").status == 0)
      #expect(try await control("toggle").status == 0)
      #expect(try await control("status").text.hasPrefix("Playing: b.wav  0:0"))
      let art = try await control("art")
      #expect(art.status == 1 && art.errors == "afterlock: there is no picture of what plays\n")
      let late = try await control("seek", "1:01")
      #expect(late.status == 1 && late.errors == "afterlock: the track is only 60 s long\n")
      let other = try await control("play", "--player", "other")
      #expect(other.status == 1)
      #expect(
        other.errors == "afterlock: there is no player 'other' on the session bus; there is afterlock\n")
      let bus = try RunningProgram(
        "control", "play", environment: ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""])
      defer { bus.kill() }
      #expect(try await bus.exitStatus() == 3)
    }
  }

  @Test func `whoever ends the list, and with it the program, is answered`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["\(folder.path)/a.wav"], on: live)
      defer { program.kill() }
      try await program.waitForOutput("Playing: a.wav")
      try await waitUntil("it on the bus") {
        try await live.run("playerctl", ["-p", "afterlock", "status"]).status == .code(0)
      }
      let control = try RunningProgram("control", "seek", "+70", environment: live.environment)
      defer { control.kill() }
      #expect(try await control.exitStatus() == 0, "\(control.standardError)")
      #expect(try await program.exitStatus() == 0)
    }
  }

  @Test func `off the bus nobody finds it`() async throws {
    try folder.wav("a.wav", frames: 48_000)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["--no-mpris", "\(folder.path)/a.wav"], on: live)
      defer { program.kill() }
      try await program.waitForOutput("Playing: a.wav")
      await live.capture.wait(frames: 24_000)
      #expect(try await live.run("playerctl", ["-l"]).text.isEmpty)
      #expect(try await program.exitStatus() == 0)
    }
  }

  @Test func `Quit ends it`() async throws {
    try await withPlayer { live, program in
      let output = try await busctl(
        live, "call", Self.name, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2", "Quit")
      #expect(output.status == .code(0))
      #expect(try await program.exitStatus() == 0)
    }
  }
}
