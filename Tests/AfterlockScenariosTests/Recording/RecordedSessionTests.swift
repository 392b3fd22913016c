import AfterlockCore
import Foundation
import Testing

@testable import AfterlockScenarios

/// Made from lines as a real player writes them.
@Suite("A recorded session")
struct RecordedSessionTests {
  private static func line(
    _ time: Double, _ event: PlaybackLogEntry.Event, _ reason: String? = nil,
    _ origin: CommandOrigin = .viewer, rate: Double = 1, wants: Bool = true, decided: [String] = [],
    position: Double = 0, _ detail: LogDetail? = nil
  ) -> PlaybackLogLine {
    PlaybackLogLine(
      time: .seconds(time), date: Date(timeIntervalSince1970: 1e9),
      entry: PlaybackLogEntry(
        event: event, rate: rate, reason: reason, origin: origin, wantedToPlay: wants, wantsToPlay: wants,
        position: .seconds(position), track: "/music/a.flac", decided: decided, detail: detail))
  }

  private static func track(
    _ id: UInt64, _ index: Int, _ title: String? = nil, _ duration: Double? = 60
  ) -> LogDetail {
    .track(
      LoggedTrack(
        id: TrackID(rawValue: id), index: index, title: title, duration: duration.map { .seconds($0) }))
  }

  private static let remote = CommandOrigin.remote(busName: ":1.2", processID: 3, program: "playerctl")

  /// Half a second of start-up, and a track that begins.
  private static let start = [
    line(
      0.4, .lifecycle, SoundAccount.programBegan, wants: false,
      .settings(onLock: .pauses, onRouteLoss: .follow)),
    line(0.5, .intentChange, "play", decided: ["load", "activateSession", "start(setRateCalled)"]),
    line(0.52, .rateChange, "setRateCalled"),
    line(0.55, .track, nil, .engine, track(1, 0, "First")),
  ]

  @Test func `begins with the first thing that happened, in whole milliseconds`() throws {
    let pause = Self.line(
      2.500_4, .intentChange, "pause", Self.remote, rate: 0, wants: false, decided: ["pause(setRateCalled)"],
      position: 1.96)
    let change = Self.line(2.52, .rateChange, "setRateCalled", Self.remote, rate: 0, wants: false)
    let session = try #require(RecordedSession(Self.start + [pause, change]))
    let scenario = session.scenario
    #expect(
      scenario.timeline == [.init(at: .zero, .play), .init(at: .seconds(2), .remotePause)])
    #expect(scenario.platform == .desktop && scenario.name == "a session of 2001-09-09, 01:46:40 UTC")
    #expect(scenario.app.onLock == .pauses && scenario.app.onRouteLoss == .follow)
    #expect(scenario.queue == [ScenarioItem(title: "First", duration: .seconds(60))])
    #expect(scenario.expectations.suffix(2) == [.reason(.setRateCalled, times: 2), .outcome(.paused)])
    guard case .state(let time, let state) = scenario.expectations[1] else {
      Issue.record("\(scenario.expectations)")
      return
    }
    #expect(time > .seconds(2) && state.rate == 0 && state.wantsToPlay == false && state.item == 0)
    #expect(state.reason == .setRateCalled && state.origin == "remote" && state.position == .seconds(2))
    #expect(session.omissions.isEmpty)
  }

  @Test func `leaves out how the program left`() throws {
    let leaving = [
      Self.line(4, .intentChange, "pause", rate: 0, wants: false, decided: ["pause(setRateCalled)"]),
      Self.line(4.000_1, .lifecycle, SoundAccount.programEnded, rate: 0, wants: false),
      Self.line(4.02, .rateChange, "setRateCalled", rate: 0, wants: false),
    ]
    let scenario = try #require(RecordedSession(Self.start + leaving)).scenario
    #expect(scenario.timeline == [.init(at: .zero, .play)])
    #expect(scenario.expectations.suffix(2) == [.reason(.setRateCalled, times: 1), .outcome(.plays)])
    #expect(scenario.end == .milliseconds(3_500))
  }

  @Test func `has tracks of such a length that they end when they did`() throws {
    let next = Self.line(8.05, .track, nil, .engine, Self.track(2, 1, nil, 30))
    let scenario = try #require(RecordedSession(Self.start + [next, Self.line(9, .volume, nil, .system)]))
      .scenario
    #expect(scenario.queue.map(\.duration) == [.milliseconds(7_550), .seconds(30)])
    #expect(scenario.queue.map(\.title) == ["First", "a.flac"])
    #expect(scenario.timeline.count == 1, "nobody did anything")
  }

  @Test func `of a shuffled list has the tracks as they were played, and says so`() throws {
    let lines = [
      Self.line(0.3, .list, "shuffle", wants: false, .order(.none, isShuffled: true)),
      Self.line(1, .track, "next", Self.remote, Self.track(9, 7, "Second", nil)),
      Self.line(1.1, .track, nil, .engine, Self.track(9, 7, "Second")),
      Self.line(2, .track, "previous", .viewer, Self.track(1, 3, "First", nil)),
    ]
    let scenario = try #require(RecordedSession([lines[0]] + Self.start + lines.dropFirst())).scenario
    #expect(scenario.queue.map(\.title) == ["First", "Second", "First"])
    #expect(scenario.timeline.map(\.action) == [.play, .remoteNext, .next])
    #expect(scenario.about.contains("in the order in which they were played"))
  }

  /// A pause that a start overtakes a moment later, as Space twice: the player never reports it.
  private static let twoToggles = [
    line(3, .intentChange, "togglePlayPause", rate: 0, wants: false, decided: ["pause(setRateCalled)"]),
    line(3.06, .intentChange, "togglePlayPause", decided: ["start(setRateCalled)"]),
  ]

  @Test func `expects no number of rate changes that overtook each other, and replays`() async throws {
    let later = [
      Self.line(6, .intentChange, "pause", rate: 0, wants: false, decided: ["pause(setRateCalled)"]),
      Self.line(6.1, .rateChange, "setRateCalled", rate: 0, wants: false),
    ]
    for rest in [[], later] {
      let session = try #require(RecordedSession(Self.start + Self.twoToggles + rest))
      let counts = session.scenario.expectations.filter { if case .reason = $0 { true } else { false } }
      #expect(counts.isEmpty)
      let result = await ScenarioRunner().run(session.scenario)
      #expect(result.failures.isEmpty, "\(result.failures)\n\(session.scenario.json5)")
      let log = result.timeline.log
      #expect(ReplayComparison(recorded: session.lines, replayed: log).firstDifference == nil)
      // One decision that is missing, or another one, is found all the same.
      for index in log.indices where !log[index].entry.decided.isEmpty {
        var other = log
        other.remove(at: index)
        #expect(ReplayComparison(recorded: session.lines, replayed: other).firstDifference != nil)
        other = log
        other[index].entry.decided = ["pause(routeLost)"]
        #expect(ReplayComparison(recorded: session.lines, replayed: other).firstDifference != nil)
      }
    }
  }

  @Test func `finds a rate change that is missing where none overtook another`() async throws {
    let slow = [
      Self.line(6, .intentChange, "pause", rate: 0, wants: false, decided: ["pause(setRateCalled)"]),
      Self.line(6.1, .rateChange, "setRateCalled", rate: 0, wants: false),
      Self.line(9, .intentChange, "play", decided: ["start(setRateCalled)"]),
      Self.line(9.1, .rateChange, "setRateCalled"),
    ]
    let session = try #require(RecordedSession(Self.start + Self.twoToggles + slow))
    let log = await ScenarioRunner().run(session.scenario).timeline.log
    let last = try #require(log.lastIndex { $0.entry.event == .rateChange })
    var other = log
    other.remove(at: last)
    #expect(ReplayComparison(recorded: session.lines, replayed: log).firstDifference == nil)
    #expect(ReplayComparison(recorded: session.lines, replayed: other).firstDifference != nil)
    let plain = try #require(RecordedSession(Self.start + slow)).scenario
    #expect(plain.expectations.contains(.reason(.setRateCalled, times: 3)))
  }

  @Test func `leaves out Ctrl-Z with all that followed from it`() async throws {
    var stop = Self.line(3, .lifecycle, "appSuspended", .system, rate: 0, decided: ["pause(appSuspended)"])
    stop.entry.suppression = ["appSuspended"]
    var stopped = Self.line(3.1, .rateChange, "appSuspended", .system, rate: 0)
    stopped.entry.suppression = ["appSuspended"]
    var volume = Self.line(3.2, .volume, nil, .system, rate: 0, .volume(Volume(percent: 50), isMuted: false))
    volume.entry.suppression = ["appSuspended"]
    let resumed = [
      Self.line(5, .lifecycle, "appResumed", .system, decided: ["start(setRateCalled)"]),
      Self.line(5.01, .rateChange, "setRateCalled", .system),
    ]
    for lines in [[stop], [stop, stopped, volume], [stop, stopped] + resumed] {
      let session = try #require(RecordedSession(Self.start + lines))
      #expect(session.omissions == ["that the player was stopped and went on (Ctrl-Z)"])
      #expect(session.scenario.expectations.contains(.reason(.setRateCalled, times: 1)))
      #expect(session.scenario.expectations.last == .outcome(.plays))
      let text = session.scenario.json5
      #expect(!text.contains("appSuspended") && !text.contains("\"system\""))
      let result = await ScenarioRunner().run(session.scenario)
      #expect(result.failures.isEmpty, "\(result.failures)\n\(session.scenario.json5)")
      #expect(ReplayComparison(recorded: session.lines, replayed: result.timeline.log).firstDifference == nil)
    }
  }

  @Test func `begins where it began, unless the first thing was to go elsewhere`() throws {
    let seek = Self.line(
      3, .seek, "seek", .viewer, rate: 0, wants: false, position: 3, .seek(to: .seconds(8)))
    let play = [
      Self.line(5, .intentChange, "play", decided: ["load", "activateSession", "start(setRateCalled)"]),
      Self.line(5.1, .track, nil, .engine, position: 8, Self.track(1, 0, "First")),
    ]
    let moved = try #require(RecordedSession([seek] + play)).scenario
    #expect(moved.timeline == [.init(at: .zero, .seek(to: .seconds(8))), .init(at: .seconds(2), .play)])
    let unmoved = try #require(RecordedSession(play)).scenario
    #expect(unmoved.timeline == [.init(at: .zero, .seek(to: .seconds(8))), .init(at: .zero, .play)])
  }

  @Test func `is none where nothing happened, and tells what it leaves out`() throws {
    #expect(RecordedSession([]) == nil)
    #expect(RecordedSession([Self.start[0]]) == nil)
    let stopped = Self.line(3, .lifecycle, "appSuspended", .system, rate: 0)
    let session = try #require(RecordedSession(Self.start + [stopped]))
    #expect(session.omissions.count == 1 && session.scenario.about.contains(session.omissions[0]))
    let many = (0..<RecordedSession.mostLines).map {
      Self.line(1 + Double($0), .seek, "seek", .viewer, .seek(to: .zero))
    }
    let recorder = SessionRecorder()
    for line in Self.start + many + many { recorder.take(line) }
    let long = try #require(recorder.session)
    #expect(long.lines.count == RecordedSession.mostLines && long.omissions.count == 1)
    #expect(long.scenario.json5.utf8.count < ScenarioFile.largest)
    #expect(try ScenarioFile.parse(long.scenario.json5, named: "long") == long.scenario)
  }
}
