import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockDesktop

/// What a player says on the bus of its own accord, heard by somebody who hears everything (MPRIS 2.2).
@Suite("What other programs are told, and what they are not")
struct SignalLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private static let name = "org.mpris.MediaPlayer2.afterlock"
  private static let path = "/org/mpris/MediaPlayer2"
  private static let properties = "org.freedesktop.DBus.Properties"

  private func withListener(
    _ live: LiveDesktop, _ body: (BusListener, MockedLogin) async throws -> Void
  ) async throws {
    let login = try MockedLogin(on: live)
    let listener = try await BusListener(on: live)
    let result = await Result { try await body(listener, login) }
    await listener.close()
    await login.close()
    try result.get()
  }

  @Test func `a minute of steady play says nothing to anybody, and not one frame is missing`() async throws {
    try await withLiveDesktop(permits: .patient) { live in
      try await withListener(live) { listener, login in
        try await login.start()
        let saver = try await login.startSaver(.gnome)
        let run = try RampRun(in: folder, on: live, login)
        defer { run.program.kill() }
        try await run.waitForSound()
        try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
        // All that it has to say at its beginning has been said then.
        try await waitUntil("the player") {
          try await live.run("playerctl", ["-p", "afterlock", "status"]).text == "Playing\n"
        }
        try await waitUntil("the screen saver to be asked") { saver.textSoFar.contains(" GetActive") }
        let names = try await listener.names(of: run.program.processID)
        try #require(!names.isEmpty)
        func said() async throws -> [BusListener.Message] {
          try await listener.messages().filter { names.contains($0.sender) }
        }
        var before = 0
        try await waitUntil("it to have said all of its beginning") {
          let last = before
          before = try await said().count
          await live.capture.wait(frames: 12_000)
          return before == last
        }
        try await listener.say("Before")
        let start = live.capture.framesCaptured
        #expect(await live.capture.wait(frames: 48_000 * 60))
        let end = live.capture.framesCaptured
        try await listener.say("After")
        let all = try await listener.messages()
        #expect(all.contains { $0.member == "Before" } && all.contains { $0.member == "After" })
        #expect(try await said().dropFirst(before).map(\.words) == [])
        #expect(try await run.isOnePiece(from: start, to: end))

        // The same listener hears the first word that there is to say.
        #expect(try await live.run("playerctl", ["-p", "afterlock", "volume", "0.5"]).status == .code(0))
        let news = try await said().dropFirst(before).filter { $0.type == "signal" }
        #expect(news.map(\.member) == ["PropertiesChanged"], "\(news.map(\.words))")
      }
    }
  }

  // MARK: Every change once

  /// What somebody does with the player.
  private enum Step: CaseIterable {
    case play, pause, toggle, next, previous, stop, seek, position, volume, loop, shuffle, rate, add, remove
    case go, open, key, wait
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `who goes by what it is told knows at each moment what it would be answered`(seed: UInt64) async throws
  {
    for name in ["a.wav", "b.wav", "c.wav", "d.wav"] { try folder.wav(name, frames: 48_000 * 60) }
    for name in ["s.wav", "t.wav"] { try folder.wav(name, frames: 24_000) }
    try await withLiveDesktop { live in
      try await withListener(live) { listener, login in
        let files = ["a.wav", "s.wav", "b.wav", "t.wav", "c.wav"].map { "\(folder.path)/\($0)" }
        let program = try RunningProgram(playing: ["--paused"] + files, on: live, columns: 100)
        defer { program.kill() }
        try await program.waitForOutput("❚❚ a.wav")
        let bus = login.sessionBus
        try await waitUntil("the player") {
          (try? await Self.get("CanSeek", bus)) == .variant(.boolean(true))
        }
        let names = try await listener.names(of: program.processID)
        let original = try await Self.tracks(bus)
        var generator = SeededGenerator(seed: seed)
        var steps: [String] = []
        for _ in 0..<150 {
          let step = Step.allCases[Int(generator.next() >> 8) % Step.allCases.count]
          steps.append("\(step)")
          try await take(step, &generator, bus, program, original)
          for interface in [MPRISFacts.player, MPRISFacts.trackList] {
            try await Self.getAll(interface, bus)
          }
        }
        // The last of a list in order has nothing behind it, which chance may have left out.
        let last = try #require(try await Self.tracks(bus).last)
        for (property, value) in [("Shuffle", BusValue.boolean(false)), ("LoopStatus", .string("None"))] {
          try await Self.set(property, value, bus)
        }
        try await bus.call("Pause", of: MPRISFacts.player, at: Self.path, on: Self.name)
        try await bus.call("GoTo", of: MPRISFacts.trackList, at: Self.path, on: Self.name, [last])
        try await bus.call("Previous", of: MPRISFacts.player, at: Self.path, on: Self.name)
        for interface in [MPRISFacts.player, MPRISFacts.trackList] { try await Self.getAll(interface, bus) }

        var mirror = MirrorClient()
        for message in try await listener.messages() where names.contains(message.sender) {
          mirror.take(message)
        }
        #expect(mirror.faults.isEmpty, "\(mirror.faults)\nsteps of the seed \(seed): \(steps)")
        #expect(mirror.comparisons >= 300)
        let changing: Set = [
          "PlaybackStatus", "LoopStatus", "Shuffle", "Metadata", "Volume", "CanGoNext", "CanSeek", "Tracks",
        ]
        #expect(mirror.told == changing, "told: \(mirror.told.sorted())")
        #expect(
          mirror.signals.isSuperset(of: ["Seeked", "TrackAdded", "TrackRemoved", "TrackMetadataChanged"]))
      }
    }
  }

  @Test func `a client that counts on what it is told finds each planted fault`() throws {
    func message(_ type: String, _ member: String, _ data: String) throws -> BusListener.Message {
      let line = #"{"type":"\#(type)","member":"\#(member)","payload":{"type":"?","data":[\#(data)]}}"#
      return BusListener.Message(json: try #require(BusctlValue.read(line)))
    }
    func volume(_ level: Double) -> String { #""Volume":{"type":"d","data":\#(level)}"# }
    func answer(_ level: Double) throws -> BusListener.Message {
      try message(
        "method_return", "", #"{"PlaybackStatus":{"type":"s","data":"Playing"},\#(volume(level))}"#)
    }
    func news(_ values: String, without names: String = "") throws -> BusListener.Message {
      try message(
        "signal", "PropertiesChanged", #""\#(MPRISFacts.player)",{\#(values)},[\#(names)]"#)
    }
    let list = try message("method_return", "", #"{"Tracks":{"type":"ao","data":["/1","/2"]}}"#)
    let added = #"{"mpris:trackid":{"type":"o","data":"/3"}},"/1""#
    let rows: [(messages: [BusListener.Message], faults: Int)] = [
      ([try answer(1), try news(volume(0.5)), try answer(0.5)], 0),
      ([try answer(1), try news(volume(1))], 1),
      ([try answer(1), try answer(0.5)], 1),
      ([try answer(1), try news(volume(0.5)), try answer(1)], 1),
      ([try answer(1), try news("")], 1),
      ([try answer(1), try news("", without: #""Volume""#)], 1),
      ([try answer(1), try news(#""Position":{"type":"x","data":7}"#)], 1),
      ([list, try message("signal", "TrackRemoved", #""/2""#), list], 1),
      ([list, try message("signal", "TrackRemoved", #""/9""#)], 1),
      ([list, try message("signal", "TrackAdded", added), list], 1),
      ([list, try message("signal", "TrackListReplaced", #"["/1","/2"],"/1""#)], 1),
      ([try message("signal", "Chatter", "")], 1),
    ]
    for row in rows {
      var mirror = MirrorClient()
      for message in row.messages { mirror.take(message) }
      #expect(mirror.faults.count == row.faults, "\(row.messages.map(\.words)): \(mirror.faults)")
    }
  }

  private static func tracks(_ bus: BusCaller) async throws -> [BusValue] {
    let answer = try await bus.call(
      "Get", of: properties, at: path, on: name, [.string(MPRISFacts.trackList), .string("Tracks")])
    return if case .variant(.array(_, let tracks))? = answer.first { tracks } else { [] }
  }

  private static func set(_ property: String, _ value: BusValue, _ bus: BusCaller) async throws {
    try await bus.call(
      "Set", of: properties, at: path, on: name,
      [.string(MPRISFacts.player), .string(property), .variant(value)])
  }

  private static func getAll(_ interface: String, _ bus: BusCaller) async throws {
    try await bus.call("GetAll", of: properties, at: path, on: name, [.string(interface)])
  }

  private static func get(_ property: String, _ bus: BusCaller) async throws -> BusValue? {
    try await bus.call(
      "Get", of: properties, at: path, on: name, [.string(MPRISFacts.player), .string(property)]
    ).first
  }

  private func take(
    _ step: Step, _ generator: inout SeededGenerator, _ bus: BusCaller, _ program: RunningProgram,
    _ original: [BusValue]
  ) async throws {
    func random(_ count: Int) -> Int { Int((generator.next() >> 8) % UInt64(count)) }
    func call(
      _ member: String, _ arguments: [BusValue] = [], of interface: String = MPRISFacts.player
    ) async throws {
      try await bus.call(member, of: interface, at: Self.path, on: Self.name, arguments)
    }
    func set(_ property: String, _ value: BusValue) async throws { try await Self.set(property, value, bus) }
    func tracks() async throws -> [BusValue] { try await Self.tracks(bus) }
    let address = BusValue.string("file://\(folder.path)/d.wav")
    switch step {
    case .play: try await call("Play")
    case .pause: try await call("Pause")
    case .toggle: try await call("PlayPause")
    case .next: try await call("Next")
    case .previous: try await call("Previous")
    case .stop: try await call("Stop")
    // Never so far that the list ends.
    case .seek: try await call("Seek", [.int64(Int64(random(2_000_000)) - 1_000_000)])
    case .position:
      if let track = try await tracks().first {
        try await call("SetPosition", [track, .int64(Int64(random(4)) * 1_000_000)])
      }
    case .volume: try await set("Volume", .double(Double(random(3)) / 2))
    // A list in random order could end with a short track, and the program with it.
    case .loop: try await set("LoopStatus", .string(["Track", "Playlist"][random(2)]))
    case .shuffle:
      let isOn = random(2) == 0
      try await set("LoopStatus", .string(isOn ? "Playlist" : "None"))
      try await set("Shuffle", .boolean(isOn))
    case .rate: try await set("Rate", .double(Double(random(3))))
    case .add:
      guard let after = try await tracks().randomElement(using: &generator) else { return }
      try await call("AddTrack", [address, after, .boolean(random(2) == 0)], of: MPRISFacts.trackList)
    case .remove:
      if let track = try await tracks().first(where: { !original.contains($0) }) {
        try await call("RemoveTrack", [track], of: MPRISFacts.trackList)
      }
    case .go:
      if let track = try await tracks().randomElement(using: &generator) {
        try await call("GoTo", [track], of: MPRISFacts.trackList)
      }
    case .open: try await call("OpenUri", [address])
    case .key: program.type(["m", "\u{1B}[B", "\u{1B}[A", " "][random(4)])
    case .wait:
      // A short track ends meanwhile, and what was chosen is opened.
      try await Task.sleep(for: .milliseconds(Int64(random(700))))
    }
  }
}
