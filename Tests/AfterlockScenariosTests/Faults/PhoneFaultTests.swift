import AfterlockCore
import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockScenarios

/// Faults are real: a child process that crashes, and a compiler that refuses (P9, P10).
@Suite struct PhoneFaultTests {
  private func scenario(_ change: (inout AppParts) -> Void) -> Scenario {
    var app = AppParts()
    change(&app)
    return Scenario(
      name: "a fault", app: app, queue: [ScenarioItem(title: "Song", duration: .seconds(60))],
      timeline: [TimedAction(at: .seconds(1), .play)], expectations: [.outcome(.crashed)])
  }

  private func run(_ scenario: Scenario, _ faults: PhoneFaults) async -> ScenarioResult {
    let recorder = TimelineRecorder()
    let phone = SimulatedPhone(
      scenario, rules: RuleSet(), recorder: recorder, player: VirtualPlayer(items: scenario.queue),
      faults: faults)
    return await ScenarioRunner.run(scenario, in: phone, recorder)
  }

  @Test func `A main-actor artwork closure ends in a real signal, with its stack and its line`() async throws
  {
    let result = await run(
      scenario { $0.artworkBuiltIn = .mainActor }, PhoneFaults(program: try AfterlockProgram.path()))
    #expect(result.passed && result.outcome == .crashed)
    let fault = try #require(result.fault)
    #expect(fault.kind == .crash)
    #expect(["SIGILL", "SIGTRAP"].contains(fault.signal))
    let stack = fault.text.joined(separator: "\n")
    #expect(stack.contains("closure #1 in static PhoneChild.artworkFromMainActor()"))
    #expect(stack.contains("swift_task_isCurrentExecutorWithFlags"))
    let place = try #require(fault.place)
    let path = "\(Repository.root)/Sources/AfterlockScenarios/Faults/\(place.file)"
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[place.line - 1].contains("MediaItemArtwork {"))
    #expect(lines[..<place.line].suffix(3).contains { $0.contains("@MainActor") })
  }

  @Test func `The timeline tells of the crash and names no path, and the app is gone`() async throws {
    let result = await run(
      scenario { $0.artworkBuiltIn = .mainActor }, PhoneFaults(program: try AfterlockProgram.path()))
    let entries = result.timeline.entries.filter { $0.kind == .fault }
    #expect(entries.count == 1 && entries[0].time == .seconds(1))
    #expect(entries[0].text.contains(" at PhoneChild.swift:"))
    #expect(!result.timeline.entries.contains { $0.text.contains("/tmp") || $0.text.contains("/Sources") })
    #expect(result.timeline.samples.last?.state.app == .ended)
  }

  @Test func `The same closure formed in nonisolated code lives`() async throws {
    let output = try await AfterlockProgram.run([PhoneChild.word, "nonisolated"])
    #expect(output.status == .code(0))
    #expect(output.text == "the picture has 10 bytes\n")
  }

  @Test func `Without a program the crash is not known, which no expectation takes for one`() async throws {
    let result = await run(scenario { $0.artworkBuiltIn = .mainActor }, PhoneFaults(program: nil))
    #expect(!result.passed && result.outcome == .unknown)
    #expect(try #require(result.fault).message.contains("swift build --product afterlock"))
  }

  @Test func `A program that lives, or fails otherwise, is no crash`() async {
    for (program, words) in [("/bin/true", "did not crash"), ("/bin/false", "exit status 1")] {
      let result = await run(scenario { $0.artworkBuiltIn = .mainActor }, PhoneFaults(program: program))
      #expect(result.outcome == .unknown)
      #expect(result.fault?.message.contains(words) == true)
    }
  }

  @Test func `The compiler refuses a notification that is sent across, and says where`() async throws {
    let result = await run(scenario { $0.reasonCrossesAs = .notification }, PhoneFaults())
    #expect(result.outcome == .doesNotCompile && result.timeline.samples.isEmpty)
    let fault = try #require(result.fault)
    #expect(fault.kind == .refusal)
    #expect(fault.text.contains { $0.contains("sending 'notification' risks causing data races") })
    let line = try #require(fault.place?.line)
    let source = PhoneFaults.Source.reasonAsNotification.text.split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(source[line - 1].contains("self.rateChanged(notification)"))
    #expect(result.timeline.entries.map(\.kind) == [.fault])
  }

  @Test func `The same source with the string taken out compiles`() async {
    #expect(await PhoneFaults().refusal(of: .reasonAsString) == nil)
  }

  @Test func `Without a compiler the refusal is not known`() async throws {
    let result = await run(
      scenario { $0.reasonCrossesAs = .notification }, PhoneFaults(searchPath: "/nowhere"))
    #expect(!result.passed && result.outcome == .unknown)
    #expect(try #require(result.fault).message.contains("install a Swift toolchain"))
  }

  @Test func `A report without a stack, and one without a place, are read as such`() {
    #expect(PhoneCrash.stack(in: "Illegal instruction\n").isEmpty)
    #expect(PhoneCrash.place(in: "data race detected\n") == nil)
    let report = "Thread 3 \"x\" crashed:\n\n 0 0x1 a in b\n 1 0x2 c in d\n...\n\nBacktrace took 1 s"
    #expect(PhoneCrash.stack(in: report) == [" 0 0x1 a in b", " 1 0x2 c in d"])
  }
}
