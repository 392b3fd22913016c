import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockScenarios

/// What a file says is what the scenario has.
@Suite struct ScenarioFileTests {
  static let example = """
    // A comment.
    {
      name: "the side button while a video plays",
      about: "P6: did-enter-background is too late for the side button",
      platform: "phone",
      app: {
        backgroundModes: ["audio"],
        category: "playback",
        mode: "moviePlayback",
        activatesSession: "beforePlay",
        backgroundPolicy: "continuesIfPossible",
        detachesLayersAt: "willResignActive",
        reattachesLayersAt: "didBecomeActive",
        disablesVideoTracks: false,
        decidesBy: "intent",
        undoesSystemPause: true,
        reasonCrossesAs: "string",
        artworkBuiltIn: "nonisolated",
        onLock: "continue",
        onRouteLoss: "pause",
      },
      queue: [ { title: "Clip", kind: "video", source: "file", duration: 60 } ],
      timeline: [
        { at: 0, do: "play" },
        { at: 5, do: "sideButton" },
        { at: 20, do: "unlock" },
        { at: 25, do: "remote.pause" },
      ],
      expect: [
        { at: 6, rate: 1, layers: "detached", app: "background", wantsToPlay: true, position: 6 },
        { from: 5, to: 20, audible: true, longestGap: 0.05 },
        { reason: "appBackgrounded", times: 0 },
        { at: 26, rate: 0, wantsToPlay: false, reason: "setRateCalled", origin: "remote" },
        { outcome: "plays" },
      ],
    }
    """

  @Test func `The format's own example is read`() throws {
    let scenario = try ScenarioFile.parse(Self.example, named: "example.json5")
    #expect(scenario.app == AppParts())
    #expect(scenario.queue == [ScenarioItem(title: "Clip", kind: .video, duration: .seconds(60))])
    #expect(
      scenario.timeline.map(\.action) == [.play, .sideButton(skipsInactive: false), .unlock, .remotePause])
    #expect(scenario.timeline.map(\.time) == [.zero, .seconds(5), .seconds(20), .seconds(25)])
    var early = StateExpectation()
    early.rate = 1
    early.layers = .detached
    early.app = .background
    early.wantsToPlay = true
    early.position = .seconds(6)
    var late = StateExpectation()
    late.rate = 0
    late.wantsToPlay = false
    late.reason = .setRateCalled
    late.origin = "remote"
    #expect(
      scenario.expectations == [
        .state(at: .seconds(6), early),
        .audible(from: .seconds(5), to: .seconds(20), true, longestGap: .milliseconds(50)),
        .reason(.appBackgrounded, times: 0), .state(at: .seconds(26), late), .outcome(.plays),
      ])
    #expect(scenario.end == .seconds(27))
  }

  @Test func `Every part of the app can be changed`() throws {
    let text = """
      { name: 'n', platform: 'desktop', app: { kind: "noiseMaker", backgroundModes: [], category: "ambient",
        mode: "default", activatesSession: "deactivatesOnResign", backgroundPolicy: "pauses",
        detachesLayersAt: "never", reattachesLayersAt: "never", disablesVideoTracks: true, decidesBy: "state",
        undoesSystemPause: false, reasonCrossesAs: "notification", artworkBuiltIn: "mainActor", onLock: "pause",
        onRouteLoss: "follow" }, queue: [{ title: 'a', duration: .5 }], timeline: [],
        expect: [{ at: 0, suppression: [], status: 'a has loaded', toggle: 'Play', controls: 'enabled' },
          { at: 1, suppression: ['corked', 'routeLost'] }, { at: 2, suppression: 'corked', volume: 50, item: 0 }] }
      """
    let scenario = try ScenarioFile.parse(text, named: "parts.json5")
    var parts = AppParts()
    parts.kind = .noiseMaker
    parts.backgroundModes = []
    parts.category = .ambient
    parts.mode = .default
    parts.activatesSession = .deactivatesOnResign
    parts.backgroundPolicy = .pauses
    parts.detachesLayersAt = .never
    parts.reattachesLayersAt = .never
    parts.disablesVideoTracks = true
    parts.decidesBy = .state
    parts.undoesSystemPause = false
    parts.reasonCrossesAs = .notification
    parts.artworkBuiltIn = .mainActor
    parts.onLock = .pauses
    parts.onRouteLoss = .follow
    #expect(scenario.app == parts)
    let states = scenario.expectations.compactMap { expectation -> StateExpectation? in
      guard case .state(_, let state) = expectation else { return nil }
      return state
    }
    #expect(states.map(\.suppression) == [[], ["corked", "routeLost"], ["corked"]])
    #expect(states.map(\.toggle) == [.play, nil, nil])
    #expect(states.map(\.volume) == [nil, nil, 50])
  }

  @Test func `Every problem of a file is told at once, in the order of the file`() throws {
    let text = """
      {
        name: "bad",
        platform: "phone",
        queue: [{ title: "Clip", duration: "long" }],
        timeline: [
          { at: 0, do: "play", to: 3 },
          { at: 5, do: "sidebutton" },
          { at: 4, do: "lock" },
        ],
        expects: [],
      }
      """
    let error = #expect(throws: ScenarioFileError.self) {
      try ScenarioFile.parse(text, named: "lock/bad.json5")
    }
    #expect(
      error?.description == """
        lock/bad.json5:1: 'expect' is missing; for example: expect: [{ outcome: "plays" }]
        lock/bad.json5:4: queue[0].duration: is the text 'long', and has to be a number of seconds
        lock/bad.json5:6: timeline[0]: 'play' takes no 'to', which goes with seek, volume and remote.seek
        lock/bad.json5:7: timeline[1].do: unknown action 'sidebutton'; did you mean 'sideButton'?
        lock/bad.json5:8: timeline[2].at: is 4, and the entry before it is at 5: sort them
        lock/bad.json5:8: timeline[2].do: a phone has no 'lock', which is for a desktop; \
        its counterpart here is 'sideButton'
        lock/bad.json5:10: unknown key 'expects'; did you mean 'expect'?
        """)
  }
}
