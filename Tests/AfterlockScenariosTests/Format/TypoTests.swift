import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

/// A file with one thing wrong in it, and what its writer is told.
struct BadFile: Sendable, CustomTestStringConvertible {
  let text: String
  let message: String
  var testDescription: String { message }

  /// Takes the text as it is.
  init(whole text: String, _ message: String) {
    self.text = text
    self.message = message
  }

  /// A good file with something else in one of its places; each place has a line of its own.
  init(
    name: String = #"name: "n","#, platform: String = #"platform: "phone","#, app: String = "",
    queue: String = #"{ title: "Clip", duration: 60 }, { title: "Song", duration: 60 }"#,
    timeline: String = #"{ at: 0, do: "play" }"#, expect: String = #"{ outcome: "plays" }"#, _ message: String
  ) {
    let text = """
      {
        \(name)
        \(platform)
        app: { \(app) },
        queue: [ \(queue) ],
        timeline: [
          \(timeline)
        ],
        expect: [
          \(expect)
        ],
      }
      """
    self.init(whole: text, message)
  }
}

/// Slips that people make by hand.
@Suite(.computesForLong) struct TypoTests {
  @Test(arguments: words + entries + expectations + numbers + syntax)
  func `The writer of a bad file is told the place, the word and what to do`(_ file: BadFile) {
    let error = #expect(throws: ScenarioFileError.self) { try ScenarioFile.parse(file.text, named: "F") }
    #expect(error?.description == file.message)
  }

  @Test func `The file that they are made from is good`() throws {
    _ = try ScenarioFile.parse(BadFile("").text, named: "F")
  }

  static let words = [
    BadFile(
      timeline: #"{ at: 0, do: "sidebutton" }"#,
      "F:7: timeline[0].do: unknown action 'sidebutton'; did you mean 'sideButton'?"),
    BadFile(
      timeline: #"{ at: 0, do: "remotePause" }"#,
      "F:7: timeline[0].do: unknown action 'remotePause'; did you mean 'remote.pause'?"),
    BadFile(
      timeline: #"{ at: 0, do: "interuption.begin" }"#,
      "F:7: timeline[0].do: unknown action 'interuption.begin'; did you mean 'interruption.begin'?"),
    BadFile(
      timeline: #"{ at: 0, do: "lock" }"#,
      "F:7: timeline[0].do: a phone has no 'lock', which is for a desktop; its counterpart here is 'sideButton'"
    ),
    BadFile(
      platform: #"platform: "desktop","#, timeline: #"{ at: 0, do: "sideButton" }"#,
      "F:7: timeline[0].do: a desktop has no 'sideButton', which is for a phone or a simulator; "
        + "its counterpart here is 'lock'"),
    BadFile(
      platform: #"platform: "desktop","#, timeline: #"{ at: 0, do: "ringSwitch.silent" }"#,
      "F:7: timeline[0].do: a desktop has no 'ringSwitch.silent', which is for a phone or a simulator"),
    BadFile(
      platform: #"platform: "desktop","#, timeline: #"{ at: 0, do: "zzz" }"#,
      "F:7: timeline[0].do: unknown action 'zzz'; it can be play, pause, toggle, stop, next, previous, seek, "
        + "volume, addLayer, dropLayer, remote.play, remote.pause, remote.toggle, remote.next, remote.previous, "
        + "remote.seek, unlock, lock, sleep, wake, sink.remove, sink.add, sink.setDefault, server.kill, "
        + "server.start, cork, uncork, duck, unduck, bus.kill, bus.start, item.fail or item.end"),
    BadFile(
      platform: #"platform: "phnoe","#, "F:3: platform: unknown platform 'phnoe'; did you mean 'phone'?"),
    BadFile(
      platform: #"platform: "watch","#,
      "F:3: platform: unknown platform 'watch'; it can be phone, simulator or desktop"),
    BadFile(
      app: #"detachesLayersAt: "willResign""#,
      "F:4: app.detachesLayersAt: unknown moment 'willResign'; did you mean 'willResignActive'?"),
    BadFile(
      app: #"detachLayersAt: "never""#,
      "F:4: app: unknown key 'detachLayersAt'; did you mean 'detachesLayersAt'?"),
    BadFile(
      app: #"category: "playBack""#,
      "F:4: app.category: unknown category 'playBack'; did you mean 'playback'?"),
    BadFile(
      app: #"kind: "noisemaker""#,
      "F:4: app.kind: unknown kind of app 'noisemaker'; did you mean 'noiseMaker'?"),
    BadFile(
      app: #"backgroundModes: ["audo"]"#,
      "F:4: app.backgroundModes[0]: unknown background mode 'audo'; did you mean 'audio'?"),
    BadFile(
      app: #"backgroundModes: "audio""#,
      "F:4: app.backgroundModes: is the text 'audio', and has to be a list of texts in [ ]"),
    BadFile(app: #"onLock: true"#, #"F:4: app.onLock: is true, and has to be "continue" or "pause""#),
    BadFile(
      app: #"undoesSystemPause: "yes""#,
      "F:4: app.undoesSystemPause: is the text 'yes', and has to be true or false"),
    BadFile(
      queue: #"{ title: "Clip", kind: "film", duration: 60 }"#,
      "F:5: queue[0].kind: unknown kind of item 'film'; did you mean 'video'?"),
    BadFile(
      timeline: #"{ at: 0, do: "interruption.begin", kind: "Call" }"#,
      "F:7: timeline[0].kind: unknown kind of interruption 'Call'; did you mean 'call'?"),
    BadFile(
      expect: #"{ outcome: "play" }"#,
      "F:10: expect[0].outcome: unknown outcome 'play'; did you mean 'plays'?"),
    BadFile(
      expect: #"{ at: 1, layers: "atached" }"#,
      "F:10: expect[0].layers: unknown state of the layers 'atached'; did you mean 'attached'?"),
    BadFile(
      expect: #"{ at: 1, suppression: ["audioSesionInterrupted"] }"#,
      "F:10: expect[0].suppression[0]: unknown cause 'audioSesionInterrupted'; did you mean 'audioSessionInterrupted'?"
    ),
    BadFile(
      expect: #"{ reason: "appBackgroundet", times: 0 }"#,
      "F:10: expect[0].reason: unknown reason 'appBackgroundet'; did you mean 'appBackgrounded'?"),
    BadFile(
      expect: #"{ at: 1, origin: "user" }"#,
      "F:10: expect[0].origin: unknown origin 'user'; did you mean 'viewer'?"),
    BadFile(
      expect: #"{ at: 1, origin: "somebody" }"#,
      "F:10: expect[0].origin: unknown origin 'somebody'; it can be viewer, remote, system or engine"),
  ]

  static let entries = [
    BadFile(name: "", #"F:1: 'name' is missing; for example: name: "the side button while a video plays""#),
    BadFile(platform: "", #"F:1: 'platform' is missing; for example: platform: "phone""#),
    BadFile(name: #"name: " ","#, "F:2: name: is an empty text, and has to say something"),
    BadFile(name: "name: null,", "F:2: name: is null, and has to be a text in quotes"),
    BadFile(
      queue: "",
      "F:5: queue: is empty, and has to have an item; for example: { title: \"Clip\", duration: 60 }"),
    BadFile(queue: #"{ duration: 60 }"#, #"F:5: queue[0]: 'title' is missing; for example: title: "Clip""#),
    BadFile(queue: #"{ title: "a" }"#, "F:5: queue[0]: 'duration' is missing; for example: duration: 60"),
    BadFile(
      queue: #"{ titel: "a", title: "b", duration: 1 }"#,
      "F:5: queue[0]: unknown key 'titel'; did you mean 'title'?"),
    BadFile(
      queue: #""Clip""#,
      "F:5: queue[0]: is the text 'Clip', and has to be an item: { title: \"Clip\", kind: \"video\", duration: 60 }"
    ),
    BadFile(timeline: #"{ do: "play" }"#, "F:7: timeline[0]: 'at' is missing; for example: at: 5"),
    BadFile(timeline: "{ at: 5 }", #"F:7: timeline[0]: 'do' is missing; for example: do: "play""#),
    BadFile(
      timeline: #"{ at: 0, do: "play", to: 3 }"#,
      "F:7: timeline[0]: 'play' takes no 'to', which goes with seek, volume and remote.seek"),
    BadFile(timeline: #"{ at: 0, do: "seek" }"#, "F:7: timeline[0]: 'to' is missing; for example: to: 42"),
    BadFile(
      timeline: #"{ at: 0, do: "seek", too: 4, to: 3 }"#,
      "F:7: timeline[0]: unknown key 'too'; did you mean 'to'?"),
    BadFile(
      timeline: #"{ at: 0, do: "unlock", by: "gnome" }"#, "F:7: timeline[0]: 'unlock' takes no 'by' here"),
    BadFile(
      timeline: #""play""#,
      "F:7: timeline[0]: is the text 'play', and has to be an action: { at: 5, do: \"sideButton\" }"),
    BadFile(timeline: #"{ at: 0, do: play }"#, #"F:7:18: a text has to stand in quotes: "play""#),
    BadFile(
      timeline: #"{ at: 0, do: 5 }"#,
      #"F:7: timeline[0].do: is the number 5, and has to be an action in quotes, such as "play""#),
    BadFile(
      timeline: #"{ at: 5, do: "play" }, { at: 4.5, do: "stop" }"#,
      "F:7: timeline[1].at: is 4.5, and the entry before it is at 5: sort them"),
    BadFile(
      timeline: #"{ at: 1, do: "play", at: 2 }"#,
      "F:7: timeline[0]: 'at' is written twice; the first is in line 7"),
    BadFile(
      platform: #"platform: "desktop","#, timeline: #"{ at: 1, do: "lock", by: [] }"#,
      "F:7: timeline[0].by: is an empty list, and nobody would hear of it; leave it out for all"),
    BadFile(name: #"name: "a", nmae: "b","#, "F:2: unknown key 'nmae'; did you mean 'name'?"),
    BadFile(
      name: #"name: "a", description: "b","#,
      "F:2: unknown key 'description'; it can be name, about, platform, app, queue, timeline or expect"),
    BadFile(
      whole: "[]",
      "F:1: is a list, and has to be a scenario: { name: \"…\", platform: \"phone\", queue: […], timeline: […], expect: […] }"
    ),
  ]

  static let expectations = [
    BadFile(
      expect: "", "F:9: expect: is empty, so that nothing could fail; for example: { outcome: \"plays\" }"),
    BadFile(
      expect: "{ at: 5 }",
      "F:10: expect[0]: expects nothing at that time; add what has to hold, such as rate: 1"),
    BadFile(
      expect: "{}",
      "F:10: expect[0]: does not say what is expected when; write { at: 6, rate: 1 }, "
        + "{ from: 5, to: 20, audible: true }, { reason: \"appBackgrounded\", times: 0 } or { outcome: \"plays\" }"
    ),
    BadFile(
      expect: #"{ at: 5, outcome: "plays" }"#,
      "F:10: expect[0]: 'at' and 'outcome' do not go together; write an entry for each"),
    BadFile(
      expect: "{ at: 5, audible: true }",
      "F:10: expect[0]: 'audible' is judged over a stretch of time, not at one; write { from: 5, to: 20, audible: true }"
    ),
    BadFile(
      expect: "{ from: 5, to: 20, audible: true, rate: 1 }",
      "F:10: expect[0]: 'rate' does not go with 'from'; write { at: 6, rate: 1 } as an entry of its own"),
    BadFile(
      expect: "{ from: 5, to: 20 }", "F:10: expect[0]: 'audible' is missing; for example: audible: true"),
    BadFile(
      expect: "{ from: 5, to: 5, audible: true }",
      "F:10: expect[0].to: is 5, and has to be later than from, which is 5"),
    BadFile(
      expect: #"{ reason: "routeLost" }"#, "F:10: expect[0]: 'times' is missing; for example: times: 0"),
    BadFile(
      expect: "{ times: 0 }", #"F:10: expect[0]: 'reason' is missing; for example: reason: "appBackgrounded""#
    ),
    BadFile(
      expect: #"{ reason: "routeLost", time: 0 }"#,
      "F:10: expect[0]: 'times' is missing; for example: times: 0\n"
        + "F:10: expect[0]: unknown key 'time'; did you mean 'times'?"),
    BadFile(
      expect: #"{ at: 1, toggle: "Play" }"#,
      "F:10: expect[0]: 'toggle' is the noise maker's; say app: { kind: \"noiseMaker\" }, or leave it out"),
    BadFile(
      expect: "{ at: 1, wantToPlay: true }",
      "F:10: expect[0]: unknown key 'wantToPlay'; did you mean 'wantsToPlay'?"),
  ]

  static let numbers = [
    BadFile(
      timeline: #"{ at: "0", do: "play" }"#,
      "F:7: timeline[0].at: is the text '0', and has to be a number of seconds"),
    BadFile(
      timeline: #"{ at: -1, do: "play" }"#,
      "F:7: timeline[0].at: is the number -1, and a time cannot be negative"),
    BadFile(
      timeline: #"{ at: 1e300, do: "play" }"#,
      "F:7: timeline[0].at: is the number 1e+300, and has to be a number of seconds up to 1000000"),
    BadFile(
      timeline: #"{ at: NaN, do: "play" }"#,
      "F:7: timeline[0].at: is the number NaN, and has to be a number of seconds up to 1000000"),
    BadFile(
      timeline: #"{ at: 1.2.3, do: "play" }"#,
      "F:7: timeline[0].at: is a number that cannot be read, and has to be a number of seconds"),
    BadFile(
      timeline: #"{ at: 0, do: "volume", to: 1000 }"#,
      "F:7: timeline[0].to: is the number 1000, and has to be a number of percent from 0 to 150"),
    BadFile(queue: #"{ title: "a", duration: 0 }"#, "F:5: queue[0].duration: is 0, and an item has to last"),
    BadFile(
      queue: #"{ title: "a", duration: -3 }"#,
      "F:5: queue[0].duration: is the number -3, and a time cannot be negative"),
    BadFile(
      queue: #"{ title: "a", duration: Infinity }"#,
      "F:5: queue[0].duration: is the number Infinity, and has to be a number of seconds up to 1000000"),
    BadFile(
      expect: "{ at: 1, rate: 0.5 }", "F:10: expect[0].rate: is 0.5, and has to be 0 (held) or 1 (runs)"),
    BadFile(expect: "{ at: 1, rate: 2 }", "F:10: expect[0].rate: is 2, and has to be 0 (held) or 1 (runs)"),
    BadFile(
      expect: "{ at: 1, item: 2 }",
      "F:10: expect[0].item: is 2, and the last of the queue is 1: items count from 0"),
    BadFile(
      expect: "{ at: 1, item: 0.5 }", "F:10: expect[0].item: is the number 0.5, and has to be a whole number"),
    BadFile(
      expect: #"{ reason: "routeLost", times: -1 }"#,
      "F:10: expect[0].times: is the number -1, and has to be a whole number from 0 to 1000000"),
    BadFile(
      expect: #"{ reason: "routeLost", times: true }"#,
      "F:10: expect[0].times: is true, and has to be a whole number"),
  ]

  static let syntax = [
    BadFile(whole: "", "F: is empty; 'afterlock scenario new NAME' writes one to begin with"),
    BadFile(
      whole: "\n  // Nothing yet.\n", "F: is empty; 'afterlock scenario new NAME' writes one to begin with"),
    BadFile(whole: "{ name: \"a\"\n  platform: \"phone\" }", "F:2:3: a comma is missing before 'platform'"),
    BadFile(
      whole: "{ name: \"a\",\n  platform: \"phone",
      "F:2:13: the text that begins here has no closing \" on its line"
    ),
    BadFile(
      whole: "{ name: \"a\",\n  queue: [1, 2\n",
      "F:3:1: the file ends, and the '[' of line 2 is not closed; add ']'"
    ),
    BadFile(whole: "{ name \"a\" }", "F:1:8: a ':' is missing after 'name'; found '\"'"),
    BadFile(whole: "{ name: }", "F:1:9: found '}' where a value has to stand"),
    BadFile(whole: "{ name: \"a\",, }", "F:1:13: found ',' where a value belongs before it"),
    BadFile(whole: "{ queue: [1} }", "F:1:12: found '}' in a list, which ends in ']'"),
    BadFile(whole: "{ queue: {a: 1] }", "F:1:15: found ']' in a group, which ends in '}'"),
    BadFile(
      whole: "{ name: “a” }", "F:1:9: found '“', which is no quote here (write \") where a value has to stand"
    ),
    BadFile(whole: "{ name: \"a\" } }", "F:1:15: nothing may follow the end of the scenario, and '}' does"),
    BadFile(whole: "{ /* name: 1 }", "F:1:3: the comment that begins here is not closed; add '*/'"),
    BadFile(
      whole: "{ name:\u{A0}1 }", "F:1:8: found the invisible character U+00A0 where a value has to stand"),
    BadFile(whole: "{ name: \"a\tb\" }", "F:1:11: a text cannot have a tab in it; write \\t, or spaces"),
    BadFile(whole: "{ # no\n }", "F:1:3: a comment begins with '//', and not with '#'"),
    BadFile(whole: "{ a-b: 1 }", "F:1:4: a ':' is missing after 'a'; found '-'"),
    BadFile(
      whole: "{ a: 'x\\u00zz' }", "F:1:6: the text that begins here has a '\\' before what cannot follow it"),
    BadFile(
      timeline: String(repeating: "{ at: 0, do: \"play\" },", count: 5_001),
      "F:6: timeline: has 5001 actions, and may have 5000"),
    BadFile(
      whole: String(repeating: "[", count: 100_000),
      "F:1:33: more than 32 groups and lists stand in one another"),
    BadFile(
      whole: String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
      "F:1:33: more than 32 groups and lists stand in one another"),
  ]
}
