import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Glibc
import Testing

@testable import AfterlockCLI

@Suite("The noise maker on a desktop")
struct NoiseLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private func start(_ words: [String], _ live: LiveDesktop, columns: UInt16? = nil) throws -> RunningProgram
  {
    try RunningProgram(playing: words, on: live, columns: columns, command: "noise")
  }

  /// The loudness of the last frames that were captured, as a root mean square.
  private func loudness(_ live: LiveDesktop, frames: Int = 4_800) async throws -> Double {
    let last = try await live.capture.soFar().samples.suffix(2 * frames)
    return (last.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, last.count))).squareRoot()
  }

  @Test func `silent before the toggle, then for ever without a gap, as loud as the slider says`()
    async throws
  {
    // A quarter of a second, so that it comes round often.
    let frames = 12_000
    try folder.wav("rain.wav", frames: frames, seed: 5)
    let source = SoundClip(
      rate: 48_000, channels: 2, samples: Signals.noise16(frames: frames, seed: 5)
    ).samples
    try await withLiveDesktop { live in
      let program = try start(["\(folder.path)/rain.wav"], live, columns: 80)
      defer { program.kill() }
      let keptOpen = program.openOtherEnd()
      defer { close(keptOpen) }
      try await program.waitForOutput("rain.wav has loaded\u{1B}[K\r\n[ Play ]  Volume")
      #expect(program.terminalMode.c_lflag & tcflag_t(ICANON | ECHO) == 0)
      await live.capture.wait(frames: 9_600)
      #expect(try await live.capture.soFar().samples.allSatisfy { $0 == 0 })

      program.type(" ")
      try await program.waitForOutput("[ Pause ] Volume")
      try await waitUntil("eight rounds") {
        await live.capture.wait(frames: 4_800)
        let samples = try await live.capture.soFar().samples
        return samples.count - (samples.firstIndex { $0 != 0 } ?? samples.count) > 2 * 8 * frames
      }
      let heard = try await live.capture.soFar().samples
      let first = try #require(heard.firstIndex { $0 != 0 })
      let wrong = (0..<2 * 8 * frames).first { heard[first + $0] != source[$0 % source.count] }
      #expect(wrong == nil, "sample \(wrong ?? 0) of eight rounds of \(source.count)")

      program.type(String(repeating: "-", count: 10))
      try await program.waitForOutput("─  50%")
      let full = (source.reduce(0) { $0 + Double($1) * Double($1) } / Double(source.count)).squareRoot()
      // What a mixer calls 50 % is an eighth on the samples.
      try await waitUntil("an eighth of the level") {
        await live.capture.wait(frames: 4_800)
        let ratio = try await loudness(live) / full
        return (0.115...0.135).contains(ratio)
      }

      program.type("\u{3}")
      #expect(try await program.exitStatus() == 130)
      #expect(program.terminalMode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
      try await program.waitForLastOutput("\r\u{1B}[2A\u{1B}[J\u{1B}[?7h\u{1B}[0m\u{1B}[?25h")
    }
  }

  @Test func `its own sound plays and pauses from the desktop, which is offered nothing else`() async throws {
    try await withLiveDesktop { live in
      func playerctl(_ words: String...) async throws -> String {
        let output = try await live.run("playerctl", ["-p", "afterlock"] + words)
        return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      func property(_ name: String) async throws -> String {
        try await live.run(
          "busctl",
          [
            "--address=\(live.desktop.busAddress)", "get-property", "org.mpris.MediaPlayer2.afterlock",
            "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", name,
          ]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      let program = try start(["--volume", "80"], live)
      defer { program.kill() }
      try await program.waitForOutput("Noise has loaded\nPaused; \"afterlock control toggle\" plays\n")
      try await waitUntil("it to be on the bus") { try await property("CanPlay") == "b true" }
      _ = try await playerctl("play-pause")
      try await program.waitForOutput("Playing\n")
      try await waitUntil("the noise") {
        await live.capture.wait(frames: 4_800)
        return try await loudness(live) > 0.02
      }
      for name in ["CanSeek", "CanGoNext", "CanGoPrevious"] { #expect(try await property(name) == "b false") }
      for words in [
        ["next"], ["previous"], ["position", "9"], ["loop", "None"], ["open", "file:///dev/null"],
      ] {
        _ = try await live.run("playerctl", ["-p", "afterlock"] + words)
      }
      #expect(try await playerctl("loop") == "Track")
      #expect(try await playerctl("metadata", "xesam:title") == "Noise")
      #expect(Double(try await playerctl("position")).map { $0 < 8 } == true)
      #expect(try await playerctl("volume") == "0.800000")
      for (words, status) in [(["next"], 1), (["previous"], 1), (["seek", "2"], 1), (["volume", "130"], 0)] {
        let control = try RunningProgram(
          (["control"] + words).map { Array($0.utf8) }, environment: live.environment)
        defer { control.kill() }
        #expect(try await control.exitStatus() == Int32(status), "\(words): \(control.standardError)")
        #expect(control.errorLines.count == status)
      }
      #expect(try await playerctl("volume") == "1.000000")
      // Whoever stops it wants silence.
      _ = try await playerctl("stop")
      #expect(try await playerctl("status") == "Paused")
      program.signal(SIGTERM)
      #expect(try await program.exitStatus() == 143)
      #expect(program.standardOutput.hasSuffix("Playing\nPaused; \"afterlock control toggle\" plays\n"))
      #expect(program.standardError.isEmpty)
    }
  }

  @Test func `a file that cannot be loaded disables the controls, and the end is a failure`() async throws {
    try folder.file("text.wav", "no sound")
    try await withLiveDesktop { live in
      let path = "\(folder.path)/text.wav"
      let plain = try start(["--play", path], live)
      defer { plain.kill() }
      #expect(try await plain.exitStatus() == 1)
      #expect(plain.standardOutput == "Unable to load file\n")
      #expect(plain.errorLines.count == 1 && plain.standardError.hasPrefix("afterlock: \(path): "))

      let program = try start([path], live, columns: 80)
      defer { program.kill() }
      try await program.waitForOutput("Unable to load file\u{1B}[K\r\n  Play    Volume ──")
      // Neither key has an effect, and the third is not lost behind them.
      let drawn = program.outputCount
      program.type(" +q")
      #expect(try await program.exitStatus() == 1)
      let after = program.standardOutput(after: drawn)
      #expect(!after.contains("Pause") && !after.contains("%"), "\(after)")
      #expect(program.errorLines.count == 1)
    }
  }
}
