import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

/// The sentences of `why`.
@Suite("Why there is sound or none, in one sentence")
struct ExplanationTests {
  private static let remote = CommandOrigin.remote(busName: ":1.42", processID: 4_242, program: "playerctl")
  /// The session manager, which comes over the bus as a person's programs do (L4).
  private static let manager = CommandOrigin.remote(busName: ":1.9", processID: 77, program: "wireplumber")
  private static let noon = Date(timeIntervalSince1970: 1e9)

  /// A line; each is a minute later than the one before it.
  private static func line(
    _ number: Int, _ event: PlaybackLogEntry.Event, _ reason: String?, _ origin: CommandOrigin, wants: Bool,
    wanted: Bool? = nil, rate: Double = 0, decided: [String] = [], held: PlaybackSuppression = [],
    message: String? = nil
  ) -> PlaybackLogLine {
    PlaybackLogLine(
      time: .seconds(60 * number), date: noon + Double(60 * number),
      entry: PlaybackLogEntry(
        event: event, rate: rate, reason: reason, origin: origin, wantedToPlay: wanted ?? wants,
        wantsToPlay: wants, position: .seconds(1), track: "/a.flac", decided: decided,
        suppression: held.causes, message: message))
  }

  private static func explain(_ lines: [PlaybackLogLine]) -> Explanation {
    Explanation(lines) { date in "12:0\(Int(date.timeIntervalSince(noon)) / 60):00" }
  }

  private static let playing = [
    line(
      0, .intentChange, "play", .viewer, wants: true, wanted: false, rate: 1,
      decided: ["load", "activateSession", "start(setRateCalled)"]),
    line(0, .rateChange, "setRateCalled", .viewer, wants: true, rate: 1),
  ]

  private static func pause(_ origin: CommandOrigin, held: PlaybackSuppression = []) -> PlaybackLogLine {
    line(
      1, .intentChange, "pause", origin, wants: false, wanted: true, decided: ["pause(setRateCalled)"],
      held: held)
  }

  private static func hold(
    _ reason: String, _ cause: PlaybackSuppression, event: PlaybackLogEntry.Event = .lifecycle
  ) -> PlaybackLogLine {
    line(1, event, reason, .system, wants: true, decided: ["pause(\(reason))"], held: cause)
  }

  /// What was logged, and what is said of it.
  private struct Story: Sendable {
    let lines: [PlaybackLogLine]
    let sentence: String

    init(_ parts: [PlaybackLogLine]..., says sentence: String) {
      lines = parts.flatMap { $0 }
      self.sentence = sentence
    }
  }

  private static let toWait = "you still want to play; it goes on by itself once"
  private static let toPress = "you do not want to play now; press play to go on"

  private static let stories: [Story] = [
    Story(
      [], says: "nothing has started or stopped the sound so far; press play to begin"
    ),
    Story(playing, says: "playing, started by you at 12:00:00; you want to play; nothing holds it"),
    Story(
      [playing[0]],
      says:
        "about to play, started by you at 12:00:00; you want to play; the track is being opened, or the sound "
        + "server does not answer (see \"afterlock doctor\")"
    ),
    Story(playing, [pause(.viewer)], says: "paused by you at 12:01:00; \(toPress)"),
    Story(playing, [pause(remote)], says: "paused by playerctl (process 4242) at 12:01:00; \(toPress)"),
    Story(
      playing,
      [
        line(1, .route, nil, .system, wants: true, rate: 1, message: "sink lost: X"),
        hold("routeLost", .routeLost, event: .route),
      ],
      says: "paused by the system: the sink 'X' went away at 12:01:00; \(toWait) there is a sink"
    ),
    Story(
      playing,
      [
        line(1, .route, nil, .system, wants: true, rate: 1, message: "sink: X"),
        line(1, .route, "routeLost", manager, wants: true, decided: ["pause(routeLost)"]),
      ],
      says:
        "paused by the system (wireplumber, process 77): the sink went away at 12:01:00; you still want to play; "
        + "press play to go on"),
    Story(
      playing,
      [
        line(1, .route, nil, .system, wants: true, message: "the headset 'X' went away"),
        line(1, .route, "routeLost", manager, wants: true, decided: ["pause(routeLost)"]),
      ],
      says:
        "paused by the system (wireplumber, process 77): the headset 'X' went away at 12:01:00; you still want "
        + "to play; press play to go on"),
    Story(
      playing,
      [
        line(1, .route, nil, .system, wants: true, message: "the headset 'X' went away"),
        line(1, .route, "sinkLost", .system, wants: true, decided: ["pause(routeLost)"]),
      ],
      says:
        "paused by the system: the headset 'X' went away at 12:01:00; you still want to play; press play to "
        + "go on"),
    Story(
      playing, [hold("serverLost", .serverLost, event: .route)],
      says: "paused by the system: the sound server went away at 12:01:00; \(toWait) the sound server is back"
    ),
    Story(
      playing,
      [
        hold("serverLost", .serverLost, event: .route),
        line(2, .route, "routeLost", .system, wants: true, held: [.serverLost, .routeLost]),
      ],
      says:
        "paused by the system: the sound server went away at 12:01:00; \(toWait) there is a sink and the sound "
        + "server is back"
    ),
    Story(
      playing,
      [
        hold("serverLost", .serverLost, event: .route),
        line(2, .intentChange, "pause", remote, wants: false, wanted: true, held: .serverLost),
      ],
      says:
        "paused by the system: the sound server went away at 12:01:00; playerctl (process 4242) asked to pause "
        + "at 12:02:00, so you do not want to play now; press play, and it goes on once the sound server is back"
    ),
    Story(
      [
        line(0, .route, "routeLost", .system, wants: false, held: .routeLost),
        line(
          1, .intentChange, "play", .viewer, wants: true, wanted: false, decided: ["load"], held: .routeLost),
      ],
      says:
        "nothing has started or stopped the sound so far; you asked to play at 12:01:00, so you still want to "
        + "play; it goes on by itself once there is a sink"
    ),
    Story(
      playing, [hold("systemWillSleep", .systemAsleep)],
      says: "paused by the system: the machine went to sleep at 12:01:00; \(toWait) the machine is awake"
    ),
    Story(
      playing, [hold("interruptionBegan", .audioSessionInterrupted)],
      says:
        "paused by the system: another program took the sound at 12:01:00; you still want to play; press play to "
        + "go on, or it goes on by itself once the other program gives the sound back"
    ),
    Story(
      playing, [hold("interruptionBegan", [.audioSessionInterrupted, .serverLost])],
      says:
        "paused by the system: another program took the sound at 12:01:00; you still want to play; press play, "
        + "and it goes on once the sound server is back"
    ),
    Story(
      playing,
      [
        hold("serverLost", .serverLost, event: .route),
        line(
          2, .route, "serverRestored", .system, wants: true, rate: 1, decided: ["start(serverRestored)"]),
        line(2, .rateChange, "serverRestored", .system, wants: true, rate: 1),
      ],
      says:
        "playing, started by the system: the sound server came back at 12:02:00; you want to play; nothing holds it"
    ),
    Story(
      playing,
      [
        line(
          1, .rateChange, "appBackgrounded", .system, wants: true, decided: ["start(setRateCalled)"]),
        line(1, .rateChange, "setRateCalled", .engine, wants: true, rate: 1),
      ],
      says:
        "playing, started by the player itself: it went on at once when the system had paused it because the "
        + "player left the foreground with its picture on screen at 12:01:00; you want to play; nothing holds it"
    ),
    Story(
      playing, [line(1, .rateChange, "somethingNew", .system, wants: true, held: .systemPaused)],
      says:
        "paused by the system: its reason was 'somethingNew' at 12:01:00; you still want to play; press play to "
        + "go on"
    ),
    Story(
      playing,
      [
        line(1, .intentChange, "stop", .viewer, wants: false, wanted: true, decided: ["pause(x)", "unload"])
      ],
      says: "stopped by you at 12:01:00; you do not want to play now; press play to begin at the start"
    ),
    Story(
      playing,
      [
        line(1, .error, nil, .engine, wants: true, rate: 1, message: "brokeOff: There is no such file."),
        line(1, .track, "queueEnded", .engine, wants: true, decided: ["pause(endOfQueue)"]),
      ],
      says:
        "stopped by the player itself: the list came to its end at 12:01:00 (its last track broke off: there is "
        + "no such file); you still want to play; press play to begin at the start"
    ),
    Story(
      playing,
      [
        pause(.system),
        line(1, .lifecycle, "programEnded", .system, wants: true, message: "it was told to end (SIGTERM)"),
      ],
      says:
        "ended by the system: it was told to end (SIGTERM) at 12:01:00; begin again with \"afterlock play\""
    ),
  ]

  @Test(arguments: stories.indices)
  func `tells what happened`(number: Int) {
    let story = Self.stories[number]
    #expect(Self.explain(story.lines).sentence == story.sentence)
  }

  @Test func `without a date the log's own clock is told`() {
    var line = Self.pause(.viewer)
    (line.date, line.time) = (nil, .seconds(3_723))
    #expect(Self.explain([line]).sentence == "paused by you 1:02:03 after the log began; \(Self.toPress)")
  }

  @Test func `of a player that has gone without a word nothing is said as if it still were`() {
    func explain(_ lines: [PlaybackLogLine], _ player: PlayerLife) -> Explanation {
      Explanation(lines, player: player) { date in "12:0\(Int(date.timeIntervalSince(Self.noon)) / 60):00" }
    }
    let gone =
      "without an end, and no player writes to it any more: the player was killed, or this is a copy; begin "
      + "again with \"afterlock play\""
    let heldBack = [Self.hold("serverLost", .serverLost, event: .route)]
    for (lines, words) in [
      (Self.playing, "was playing, started by you at 12:00:00; the log ends at 12:00:00 "),
      ([Self.playing[0]], "was about to play, started by you at 12:00:00; the log ends at 12:00:00 "),
      (
        Self.playing + heldBack,
        "was paused by the system: the sound server went away at 12:01:00; the log ends at 12:01:00 "
      ),
      (
        [Self.line(2, .lifecycle, "screenLocked", .system, wants: false)],
        "nothing had started or stopped the sound; the log ends at 12:02:00 "
      ),
    ] {
      #expect(explain(lines, .gone).sentence == words + gone)
      #expect(explain(lines, .gone).json.contains(#""sound":"left","player":"gone""#))
    }
    let unknown =
      "the log ends at 12:00:00 without an end: the player was killed, or writes to it still, or this is a part "
      + "of it"
    #expect(
      explain(Self.playing, .unknown).sentence
        == "playing, started by you at 12:00:00; \(unknown); you want to play; nothing holds it")
    #expect(explain(Self.playing, .unknown).json.contains(#""sound":"playing","player":"unknown""#))
    // A log that says how it ended needs no more words.
    let left = Self.playing + [Self.line(1, .lifecycle, "programEnded", .system, wants: true)]
    #expect(Set(PlayerLife.allCases.map { explain(left, $0).sentence }).count == 1)
    let ended =
      Self.playing
      + [Self.line(1, .track, "queueEnded", .engine, wants: true, decided: ["pause(endOfQueue)"])]
    let sentence = "stopped by the player itself: the list came to its end at 12:01:00; "
    #expect(explain(ended, .gone).sentence == sentence + "begin again with \"afterlock play\"")
    for player in [PlayerLife.runs, .unknown] {
      #expect(
        explain(ended, player).sentence
          == sentence + "you still want to play; press play to begin at the start")
    }
    #expect(explain([], .gone).sentence.hasPrefix("nothing had started or stopped the sound; begin again"))
  }

  @Test func `a volume of 0 is told where nothing else holds it`() {
    func advice(_ lines: [PlaybackLogLine], _ volume: Double?) -> String {
      Explanation(lines, volumePercent: volume) { _ in "" }.advice
    }
    #expect(advice(Self.playing, 0) == "nothing holds it, but its volume is 0: turn it up")
    #expect(advice(Self.playing, 1) == "nothing holds it" && advice(Self.playing, nil) == "nothing holds it")
    #expect(advice(Self.playing + [Self.pause(.viewer)], 0) == "press play to go on")
  }

  // MARK: Every combination

  private static let origins: [CommandOrigin] = [
    .viewer, .system, .engine, remote, manager, .remote(busName: ":1.42", processID: 7, program: nil),
    .remote(busName: nil, processID: nil, program: "mpc"),
    .remote(busName: nil, processID: nil, program: "wireplumber"),
    .remote(busName: ":1.42", processID: nil, program: nil),
    .remote(busName: nil, processID: nil, program: nil),
  ]

  /// None, each one, each two, and all.
  private static let suppressions: [PlaybackSuppression] = {
    let all = PlaybackSuppression.known.map(\.cause)
    let pairs = all.indices.flatMap { one in all[(one + 1)...].map { [all[one], $0] as PlaybackSuppression } }
    return [[]] + all + pairs + [PlaybackSuppression(all)]
  }()

  /// What is wrong with a sentence as a sentence.
  private static func faults(of sentence: String) -> [String] {
    var faults: [String] = []
    if sentence.contains("  ") || sentence.hasSuffix(" ") || sentence.hasPrefix(" ") {
      faults.append("spaces")
    }
    if sentence.contains(": ;") || sentence.contains("; ;") || sentence.hasSuffix(";")
      || sentence.contains(" .")
    {
      faults.append("an empty clause")
    }
    if sentence.hasSuffix(".") || sentence.first?.isUppercase == true { faults.append("no clause") }
    if sentence.contains(#/[a-z][A-Z]/#) { faults.append("a word of programs") }
    if sentence.contains("(") != sentence.contains(")") { faults.append("a bracket") }
    if sentence.contains("once ;") || sentence.hasSuffix("once") || sentence.contains("once and") {
      faults.append("nothing to wait for")
    }
    return faults
  }

  @Test(.computesForLong, arguments: ReasonWords.clauses.keys.sorted())
  func `every reason, origin, wish and hold makes a sentence that says who, when, whether and what to do`(
    reason: String
  ) {
    var wrong: [String] = []
    for origin in Self.origins {
      for wants in [true, false] {
        for held in Self.suppressions {
          for decided in [["pause(x)"], ["start(x)"], ["unload"], []] {
            let line = Self.line(3, .lifecycle, reason, origin, wants: wants, decided: decided, held: held)
            let missing = Self.missing(line)
            if missing != [] { wrong.append("\(missing): \(Self.explain(Self.playing + [line]).sentence)") }
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  /// What is missing in the sentence on a line that follows the start.
  private static func missing(_ line: PlaybackLogLine) -> [String] {
    let explanation = explain(playing + [line])
    let (entry, sentence) = (line.entry, explanation.sentence)
    var missing = faults(of: sentence)
    func need(_ isThere: Bool, _ what: String) { if !isThere { missing.append(what) } }
    need(!explanation.advice.isEmpty && sentence.hasSuffix(explanation.advice), "what to do")
    let hasLeft = entry.reason == SoundAccount.programEnded
    need(hasLeft || sentence.contains("want to play"), "whether it is wanted")
    need(hasLeft || entry.wantsToPlay || sentence.contains("do not want to play"), "that it is not wanted")
    // A start of a stream that is off its sink is not heard.
    let isUnheard =
      !Set(["corked", "noSessionManager"]).isDisjoint(with: entry.suppression)
      && entry.decided.contains { $0.hasPrefix("start(") }
    let isTurn =
      hasLeft || entry.reason == SoundAccount.queueEnded || !entry.decided.isEmpty && !isUnheard
    need(sentence.contains(isTurn ? "12:03:00" : "12:00:00"), "when")
    need(sentence.contains(" by \(ReasonWords.who(isTurn ? entry.origin : .viewer))"), "who")
    return missing
  }

  @Test func `the faults of a sentence are found`() {
    for sentence in ["a  b", "a; ; b", "Paused by you", "paused by serverLost", "a (b", "goes on once", "a."]
    {
      #expect(Self.faults(of: sentence) != [], "\(sentence)")
    }
  }

  // MARK: Nothing without words

  /// The words that a pattern finds in files of the core.
  private static func words(_ pattern: String, in files: String...) throws -> Set<String> {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/AfterlockCore")
    let regex = try Regex<(Substring, Substring)>(pattern)
    var words: Set<String> = []
    for file in files {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      for match in text.matches(of: regex) { words.insert(String(match.output.1)) }
    }
    return words
  }

  @Test func `every cause that holds the sound has words`() throws {
    let known = PlaybackSuppression.known
    for (_, name) in known { #expect(ReasonWords.ends[name] != nil, "\(name)") }
    #expect(Set(known.map(\.cause)).count == known.count, "two causes share a bit")
    let declared = try Self.words(
      #"public static let (\w+) = Self\(rawValue: 1"#, in: "Intent/PlaybackSuppression.swift")
    #expect(declared.count >= 9 && declared == Set(known.map(\.name)))
  }

  @Test func `every reason and every event has words`() throws {
    let reasons = try Self.words(
      #"static let \w+ = Self\(rawValue: "(\w+)"\)"#, in: "Notifications/RateChangeReason.swift",
      "Notifications/RateChange.swift")
    let events = try Self.words(#": "(\w+(?:\(\w+\))?)""#, in: "Intent/LifecycleEvent.swift")
    let decisions = try Self.words(
      #"(?:\(\.\w+, |entry.reason = |record(?:Move|Order)\()"(\w+)""#,
      in: "Coordination/PlaybackCoordinator+Log.swift", "Coordination/PlaybackCoordinator+Commands.swift",
      "Coordination/PlaybackCoordinator+List.swift")
    #expect(reasons.count >= 15 && events.count >= 16 && decisions.count >= 12)
    for word in reasons.union(events).union(decisions) {
      #expect(ReasonWords.clauses[word] != nil, "\(word) has no words in ReasonWords.clauses")
    }
  }

  // MARK: For programs

  @Test func `as JSON it is one object on one line`() throws {
    for story in Self.stories {
      let json = Self.explain(story.lines).json
      #expect(json.hasSuffix("\n") && !json.dropLast().contains("\n"))
      let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(object["sentence"] as? String == story.sentence && object.count == 16)
      #expect(object["player"] as? String == (object["sound"] as? String == "left" ? "gone" : "runs"))
    }
    let json = Self.explain(Self.playing + [Self.pause(Self.remote)]).json
    #expect(
      json == """
        {"sentence":"paused by playerctl (process 4242) at 12:01:00; \(Self.toPress)","sound":"held",\
        "player":"runs",\
        "reason":"pause","origin":"remote","busName":":1.42","processID":4242,"program":"playerctl",\
        "date":"2001-09-09T01:47:40.000Z","time":60,"wantsToPlay":false,"suppression":[],\
        "advice":"press play to go on","volumePercent":null,"track":"/a.flac","position":1}

        """)
  }

  @Test func `a moment is shown as the clock on the wall has it, and another day with its date`() {
    let now = Date()
    var parts = tm()
    var seconds = time_t(now.timeIntervalSince1970)
    localtime_r(&seconds, &parts)
    let time = WallClock.show(now, now: now)
    #expect(time == String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec))
    #expect(WallClock.show(now - 86_400 * 2, now: now).contains(#/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/#))
    #expect(WallClock.show(Date(timeIntervalSince1970: .infinity)) == "an unknown time")
  }
}
