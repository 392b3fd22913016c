import AfterlockCore
import Foundation
import Synchronization
import Testing

@Suite struct PlaybackLogTests {
  /// A line as a reader sees it.
  struct Line: Decodable {
    var time: Double
    var date: String?
    var event: String
    var rate: Double?
    var reason: String?
    var origin: String
    var busName: String?
    var processID: Int32?
    var program: String?
    var wantedToPlay: Bool
    var wantsToPlay: Bool
    var position: Double
    var track: String?
    var decided: [String]
    var suppression: [String]
    var message: String?
    var entry: UInt64?
    var index: Int?
    var duration: Double?
    var loop: String?
    var shuffled: Bool?
    var onLock: String?
    var onRouteLoss: String?
  }

  static let keys = [
    "time", "date", "event", "rate", "reason", "origin", "busName", "processID", "program", "wantedToPlay",
    "wantsToPlay", "position", "track", "decided", "suppression", "message",
  ]

  private func decode(_ line: String) throws -> Line {
    #expect(line.hasSuffix("\n") && !line.dropLast().contains(where: \.isNewline), "one line each")
    return try JSONDecoder().decode(Line.self, from: Data(line.utf8))
  }

  private func written(_ entry: PlaybackLogEntry, at time: Duration = .zero) -> String {
    let lines = RecordingLines()
    PlaybackLog(now: { time }, date: { Date(timeIntervalSince1970: 1e9 + 0.25) }, write: lines.append)
      .record(entry)
    return lines.all.joined()
  }

  private func entry(
    _ event: PlaybackLogEntry.Event = .rateChange, origin: CommandOrigin = .viewer
  ) -> PlaybackLogEntry {
    PlaybackLogEntry(
      event: event, rate: 0, origin: origin, wantedToPlay: false, wantsToPlay: true, position: .zero)
  }

  @Test func `Who observes a log gets each line before it is written`() {
    let order = Mutex<[String]>([])
    let entry = PlaybackLogEntry(
      event: .route, rate: 0, origin: .system, wantedToPlay: false, wantsToPlay: false, position: .zero)
    let log = PlaybackLog(
      now: { .seconds(1) }, observe: { line in order.withLock { $0.append("\(line.time)") } },
      write: { _ in order.withLock { $0.append("written") } })
    log.record(entry)
    #expect(order.withLock(\.self) == ["1.0 seconds", "written"])
  }

  @Test(arguments: PlaybackLogEntry.Event.allCases)
  func `Every line has exactly the documented keys`(event: PlaybackLogEntry.Event) throws {
    for origin in [CommandOrigin.system, PolicyWalk.remote] {
      let line = written(entry(event, origin: origin))
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(Set(object.keys) == Set(Self.keys) && object.count == Self.keys.count)
      let places = Self.keys.compactMap { line.range(of: "\"\($0)\":")?.lowerBound }
      #expect(places.count == Self.keys.count && places == places.sorted(), "in this order")
    }
  }

  @Test(arguments: [
    (
      LogDetail.track(LoggedTrack(id: TrackID(rawValue: 3), index: 2)),
      ["entry", "index", "title", "duration"]
    ),
    (.seek(to: .seconds(1)), ["target"]), (.volume(.full, isMuted: true), ["volume", "muted"]),
    (.order(.track, isShuffled: false), ["loop", "shuffled"]), (.sink(.usb), ["sinkKind"]),
    (.settings(onLock: .pauses, onRouteLoss: .auto), ["onLock", "onRouteLoss"]),
  ])
  func `What only some lines tell has documented keys behind the others`(detail: LogDetail, keys: [String])
    throws
  {
    var entry = entry()
    entry.detail = detail
    let line = written(entry)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(Set(object.keys) == Set(Self.keys + keys) && object.count == Self.keys.count + keys.count)
    let places = (Self.keys + keys).compactMap { line.range(of: "\"\($0)\":")?.lowerBound }
    #expect(places == places.sorted(), "in this order")
    #expect(PlaybackLogLine(json: line.utf8)?.entry == entry)
  }

  @Test func `A time too long for its parts is cut`() throws {
    var entry = entry()
    entry.position = .seconds(Int64.max) * 5
    #expect(try decode(written(entry)).position > 9e18)
    entry.position = .seconds(Int64.min) * 5
    #expect(try decode(written(entry)).position < -9e18)
  }

  @Test func `All values come through`() throws {
    var entry = entry(origin: .remote(busName: ":1.42", processID: 4_242, program: "playerctl"))
    entry.rate = 1
    entry.reason = "serverRestored"
    entry.position = .milliseconds(61_500)
    entry.track = "/music/a.flac"
    entry.decided = ["activateSession", "start(serverRestored)"]
    entry.suppression = ["routeLost"]
    entry.message = "a message"
    let line = try decode(written(entry, at: .microseconds(1_000_001)))
    #expect(line.date == "2001-09-09T01:46:40.250Z")
    #expect(line.time == 1.000001 && line.position == 61.5 && line.rate == 1)
    #expect(line.event == "rateChange" && line.reason == "serverRestored" && line.origin == "remote")
    #expect(line.busName == ":1.42" && line.processID == 4_242 && line.program == "playerctl")
    #expect(!line.wantedToPlay && line.wantsToPlay && line.track == "/music/a.flac")
    #expect(line.decided == entry.decided && line.suppression == ["routeLost"] && line.message == "a message")
  }

  @Test func `The session manager's pause is the system's, and the log says who it was`() async throws {
    let player = Player()
    await player.play(1)
    await player.coordinator.handle(.pause, origin: PolicyWalk.sessionManager)
    await player.coordinator.handle(RateChange(rate: 0, reason: .routeLost))
    let lines = try player.lines.all.suffix(2).map(decode)
    #expect(
      lines.map(\.event) == ["route", "rateChange"] && lines.map(\.reason) == ["routeLost", "routeLost"])
    #expect(lines.allSatisfy { $0.origin == "system" && $0.wantsToPlay && $0.suppression == ["sinkLost"] })
    #expect(lines[0].program == "wireplumber" && lines[0].processID == 3 && lines[0].busName == ":1.3")
    #expect(lines[0].decided == ["pause(routeLost)"])
  }

  @Test(arguments: [
    "", "\"quoted\" \\ back", "line\nfeed\r\ttab", "\u{0}\u{1}\u{1F}\u{7F}\u{85}", "\u{2028}\u{2029}",
    "Füße 音楽 🎧 e\u{301}", "\u{FFFD}\u{FFFF}\u{10FFFF}", "</script>", "\u{200E}\u{202E}rtl",
    String(repeating: "x", count: 100_000),
  ])
  func `Strings of any kind make valid JSON on one line`(text: String) throws {
    var entry = entry(origin: .remote(busName: text, processID: nil, program: text))
    entry.reason = text
    entry.track = text
    entry.decided = [text, text]
    entry.message = text
    let line = try decode(written(entry))
    let texts = [line.reason, line.track, line.message, line.busName, line.program] + line.decided
    #expect(texts.allSatisfy { $0.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars) })
  }

  @Test func `Random strings make valid JSON on one line`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let limit: UInt32 = Bool.random(using: &random) ? 0xFF : 0x10FFFF
        if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) {
          text.unicodeScalars.append(scalar)
        }
      }
      var entry = entry()
      entry.message = text
      #expect(
        try decode(written(entry)).message.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
    }
  }

  @Test func `What JSON has no number for is null, and times may be negative or long`() throws {
    var entry = entry()
    entry.rate = .nan
    entry.position = .milliseconds(-1_500)
    let line = try decode(written(entry, at: .seconds(1_000_000_000)))
    #expect(line.rate == nil && line.position == -1.5 && line.time == 1e9)
    entry.rate = .infinity
    #expect(try decode(written(entry)).rate == nil)
  }

  @Test func `Lines of many threads do not mix, and their times only grow`() async throws {
    let pipe = Pipe()
    let log = PlaybackLog(fileDescriptor: pipe.fileHandleForWriting.fileDescriptor)
    let reading = Task.detached { pipe.fileHandleForReading.readDataToEndOfFile() }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            var entry = self.entry()
            entry.message = "thread \(number)"
            log.record(entry)
          }
        }
      }
    }
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: await reading.value, as: UTF8.self)
    let lines = try text.split(separator: "\n").map { try decode($0 + "\n") }
    #expect(lines.count == 800)
    #expect(lines.map(\.time) == lines.map(\.time).sorted())
    #expect(Dictionary(grouping: lines, by: \.message).mapValues(\.count).values.allSatisfy { $0 == 100 })
  }

  @Test func `A session is told from start to end, every rate change in it`() async throws {
    let player = Player()
    await player.coordinator.open(items(2))
    let first = try #require(player.engine.lastLoaded)
    await player.coordinator.start(first)
    player.engine.setPosition(first, .seconds(12))
    let changes: [(Double, RateChangeReason)] = [
      (1, .setRateCalled), (0, .appBackgrounded), (1, .setRateCalled), (0, .unheardOf),
    ]
    for (rate, reason) in changes { await player.coordinator.handle(RateChange(rate: rate, reason: reason)) }
    await player.coordinator.handle(.pause, origin: PolicyWalk.remote)
    await player.coordinator.handle(RateChange(rate: 0, reason: .setRateCalled))
    await player.coordinator.handle(.screenLocked)
    await player.coordinator.handle(.serverLost)
    await player.coordinator.handle(.failed(first, .notThere, played: true))

    let lines = try player.lines.all.map(decode)
    let rates = lines.filter { $0.event == "rateChange" }
    #expect(rates.map(\.rate) == [1, 0, 1, 0, 0])
    #expect(
      rates.map(\.reason) == [
        "setRateCalled", "appBackgrounded", "setRateCalled", "somethingNewIn2030", "setRateCalled",
      ])
    #expect(rates.map(\.origin) == ["viewer", "system", "engine", "system", "remote"])
    #expect(rates[1].decided == ["start(setRateCalled)"] && rates[1].position == 12)
    #expect(rates[4].program == "playerctl" && rates[4].processID == 7 && rates[4].busName == ":1.7")
    let intents = lines.filter { $0.event == "intentChange" }
    #expect(intents.map(\.wantedToPlay) == [false, true] && intents.map(\.wantsToPlay) == [true, false])
    let others = lines.map(\.event).filter { $0 != "rateChange" && $0 != "intentChange" }
    #expect(others == ["track", "lifecycle", "layer", "route", "error"])
    #expect(lines.filter { $0.event == "track" }.map(\.track) == ["/music/1"])
    #expect(lines.last?.message == "brokeOff: There is no such file.")
    // The reason that nobody knows holds it from then on, and the server's loss on top.
    #expect(rates.map(\.suppression) == [[], [], [], ["systemPaused"], ["systemPaused"]])
    #expect(lines.first { $0.event == "route" }?.suppression == ["serverLost", "systemPaused"])
  }
}
