import AfterlockCore
import AfterlockScenarios
import Testing

@testable import AfterlockLiveScenarios

@Suite struct LiveObstacleTests {
  private func scenario(
    end: Duration = .seconds(5), _ expectation: AfterlockScenarios.Expectation = .outcome(.paused),
    length: Duration = .seconds(60), platform: Scenario.Platform = .phone,
    _ change: (inout AppParts) -> Void = { _ in }
  ) -> Scenario {
    var app = AppParts()
    change(&app)
    return Scenario(
      name: "pause", platform: platform, app: app, queue: [ScenarioItem(title: "Clip", duration: length)],
      timeline: [.init(at: end, .pause)], expectations: [expectation])
  }

  @Test func `a short scenario about sound can run`() {
    #expect(LiveScenarioRunner.obstacle(for: scenario()) == nil)
    #expect(LiveScenarioRunner.obstacle(for: scenario { $0.kind = .noiseMaker }) == nil)
  }

  @Test func `what cannot run in real time says why`() async throws {
    let obstacles = [
      scenario(end: .seconds(3_600)), scenario(.outcome(.crashed)), scenario(.outcome(.doesNotCompile)),
      scenario(length: .seconds(3_600)), scenario(platform: .desktop) { $0.kind = .noiseMaker },
      scenario { $0.artworkBuiltIn = .mainActor }, scenario { $0.reasonCrossesAs = .notification },
      scenario(.audible(from: .seconds(1), to: .milliseconds(1_200), true, longestGap: nil)),
    ]
    var held = scenario()
    held.timeline.append(.init(at: .seconds(6), .endItem))
    #expect(LiveScenarioRunner.obstacle(for: held) != nil)
    held.timeline.insert(.init(at: .seconds(5), .play), at: 1)
    #expect(LiveScenarioRunner.obstacle(for: held) == nil)
    var relinked = scenario(platform: .desktop) { $0.onRouteLoss = .follow }
    relinked.timeline.append(.init(at: .seconds(6), .removeSink))
    #expect(LiveScenarioRunner.obstacle(for: relinked) != nil)
    relinked.app.onRouteLoss = .pause
    #expect(LiveScenarioRunner.obstacle(for: relinked) == nil)
    relinked.timeline.append(.init(at: .milliseconds(6_500), .play))
    #expect(LiveScenarioRunner.obstacle(for: relinked) != nil)
    for obstacle in obstacles { #expect(LiveScenarioRunner.obstacle(for: obstacle) != nil) }
    let error = await #expect(throws: LiveScenarioError.self) {
      try await LiveScenarioRunner().run(obstacles[0])
    }
    #expect(error?.code == .unsuitable)
    #expect(error?.message.hasPrefix("“pause” cannot run in real time: it lasts 3601 s") == true)
  }
}
