import AfterlockCore
import Synchronization
import Testing

@testable import AfterlockScenarios

/// What the lock screen shows and asks for: now-playing information, the picture, the commands (F, P9).
@Suite struct LockScreenTests {
  private static let queue = [
    ScenarioItem(title: "One", duration: .seconds(10)), ScenarioItem(title: "Two", duration: .seconds(20)),
  ]

  @Test func `It shows title, length, place and rate, and lets the place go on by itself`() async throws {
    let bench = await PhoneBench(queue: Self.queue)
    let center = bench.phone.services.nowPlaying
    await bench.perform(.play)
    let info = try #require(center.info)
    #expect(info.title == "One" && info.duration == .seconds(10) && info.rate == 1)
    await bench.perform(.press)
    await bench.perform()
    #expect(center.elapsed(at: bench.recorder.now) == .seconds(2))
    let paused = await bench.perform(.remotePause)
    #expect(center.info?.rate == 0 && center.elapsed(at: bench.recorder.now) == paused.position)
    await bench.perform(.remotePlay, .remoteSeek(to: .seconds(8)))
    #expect(center.info?.rate == 1 && center.elapsed(at: bench.recorder.now) == .seconds(8))
    await bench.perform(.remoteNext)
    #expect(center.info?.title == "Two" && center.elapsed(at: bench.recorder.now) == .zero)
  }

  @Test func `It follows the queue to its end, and then shows nothing`() async {
    let bench = await PhoneBench(queue: Self.queue)
    let center = bench.phone.services.nowPlaying
    await bench.perform(.play)
    await bench.phone.advance(to: .seconds(15))
    #expect(center.info?.title == "Two" && center.elapsed(at: .seconds(15)) == .seconds(4))
    await bench.phone.advance(to: .seconds(40))
    #expect(center.info == nil)
  }

  @Test func `It shows what the player does, whatever happens`() async {
    let bench = await PhoneBench(queue: Self.queue)
    let center = bench.phone.services.nowPlaying
    let actions: [ScenarioAction] = [
      .play, .press, .call, .endInterruption(shouldResume: true), .unplugRoute, .remotePlay, .unlock,
      .killServer, .startServer, .stop, .play, .terminate,
    ]
    for action in actions {
      let scene = await bench.perform(action)
      if let info = center.info {
        #expect(info.rate == scene.rate, "\(action.words)")
        #expect(center.elapsed(at: bench.recorder.now) == scene.position, "\(action.words)")
      } else {
        #expect(scene.playback == .stopped || scene.app == .ended, "\(action.words)")
      }
    }
  }

  @Test func `The picture is asked for once an item, when playing begins, on the media thread`() async {
    let bench = await PhoneBench(queue: Self.queue)
    let asked = "the artwork closure is called, on the media framework's thread"
    func count() -> Int { bench.texts([.notice]).count { $0 == asked } }
    #expect(count() == 0)
    await bench.perform(.play)
    await bench.perform(.pause)
    await bench.perform(.play)
    #expect(count() == 1)
    await bench.perform(.next)
    #expect(count() == 2)
  }

  @Test func `Commands are the viewer's wish, whichever thread they come on`() async {
    for missing in [Set<Rule>(), [.foreignThreads]] {
      let bench = await PhoneBench(without: missing)
      let scene = await bench.perform(.remotePlay)
      #expect(scene.origin == "remote" && scene.wantsToPlay && scene.isAudible)
      let thread = missing.isEmpty ? "media framework's" : "main"
      #expect(bench.texts([.notice]).contains("the artwork closure is called, on the \(thread) thread"))
    }
  }
}
