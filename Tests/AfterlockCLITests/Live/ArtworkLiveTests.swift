import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("Pictures on the session bus")
struct ArtworkLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private static let name = "org.mpris.MediaPlayer2.afterlock"

  /// The address of the picture of what plays; `nil` without one.
  private func artwork(_ live: LiveDesktop) async throws -> String? {
    try await metadata(live).firstMatch(of: #/"mpris:artUrl" s "([^"]*)"/#).map { String($0.1) }
  }

  private func metadata(_ live: LiveDesktop) async throws -> String {
    let output = try await live.run(
      "busctl",
      [
        "--address=\(live.desktop.busAddress)", "--", "get-property", Self.name, "/org/mpris/MediaPlayer2",
        "org.mpris.MediaPlayer2.Player", "Metadata",
      ])
    return output.text
  }

  private func playerctl(_ live: LiveDesktop, _ words: String...) async throws -> String {
    let output = try await live.run("playerctl", ["-p", "afterlock"] + words)
    return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func controlArt(_ live: LiveDesktop) async throws -> (text: String, errors: String, status: Int32) {
    let program = try RunningProgram("control", "art", environment: live.environment)
    defer { program.kill() }
    let status = try await program.exitStatus()
    return (program.standardOutput, program.standardError, status)
  }

  /// "mjpeg,512,384" of the picture that the address leads to.
  private func probe(_ address: String) async throws -> String {
    let output = try await Command.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
        try #require(URL(string: address)).path,
      ], limit: .seconds(60))
    return (output.text + output.errorText).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func picture(_ name: String, _ width: Int, _ height: Int) async throws {
    _ = try await ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=size=\(width)x\(height):rate=1", "-frames:v", "1",
      "\(folder.path)/\(name)",
    ])
  }

  private func ffmpeg(_ arguments: [String]) async throws -> String {
    let output = try await Command.run(
      "ffmpeg", ["-nostdin", "-y", "-v", "error"] + arguments, limit: .seconds(120))
    try #require(output.status == .code(0), "\(output.errorText)")
    return output.text
  }

  /// Whether the program has a library in memory.
  private func hasLoaded(_ library: String, _ program: RunningProgram) throws -> Bool {
    try String(contentsOfFile: "/proc/\(program.processID)/maps", encoding: .utf8).contains(library)
  }

  @Test func `are those in the files, then the folder's, then none`() async throws {
    try folder.wav("source.wav", frames: 8_000 * 60, rate: 8_000, channels: 1)
    let source = "\(folder.path)/source.wav"
    try await picture("flac.png", 1_024, 768)
    try await picture("mp3.jpg", 600, 1_200)
    try await picture("m4a.jpg", 300, 200)
    for name in ["1", "2", "3", "4 ä%", "5"] { try folder.folder(name) }
    try await MediaFiles.flac(
      source, to: "\(folder.path)/1/a.flac", ["--picture=\(folder.path)/flac.png"])
    try await MediaFiles.lame(source, to: "\(folder.path)/2/b.mp3", ["--ti", "\(folder.path)/mp3.jpg"])
    _ = try await ffmpeg([
      "-i", source, "-i", "\(folder.path)/m4a.jpg", "-map", "0", "-map", "1", "-c:a", "aac", "-c:v", "copy",
      "-disposition:v", "attached_pic", "\(folder.path)/3/c.m4a",
    ])
    try await picture("4 ä%/x.png", 100, 900)
    try FileManager.default.moveItem(
      atPath: "\(folder.path)/4 ä%/x.png", toPath: "\(folder.path)/4 ä%/Folder.PNG")
    for name in ["4 ä%/d.wav", "5/e.wav"] {
      try FileManager.default.copyItem(atPath: source, toPath: "\(folder.path)/\(name)")
    }
    let names = ["1/a.flac", "2/b.mp3", "3/c.m4a", "4 ä%/d.wav", "5/e.wav"]
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: names.map { "\(folder.path)/\($0)" }, on: live)
      defer { program.kill() }
      var seen: Set<String> = []
      for (name, expected) in [
        ("a.flac", "png,512,384"), ("b.mp3", "mjpeg,256,512"), ("c.m4a", "mjpeg,300,200"),
        ("d.wav", "png,57,512"),
      ] {
        try await waitUntil("the picture of \(name)") {
          let metadata = try await metadata(live)
          return metadata.contains(name) && metadata.contains("mpris:artUrl")
        }
        let address = try #require(await artwork(live))
        #expect(address.hasPrefix("file:///") && address.contains("/afterlock/art/"))
        #expect(try await probe(address) == expected, "\(name)")
        #expect(seen.insert(address).inserted)
        #expect(try await playerctl(live, "metadata", "mpris:artUrl") == address)
        let control = try await controlArt(live)
        #expect(control.status == 0 && control.text == address + "\n")
        #expect(try await playerctl(live, "next") == "")
        // Nothing of the one before stays, however long the next one's takes.
        #expect(try await artwork(live) != address)
      }
      #expect(try await metadata(live).contains("e.wav"))
      await live.capture.wait(frames: 48_000)
      #expect(try await artwork(live) == nil)
      let control = try await controlArt(live)
      #expect(control.status == 1 && control.errors == "afterlock: there is no picture of what plays\n")
      // Back to one that has one: the first may only lead to the start of this one.
      for _ in 0..<2 { #expect(try await playerctl(live, "previous") == "") }
      try await waitUntil("the picture again") { try await artwork(live).map(seen.contains) == true }
    }
  }

  @Test func `one that comes late lands on no other track, and its own has it when it is back`() async throws
  {
    for name in ["1", "2"] {
      try folder.folder(name)
      try folder.wav("\(name)/a.wav", frames: 48_000 * 60, seed: 3)
    }
    // It takes longer than a skip.
    try await picture("1/cover.jpg", 12_000, 8_000)
    try await withLiveDesktop { live in
      let listener = try await BusListener(on: live)
      let program = try RunningProgram(
        playing: ["1", "2"].map { "\(folder.path)/\($0)/a.wav" }, on: live)
      defer { program.kill() }
      let bus = try BusCaller(to: live.desktop.busAddress)
      try await waitUntil("the scaler") { try hasLoaded("libswscale", program) }
      try await bus.call("Next", of: MPRISFacts.player, at: "/org/mpris/MediaPlayer2", on: Self.name)
      await bus.close()
      try #require(Self.pictured(try await listener.messages()).isEmpty, "it was there already")
      #expect(try await metadata(live).contains("/2/a.wav"))
      await live.capture.wait(frames: 48_000 * 3)
      #expect(try await artwork(live) == nil)
      for _ in 0..<2 { #expect(try await playerctl(live, "previous") == "") }
      try await waitUntil("its picture") { try await artwork(live) != nil }
      #expect(try await playerctl(live, "next") == "")
      #expect(try await artwork(live) == nil)
      let pictured = Self.pictured(try await listener.messages())
      await listener.close()
      #expect(Set(pictured) == ["file://\(folder.path)/1/a.wav"], "\(pictured)")
    }
  }

  /// Which tracks have been told of, or answered for, with a picture.
  private static func pictured(_ messages: [BusListener.Message]) -> [String] {
    messages.flatMap(\.arguments).flatMap { [$0["Metadata"]?.data, $0["data"], $0] }.compactMap { values in
      values?["mpris:artUrl"] == nil ? nil : values?["xesam:url"]?.data.text ?? "?"
    }
  }

  @Test func `one that is enormous takes nothing from the sound`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 15, seed: 3)
    try await picture("cover.jpg", 12_000, 8_000)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["\(folder.path)/a.wav"], on: live)
      defer { program.kill() }
      try await waitUntil("the picture") { try await artwork(live) != nil }
      #expect(try await probe(#require(await artwork(live))) == "mjpeg,512,341")
      #expect(try await program.exitStatus() == 0)
      var samples = Signals.noise16(frames: 48_000 * 5, seed: 3)
      samples += samples + samples
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: samples))
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test func `what is no picture, or lies, costs nothing but the picture`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 3, seed: 4)
    try folder.file("cover.jpg", "This is no picture.\n")
    try folder.file("cover.png", "")
    try folder.link("folder.jpg", to: "folder.jpeg")
    try folder.link("folder.jpeg", to: "folder.jpg")
    try #require(mkfifo("\(folder.path)/front.jpg", 0o600) == 0)
    try folder.folder("album.jpg")
    // It says that it has 60,000 × 60,000 pixels.
    let enormous: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0xEA, 0x60,
      0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0, 0, 0, 0,
    ]
    try folder.file(folder.bytes("album.png"), enormous)
    try await withLiveDesktop { live in
      let program = try RunningProgram(playing: ["\(folder.path)/a.wav"], on: live)
      defer { program.kill() }
      try await waitUntil("the player") { try await metadata(live).contains("a.wav") }
      await live.capture.wait(frames: 48_000)
      #expect(try await artwork(live) == nil)
      #expect(try await program.exitStatus() == 0)
      let samples = Signals.noise16(frames: 48_000 * 3, seed: 4)
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: samples))
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test func `without any, or with a small one, nothing is loaded for it`() async throws {
    for name in ["none", "small"] {
      try folder.folder(name)
      try folder.wav("\(name)/a.wav", frames: 8_000 * 60, rate: 8_000, channels: 1)
    }
    try await picture("small/cover.png", 300, 300)
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        playing: ["none", "small"].map { "\(folder.path)/\($0)/a.wav" }, on: live)
      defer { program.kill() }
      try await waitUntil("the player") { try await metadata(live).contains("none/a.wav") }
      await live.capture.wait(frames: 48_000)
      #expect(try await artwork(live) == nil)
      #expect(try !hasLoaded("libav", program) && !hasLoaded("libswscale", program))
      #expect(!FileManager.default.fileExists(atPath: "\(live.desktop.runtimeDirectory)/cache/afterlock"))
      #expect(try await playerctl(live, "next") == "")
      try await waitUntil("the small one") { try await artwork(live) != nil }
      #expect(try await probe(#require(await artwork(live))) == "png,300,300")
      #expect(try !hasLoaded("libav", program) && !hasLoaded("libswscale", program))
    }
  }

  @Test func `a cache that cannot be written to costs the picture, and --no-mpris needs none`() async throws {
    try folder.wav("a.wav", frames: 48_000 * 3, seed: 5)
    try await picture("cover.jpg", 900, 900)
    try await withLiveDesktop { live in
      var environment = live.environment
      environment["XDG_CACHE_HOME"] = "/proc"
      let program = try RunningProgram("play", "\(folder.path)/a.wav", environment: environment)
      defer { program.kill() }
      try await waitUntil("the player") { try await metadata(live).contains("a.wav") }
      try await waitUntil("the scaler") { try hasLoaded("libswscale", program) }
      await live.capture.wait(frames: 48_000)
      #expect(try await artwork(live) == nil)
      #expect(try await program.exitStatus() == 0)
      let silent = try RunningProgram(playing: ["--no-mpris", "\(folder.path)/a.wav"], on: live)
      defer { silent.kill() }
      #expect(try await silent.exitStatus() == 0)
      #expect(!FileManager.default.fileExists(atPath: "\(live.desktop.runtimeDirectory)/cache/afterlock"))
    }
  }
}
