import AfterlockDesktop
import AfterlockTestSupport
import Glibc
import Testing

@testable import AfterlockCLI

@Suite("Options that are heard")
struct OptionLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  /// The samples of the file that `wav` writes with this seed.
  private func clip(frames: Int, seed: UInt64 = 1) -> SoundClip { Signals.noise(frames: frames, seed: seed) }

  @Test func `--paused makes no sound until it is told to play, and then all is heard`() async throws {
    try folder.wav("a.wav", frames: 48_000)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["--paused", "\(folder.path)/a.wav"], on: live, columns: 100)
      defer { program.kill() }
      try await program.waitForOutput("❚❚ a.wav  0:00 / 0:01")
      // Longer than the way from a player to the capture, and than it takes to begin.
      await live.capture.wait(frames: 48_000)
      let isSilent = try await live.capture.soFar().samples.allSatisfy { $0 == 0 }
      #expect(isSilent)
      program.type(" ")
      #expect(try await program.exitStatus() == 0)
      let report = try await live.compare(with: clip(frames: 48_000))
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test func `--output plays to the sink of that name and to no other`() async throws {
    try folder.wav("a.wav", frames: 48_000)
    let sinks = [VirtualSink(), VirtualSink(name: "named")]
    try await withLiveDesktop(.init(sinks: sinks)) { live in
      let named = try await SinkCapture.start(of: sinks[1], on: live.desktop)
      let program = try RunningProgram(
        playing: ["--output", "named", "--log", "-", "\(folder.path)/a.wav"], on: live)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 0)
      #expect(program.standardOutput.contains("sink: named\""))
      let report = CaptureAnalysis.compare(try await named.stop(), with: clip(frames: 48_000))
      #expect(report.equalsSource, "\(report)")
      let isOtherSilent = try await live.captured().samples.allSatisfy { $0 == 0 }
      #expect(isOtherSilent)
    }
  }

  @Test func `--output with a sink that is not there waits for it by its name`() async throws {
    try folder.wav("a.wav", frames: 24_000)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["--output", "late", "\(folder.path)/a.wav"], on: live)
      defer { program.kill() }
      try await program.waitForOutput(
        "Held: waiting for the sink late (\"afterlock doctor\" lists the sinks)\n")
      try await live.desktop.addSink(VirtualSink(name: "late"))
      #expect(try await program.exitStatus() == 0)
      #expect(
        program.standardOutput
          == "Held: waiting for the sink late (\"afterlock doctor\" lists the sinks)\nPlaying: a.wav (0:00)\n"
      )
      let isOtherSilent = try await live.captured().samples.allSatisfy { $0 == 0 }
      #expect(isOtherSilent)
    }
  }

  @Test func `--start begins on the frame`() async throws {
    try folder.wav("a.wav", frames: 48_000)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["--start", "0.5", "\(folder.path)/a.wav"], on: live)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 0)
      let rest = SoundClip(
        rate: 48_000, channels: 2, samples: Array(clip(frames: 48_000).samples.dropFirst(24_000 * 2)))
      let report = try await live.compare(with: rest)
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test(arguments: [0, 10])
  func `a pause fades for as long as --fade says`(fade: Int) async throws {
    let source = clip(frames: 48_000 * 5).samples
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        playing: ["--fade", "\(fade)", "\(folder.path)/a.wav"], on: live, columns: 100)
      defer { program.kill() }
      try await program.waitForOutput("▶  a.wav  0:0")
      program.type(" ")
      try await program.waitForOutput("❚❚ a.wav")
      // The source has no silent sample, so those are the desktop's.
      let heard = try await live.captured().samples.filter { $0 != 0 }
      let exact = zip(heard, source).prefix { $0 == $1 }.count
      // The last frame of a fade is silence already.
      #expect(heard.count - exact == max(0, fade * 48 - 1) * 2)
    }
  }

  @Test func `--start behind the end of the first track names it and its length, and plays the next`()
    async throws
  {
    try folder.wav("short.wav", frames: 24_000, seed: 1)
    try folder.wav("next.wav", frames: 48_000, seed: 2)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        playing: ["--start", "1:00", "\(folder.path)/short.wav", "\(folder.path)/next.wav"], on: live)
      defer { program.kill() }
      #expect(try await program.exitStatus() == 1)
      #expect(
        program.errorLines == [
          "afterlock: \(folder.path)/short.wav: the sound is 0.5 s long, so it cannot begin at 60 s"
        ])
      #expect(program.standardOutput == "Playing: next.wav (0:01)\n")
      let report = try await live.compare(with: clip(frames: 48_000, seed: 2))
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test(arguments: [("exec nohup \"$@\"", SIGHUP), ("trap '' INT; exec \"$@\"", SIGINT)])
  func `a signal that whoever started it had ignored does not end it`(script: String, signal: Int32)
    async throws
  {
    try folder.wav("a.wav", frames: 48_000)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["\(folder.path)/a.wav"], on: live, script: script)
      defer { program.kill() }
      try await program.waitForOutput("Playing: a.wav (0:01)\n")
      program.signal(signal)
      #expect(try await program.exitStatus() == 0)
      let report = try await live.compare(with: clip(frames: 48_000))
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test(arguments: ["\u{1B}", "\u{1B}[", "\u{1B}[1"])
  func `a key after Escape or a sequence that broke off is a key of its own`(broken: String) async throws {
    try folder.wav("a.wav", frames: 48_000 * 60)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["\(folder.path)/a.wav"], on: live, columns: 100)
      defer { program.kill() }
      try await program.waitForOutput("▶  a.wav  0:0")
      // A busy program may read both at once, as one key that means nothing: then they are typed again.
      try await waitUntil("the pause\n\(program.standardOutput)") {
        program.type(broken)
        await live.capture.wait(frames: 9_600)
        program.type(" ")
        await live.capture.wait(frames: 4_800)
        return program.standardOutput.contains("❚❚ a.wav")
      }
    }
  }
}
