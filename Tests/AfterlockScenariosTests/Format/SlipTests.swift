import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

/// Slips of people who think in other words, in another notation, or of something that cannot be.
@Suite(.computesForLong) struct SlipTests {
  @Test(arguments: syntax + noiseMaker + senseless + words + elsewhere)
  func `The writer is led to the mend`(_ file: BadFile) {
    let error = #expect(throws: ScenarioFileError.self) { try ScenarioFile.parse(file.text, named: "F") }
    #expect(error?.description == file.message)
  }

  @Test(arguments: [
    ("phone", "unplug", "route.unplug"), ("phone", "silent", "ringSwitch.silent"),
    ("phone", "call", "interruption.begin"), ("phone", "Alarm", "interruption.begin"),
    ("phone", "lockScreen", "sideButton"), ("phone", "lockButton", "sideButton"),
    ("phone", "home", "switchApp"), ("phone", "background", "switchApp"),
    ("phone", "foreground", "returnToApp"), ("phone", "headphones", "route.unplug"),
    ("phone", "remote.stop", "remote.pause"), ("phone", "remote.volume", "volume"),
    ("phone", "remot.pause", "remote.pause"), ("desktop", "unplug", "sink.remove"),
    ("desktop", "headset", "sink.remove"), ("desktop", "call", "cork"), ("desktop", "lockScreen", "lock"),
    ("desktop", "setDefault", "sink.setDefault"),
  ])
  func `A word that people say for an action leads to the platform's own`(
    _ platform: String, _ said: String, _ meant: String
  ) throws {
    let file = BadFile(
      platform: #"platform: "\#(platform)","#, timeline: #"{ at: 0, do: "\#(said)" }"#,
      "F:7: timeline[0].do: unknown action '\(said)'; did you mean '\(meant)'?")
    let error = #expect(throws: ScenarioFileError.self) { try ScenarioFile.parse(file.text, named: "F") }
    #expect(error?.description == file.message)
  }

  @Test(arguments: [("3", false), ("2.999", true), ("0", true)])
  func `A gap shorter than its stretch is good, and one as long is refused`(_ gap: String, _ isGood: Bool) {
    let text = BadFile(expect: "{ from: 0, to: 3, audible: true, longestGap: \(gap) }", "").text
    #expect(((try? ScenarioFile.parse(text, named: "F")) != nil) == isGood)
  }

  @Test func `What the noise maker's remote buttons do not do can be expected`() throws {
    let text = BadFile(
      app: #"kind: "noiseMaker""#, queue: #"{ title: "Rain", duration: 30 }"#,
      timeline: #"{ at: 0, do: "stop" }, { at: 0, do: "remote.next" }, { at: 0, do: "volume", to: 100 }"#, ""
    ).text
    _ = try ScenarioFile.parse(text, named: "F")
  }

  @Test func `A position as good as the end, and one in an item that is not named, are good`() throws {
    let text = BadFile(expect: "{ at: 1, item: 1, position: 60.1 }, { at: 1, position: 70 }", "").text
    _ = try ScenarioFile.parse(text, named: "F")
  }

  static let syntax = [
    BadFile(
      timeline: #"{ at: 1:30, do: "play" }"#, "F:7:11: times are seconds: write 90 for '1:30'"),
    BadFile(
      timeline: #"{at:1:02:03.5, do: "play"}"#, "F:7:9: times are seconds: write 3723.5 for '1:02:03.5'"),
    BadFile(
      timeline: #"{ at: 0,5, do: "play" }"#,
      "F:7:11: a number has a point, and no comma: write 0.5 for '0,5'"),
    BadFile(whole: "{ a: [1, 2], b: 3, 5 }", "F:1:20: found '5' where a key or '}' has to stand"),
    BadFile(
      timeline: #"{ at: 0, do: "play" }, # the start"#, "F:7:28: a comment begins with '//', and not with '#'"
    ),
    BadFile(
      timeline: #"{ at: 0; do: "play" }"#, "F:7:12: found ';' where ',' has to stand between entries"),
    BadFile(
      timeline: #"{ at: 0, do: "play" };"#, "F:7:26: found ';' where ',' has to stand between entries"),
    BadFile(whole: #"{ name: "a":1 }"#, "F:1:12: a comma is missing before ':'"),
  ]

  private static func noise(
    queue: String = #"{ title: "Rain", duration: 30 }"#, timeline: String = #"{ at: 0, do: "play" }"#,
    expect: String = #"{ outcome: "plays" }"#, _ message: String
  ) -> BadFile {
    BadFile(app: #"kind: "noiseMaker""#, queue: queue, timeline: timeline, expect: expect, message)
  }

  static let noiseMaker = [
    noise(
      queue: #"{ title: "Click", duration: 0.001 }"#, expect: #"{ from: 0, to: 60, audible: true }"#,
      "F:5: queue[0].duration: is so short that the item would be played more than 10000 times in this run"),
    noise(
      queue: #"{ title: "Rain", duration: 30 }, { title: "Wind", duration: 30 }"#,
      "F:5: queue: has 2 items, and the noise maker plays one"),
    noise(
      queue: #"{ title: "Rain", kind: "video", duration: 30 }"#,
      "F:5: queue[0].kind: is video, and the noise maker shows none"),
    noise(
      timeline: #"{ at: 0, do: "next" }"#,
      "F:7: timeline[0].do: the noise maker has no 'next'; its viewer has play, pause, toggle and volume"),
    noise(
      timeline: #"{ at: 0, do: "seek", to: 3 }"#,
      "F:7: timeline[0].do: the noise maker has no 'seek'; its viewer has play, pause, toggle and volume"),
    noise(
      timeline: #"{ at: 0, do: "volume", to: 101 }"#,
      "F:7: timeline[0].to: is 101, and the noise maker's slider ends at 100"),
    noise(
      expect: "{ at: 0, volume: 150 }",
      "F:10: expect[0].volume: is 150, and the noise maker's slider ends at 100"),
  ]

  static let senseless = [
    BadFile(
      timeline: #"{ at: 0, do: "pause" }"#,
      expect: "{ from: 0, to: 3, audible: true, longestGap: 5 }",
      "F:10: expect[0].longestGap: is 5, and the stretch lasts 3: nothing could fail; "
        + "write the longest silence that may be in it, such as 0.05"),
    BadFile(
      expect: "{ from: 1, to: 3, audible: false, longestGap: 2 }",
      "F:10: expect[0].longestGap: is 2, and the stretch lasts 2: nothing could fail; "
        + "write the longest sound that may be in it, such as 0.05"),
    BadFile(
      platform: #"platform: "desktop","#, expect: #"{ at: 1, app: "background" }"#,
      "F:10: expect[0].app: is 'background', and an app on a desktop is always active"),
    BadFile(
      queue: #"{ title: "a", duration: 60 }"#, expect: "{ at: 1, position: 60.5 }",
      "F:10: expect[0].position: is 60.5, and the item ends at 60"),
    BadFile(
      expect: "{ at: 1, item: 1, position: 61 }", "F:10: expect[0].position: is 61, and the item ends at 60"),
  ]

  static let words = [
    BadFile(
      expect: #"{ outcome: "playing" }"#,
      "F:10: expect[0].outcome: unknown outcome 'playing'; did you mean 'plays'?"),
    BadFile(
      expect: #"{ outcome: "muted" }"#,
      "F:10: expect[0].outcome: unknown outcome 'muted'; did you mean 'silenced'?"),
    BadFile(
      expect: #"{ at: 1, app: "foreground" }"#,
      "F:10: expect[0].app: unknown state of the app 'foreground'; did you mean 'active'?"),
    BadFile(
      queue: #"{ title: "Clip", kind: "music", duration: 60 }"#,
      "F:5: queue[0].kind: unknown kind of item 'music'; did you mean 'audio'?"),
    BadFile(
      timeline: #"{ at: 0, do: "play", action: "play" }"#,
      "F:7: timeline[0]: unknown key 'action'; did you mean 'do'?"),
    BadFile(
      timeline: #"{ at: 0, action: "play" }"#,
      "F:7: timeline[0]: 'do' is missing; for example: do: \"play\"\n"
        + "F:7: timeline[0]: unknown key 'action'; did you mean 'do'?"),
  ]

  static let elsewhere = [
    BadFile(
      platform: #"platform: "desktop","#, timeline: #"{ at: 0, do: "sideButon" }"#,
      "F:7: timeline[0].do: unknown action 'sideButon'; a desktop has no 'sideButton', which is for a phone or "
        + "a simulator; its counterpart here is 'lock'"),
    BadFile(
      platform: #"platform: "desktop","#, timeline: #"{ at: 0, do: "home" }"#,
      "F:7: timeline[0].do: unknown action 'home'; a desktop has no 'switchApp', which is for a phone or a "
        + "simulator"),
  ]
}
