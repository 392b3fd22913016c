import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("Why, asked of a player that runs and of its log")
struct WhyLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private static let name = "org.mpris.MediaPlayer2.afterlock"
  private static let time = #"\d\d:\d\d:\d\d"#

  private var log: String { "\(folder.path)/play.jsonl" }

  /// Runs the player on a minute of sound, and the body once it is heard.
  private func withPlayer(
    _ more: [String] = [], _ body: (LiveDesktop, RunningProgram) async throws -> Void
  ) async throws {
    try folder.wav("a.wav", frames: 8_000 * 60, rate: 8_000, channels: 1)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        playing: ["--log", log] + more + ["\(folder.path)/a.wav"], on: live)
      defer { program.kill() }
      try await waitUntil("the player to be on the bus and heard") {
        try await why(live).text.hasPrefix("playing, started by you at ")
      }
      try await body(live, program)
    }
  }

  private func why(
    _ live: LiveDesktop, _ words: String...
  ) async throws -> (text: String, errors: String, status: Int32) {
    let program = try RunningProgram((["why"] + words).map { Array($0.utf8) }, environment: live.environment)
    defer { program.kill() }
    let status = try await program.exitStatus()
    return (program.standardOutput, program.standardError, status)
  }

  /// Waits until the player says so, then expects the same of its log.
  private func expect(_ pattern: String, _ live: LiveDesktop) async throws {
    let regex = try Regex("^\(pattern)\n$")
    var told = ""
    try await waitUntil("\(pattern); last: \(told)") {
      told = try await why(live).text
      return told.contains(regex)
    }
    try await waitUntil("the log to say the same: \(told)") { try await why(live, log).text == told }
  }

  private func expectLog(_ pattern: String, _ live: LiveDesktop) async throws {
    let regex = try Regex("^\(pattern)\n$")
    let told = try await why(live, log)
    #expect(told.text.contains(regex) && told.errors.isEmpty && told.status == 0, "\(told)")
  }

  @Test func `a pause by playerctl names it, its process, the time, the wish and what to do`() async throws {
    try await withPlayer { live, _ in
      #expect(try await live.run("playerctl", ["-p", "afterlock", "pause"]).status == .code(0))
      let sentence =
        "paused by playerctl \\(process \\d+\\) at \(Self.time); you do not want to play now; press play to go on"
      try await expect(sentence, live)
      let heard = live.capture.framesCaptured
      await live.capture.wait(frames: 12_000)
      let samples = try await live.capture.soFar().samples.dropFirst(heard * live.sink.channels.count)
      #expect(samples.allSatisfy { $0 == 0 }, "it is true")
      let json = try await why(live, "--json").text
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(object["program"] as? String == "playerctl" && object["sound"] as? String == "held")
      #expect(object["wantsToPlay"] as? Bool == false && object["volumePercent"] as? Double == 100)
      #expect(try await live.run("playerctl", ["-p", "afterlock", "play"]).status == .code(0))
      try await expect(
        "playing, started by playerctl \\(process \\d+\\) at \(Self.time); you want to play; nothing holds it",
        live)
    }
  }

  @Test func `a server that is killed is the system's, and it goes on by itself when it is back`()
    async throws
  {
    try await withPlayer { live, _ in
      try await live.desktop.killServer()
      try await expect(
        "paused by the system: the sound server went away at \(Self.time); you still want to play; "
          + "it goes on by itself once .*the sound server is back", live)
      try await live.desktop.restartServer()
      try await waitUntil("it to go on") {
        try await why(live).text.contains("; you want to play; nothing holds it\n")
      }
      #expect(try await why(live).text.hasPrefix("playing, started by the system: "))
    }
  }

  @Test func `a sink that goes is named`() async throws {
    try await withPlayer { live, _ in
      try await live.desktop.removeSink(named: live.sink.name)
      try await waitUntil("the loss") { try await why(live).text.hasPrefix("paused by the system") }
      let told = try await why(live).text
      #expect(told.contains("went away at ") && told.contains("you still want to play"), "\(told)")
    }
  }

  @Test func `the end of the list, and who ended the program, are told by the log`() async throws {
    try folder.wav("short.wav", frames: 4_800)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["--log", log, "\(folder.path)/short.wav"], on: live)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 0)
      try await expectLog(
        "stopped by the player itself: the list came to its end at \(Self.time); begin again with "
          + "\"afterlock play\"", live)
      let gone = try await why(live)
      #expect(gone.status == 1 && gone.errors.hasPrefix("afterlock: no afterlock plays on this session bus"))
    }
    try await withPlayer { live, program in
      program.signal(SIGTERM)
      #expect(try await program.exitStatus() == 143)
      try await expectLog(
        "ended by the system: it was told to end \\(SIGTERM\\) at \(Self.time); begin again with "
          + "\"afterlock play\"", live)
    }
  }

  @Test(arguments: [true, false])
  func `the log of a player that was killed does not say that it plays, or waits, still`(
    plays: Bool
  ) async throws {
    try await withPlayer { live, program in
      if !plays {
        #expect(try await live.run("playerctl", ["-p", "afterlock", "pause"]).status == .code(0))
        try await expect("paused by playerctl .*; press play to go on", live)
      }
      // A player that hangs is none that has gone.
      program.signal(SIGSTOP)
      try await expectLog(
        plays ? "playing, started by you .*; nothing holds it" : "paused by .*; press play to go on", live)
      program.signal(SIGKILL)
      #expect(try await program.exitStatus() == -SIGKILL)
      let then = plays ? "was playing, started by you" : "was paused by playerctl \\(process \\d+\\)"
      try await expectLog(
        "\(then) at \(Self.time); the log ends at \(Self.time) without an end, and no player writes to it any "
          + "more: the player was killed, or this is a copy; begin again with \"afterlock play\"", live)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(try await why(live, "--json", log).text.utf8))
          as? [String: Any])
      #expect(object["sound"] as? String == "left" && object["player"] as? String == "gone")
      // What comes through a pipe tells nothing of its writer.
      let piped = try await live.run(
        "sh", ["-c", "cat \"$1\" | \"$2\" why -", "sh", log, try AfterlockProgram.path()])
      #expect(
        piped.text.contains(
          " without an end: the player was killed, or writes to it still, or this is a part of it; you"),
        "\(piped.text)\(piped.errorText)")
    }
  }

  @Test func `who set the volume and moved the position is in the log, and why stays with the sound`()
    async throws
  {
    try await withPlayer { live, _ in
      func line(_ reason: String) throws -> [String: Any]? {
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        return try lines.compactMap {
          try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }.last { $0["reason"] as? String == reason }
      }
      #expect(try await live.run("playerctl", ["-p", "afterlock", "volume", "0.4"]).status == .code(0))
      #expect(try await live.run("playerctl", ["-p", "afterlock", "position", "20"]).status == .code(0))
      try await waitUntil("both lines") { try line("volume") != nil && line("seek") != nil }
      for reason in ["volume", "seek"] {
        let line = try #require(try line(reason))
        #expect(line["origin"] as? String == "remote" && line["program"] as? String == "playerctl")
        #expect((line["busName"] as? String)?.hasPrefix(":1.") == true && line["processID"] is Int)
      }
      let control = try RunningProgram("control", "volume", "70", environment: live.environment)
      defer { control.kill() }
      #expect(try await control.exitStatus() == 0)
      try await waitUntil("the third line") {
        guard let line = try line("volume") else { return false }
        return line["program"] as? String == "afterlock" && line["message"] as? String == "to 70 %"
      }
      try await expect("playing, started by you at \(Self.time); you want to play; nothing holds it", live)
    }
  }

  @Test func `a volume of 0 is no secret`() async throws {
    try await withPlayer { live, _ in
      let silenced = try await live.run("playerctl", ["-p", "afterlock", "volume", "0"])
      #expect(silenced.status == .code(0))
      let told = try await why(live).text
      #expect(told.hasSuffix("; nothing holds it, but its volume is 0: turn it up\n"), "\(told)")
    }
  }

  @Test func `a player that hangs, another program and no player at all do not hold anybody`() async throws {
    try await withPlayer { live, program in
      let other = try RunningCommand(
        "/usr/bin/python3",
        [
          "-m", "dbusmock", "--session", "org.mpris.MediaPlayer2.other", "/org/mpris/MediaPlayer2", "org.x.Y",
        ],
        environment: live.environment)
      defer { other.send(signal: SIGKILL) }
      try await waitUntil("the other player\n\(other.textSoFar)") {
        try await !why(live, "--player", "other").errors.contains("there is no player")
      }
      let foreign = try await why(live, "--player", "other")
      #expect(foreign.status == 1)
      #expect(
        foreign.errors
          == "afterlock: org.mpris.MediaPlayer2.other keeps no account of its sound: it is another "
          + "program, or an older one\n")
      program.signal(SIGSTOP)
      defer { program.signal(SIGCONT) }
      let hung = try await why(live)
      #expect(hung.status == 1 && hung.errors.hasPrefix("afterlock: \(Self.name) does not answer: "))
      let none = try await why(live, "--player", "none")
      #expect(none.status == 1 && none.errors.contains("there is no player 'none' on the session bus"))
    }
    let bus = try RunningProgram("why", environment: ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""])
    defer { bus.kill() }
    #expect(try await bus.exitStatus() == 3)
  }

  @Test func `the interface beside MPRIS says what it has, and MPRIS names the installed entry`() async throws
  {
    try await withPlayer { live, _ in
      func busctl(_ words: String...) async throws -> String {
        try await live.run("busctl", ["--address=\(live.desktop.busAddress)"] + words).text
      }
      let members = try await busctl(
        "introspect", Self.name, "/org/mpris/MediaPlayer2", "org.afterlock.Player1")
      #expect(members.contains(#/\.Past +method +- +as/#), "\(members)")
      let lines = try await busctl(
        "--json=short", "call", Self.name, "/org/mpris/MediaPlayer2", "org.afterlock.Player1", "Past")
      #expect(lines.contains("intentChange"), "\(lines)")
      let entry = try await busctl(
        "get-property", Self.name, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2", "DesktopEntry")
      #expect(entry == "s \"afterlock\"\n")
      let node = try await live.desktop.graph().node(named: "Afterlock")
      for key in ["application.id", "application.icon-name"] {
        #expect(node?.properties[key] == "afterlock", "\(key)")
      }
    }
  }
}
