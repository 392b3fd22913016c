import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

/// What the specification promises to clients, asked by a real client of the real program on a real bus.
@Suite("Conformance to MPRIS 2.2")
struct MPRISConformanceTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private func withBus(_ body: (ConformanceBus) async throws -> Void) async throws {
    for name in ["a.wav", "b.wav", "c.wav"] {
      try folder.wav(name, frames: 8_000 * 60, rate: 8_000, channels: 1)
    }
    for name in ["f", "many", "empty"] { try folder.folder(name) }
    for name in (1...3).map({ "f/\($0).wav" }) + (1...60).map({ "many/\($0).wav" }) {
      try folder.wav(name, frames: 8_000, rate: 8_000, channels: 1)
    }
    try folder.file("notes.txt", "nothing to hear")
    try folder.file("l.m3u", "c.wav\nb.wav\n")
    try folder.wav("t.wav", frames: 8_000 * 20, rate: 8_000, channels: 1)
    let tags = [
      "TITLE=Title", "ARTIST=Artist", "ALBUM=Album", "ALBUMARTIST=Band", "GENRE=Jazz", "COMPOSER=Composer",
      "COMMENT=Words", "TRACKNUMBER=3", "DISCNUMBER=2", "DATE=2024-05-06",
    ]
    try await MediaFiles.flac(
      "\(folder.path)/t.wav", to: "\(folder.path)/t #1.flac", tags.flatMap { ["-T", $0] })
    try await withLiveDesktop { live in
      let program = try RunningProgram(
        playing: ["--paused"] + ["a.wav", "b.wav", "a.wav", "t #1.flac"].map { "\(folder.path)/\($0)" },
        on: live)
      defer { program.kill() }
      try await waitUntil("the player to be on the bus with its file open") {
        let output = try await live.run(
          "busctl",
          [
            "--address=\(live.desktop.busAddress)", "get-property", ConformanceBus.name,
            "/org/mpris/MediaPlayer2", MPRISFacts.player, "CanSeek",
          ])
        return output.text == "b true\n"
      }
      let bus = try await ConformanceBus(live, program, folder: folder.path)
      defer { bus.close() }
      try await body(bus)
    }
  }

  @Test(arguments: ConformanceCheck.tables.indices)
  func `every check of the table holds`(table: Int) async throws {
    try await withBus { bus in
      for failure in try await ConformanceCheck.failures(of: ConformanceCheck.tables[table], on: bus) {
        Issue.record("\(failure)")
      }
    }
  }

  @Test func `the table has at least 120 checks, each under a name of its own`() {
    let names = ConformanceCheck.all.map { "\($0.name): \($0.asked)" }
    #expect(names.count >= 120 && Set(names).count == names.count, "\(names.count)")
  }

  @Test func `the introspection data is the specification's, and planted faults are found`() async throws {
    try await withBus { bus in
      let document = try await bus.introspection()
      let found = try IntrospectionReader.members(document)
      #expect(MPRISFacts.differences(of: found) == [])
      // A wrong type, a wrong name of an argument, a wrong access, a wrong annotation, and a member that is not there.
      for (line, planted) in [
        ("Player property Volume d readwrite true", "Player property Volume i readwrite true"),
        ("Player method Seek in x Offset", "Player method Seek in x Amount"),
        ("Player property LoopStatus s readwrite true", "Player property LoopStatus s read true"),
        ("Player property Position x read false", "Player property Position x read true"),
        ("TrackList method GoTo in o TrackId", "TrackList method GoToo in o TrackId"),
      ] {
        let (right, wrong) = ("org.mpris.MediaPlayer2.\(line)", "org.mpris.MediaPlayer2.\(planted)")
        var facts = MPRISFacts.required
        #expect(facts.remove(right) != nil)
        facts.insert(wrong)
        #expect(
          MPRISFacts.differences(of: found, from: facts) == [
            "missing: \(wrong)", "not in the specification: \(right)",
          ])
      }
      let wrong = [
        ConformanceCheck("planted type", "Volume", gives: "i 1", from: .paused) {
          try await $0.get("Volume")
        },
        ConformanceCheck("planted silence", "its signals", gives: "[]", from: .paused) { bus in
          try await bus.told { try await bus.call("Play") }
        },
        ConformanceCheck("right", "Volume", gives: "d 1", from: .paused) { try await $0.get("Volume") },
      ]
      let failures = try await ConformanceCheck.failures(of: wrong, on: bus)
      #expect(failures.count == 2 && failures[0].hasPrefix("planted type: Volume gave d 1"))
      #expect(failures.last?.hasPrefix("planted silence") == true)
    }
  }

  @Test func `beyond the end of the last track the list is over, and the program ends`() async throws {
    try await withBus { bus in
      try await bus.list("GoTo", "o", bus.original[3])
      try await bus.waitUntilOpen()
      _ = try await bus.call("Seek", "x", "20000001")
      #expect(try await bus.program.exitStatus() == 0)
    }
  }

  @Test func `without its last track there is nothing to play, and the program ends`() async throws {
    try await withBus { bus in
      for track in bus.original { _ = try await bus.list("RemoveTrack", "o", track) }
      #expect(try await bus.program.exitStatus() == 0)
    }
  }
}
