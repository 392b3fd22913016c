import AfterlockCore
import Foundation
import Synchronization
import Testing

@testable import AfterlockScenarios

/// What is posted, in which order, and on which thread (P6–P9, P11, P12).
@Suite struct NoticeTests {
  private typealias Name = NotificationBridge.PlatformName

  /// The threads on which a notification was posted while something was done.
  private func threads(
    of name: Notification.Name, _ actions: [ScenarioAction], without missing: Set<Rule> = []
  ) async -> Set<PlatformThreads.Name?> {
    let bench = await PhoneBench(without: missing)
    let seen = Mutex<Set<PlatformThreads.Name?>>([])
    let token = bench.phone.center.addObserver(forName: name, object: nil, queue: nil) { _ in
      seen.withLock { _ = $0.insert(PlatformThreads.current) }
    }
    for action in actions { await bench.perform(action) }
    bench.phone.center.removeObserver(token)
    return seen.withLock(\.self)
  }

  @Test func `Scene and interruption are told on the main thread, route and rate on another`() async {
    #expect(await threads(of: Name.willResignActive, [.press]) == [.main])
    #expect(
      await threads(of: Name.interruption, [.play, .call, .endInterruption(shouldResume: nil)]) == [.main])
    #expect(await threads(of: Name.routeChange, [.play, .unplugRoute]) == [.notices])
    #expect(await threads(of: NotificationBridge.platformRateDidChange, [.play]) == [.notices])
  }

  @Test func `The side button pauses between the two notices, an app switch after them`() async {
    for (action, isEarly) in [(ScenarioAction.press, true), (.switchApp, false)] {
      let bench = await PhoneBench {
        $0.detachesLayersAt = .never
        $0.backgroundPolicy = .automatic
        $0.undoesSystemPause = false
      }
      await bench.perform(.play)
      let first = bench.entryCount
      await bench.perform(action)
      let resign = "UIApplicationWillResignActiveNotification"
      let background = "UIApplicationDidEnterBackgroundNotification"
      let pause = "the system pauses the player, which has video"
      #expect(
        bench.texts([.notice, .platform], from: first)
          == (isEarly ? [resign, pause, background] : [resign, background, pause]))
    }
  }

  @Test func `A lock that skips inactive tells of the background alone`() async {
    let bench = await PhoneBench()
    await bench.perform(.play)
    let first = bench.entryCount
    await bench.perform(.sideButton(skipsInactive: true))
    #expect(bench.texts([.notice], from: first) == ["UIApplicationDidEnterBackgroundNotification"])
  }

  @Test func `The reason is a string with the platform's prefix`() {
    #expect(RateChangeReason.appBackgrounded.platformString == "AVPlayerRateDidChangeReasonAppBackgrounded")
    #expect(RateChangeReason.setRateFailed.platformString == "AVPlayerRateDidChangeReasonSetRateFailed")
    // Whatever an app's own reason is, to the platform it has called setRate.
    #expect(RateChangeReason.endOfQueue.platformString == "AVPlayerRateDidChangeReasonSetRateCalled")
  }

  @Test func `A suspended app is told of nothing, and of suspension and route when it runs again`() async {
    let bench = await PhoneBench { $0.backgroundModes = [] }
    await bench.perform(.play)
    await bench.perform(.switchApp)
    let first = bench.entryCount
    await bench.perform(.call)
    await bench.perform(.endInterruption(shouldResume: true))
    await bench.perform(.unplugRoute, .remotePause, .failItem)
    #expect(bench.texts([.notice, .decision, .rateChange], from: first).isEmpty)
    await bench.perform(.returnToApp)
    #expect(
      bench.texts([.notice], from: first).prefix(4) == [
        "AVAudioSessionInterruptionNotification",
        "AVAudioSessionRouteChangeNotification, on a secondary thread",
        "UIApplicationWillEnterForegroundNotification", "UIApplicationDidBecomeActiveNotification",
      ])
  }

  @Test func `A rate that stays what it is is no news, whoever sets it`() async {
    let bench = await PhoneBench()
    await bench.perform(.play)
    await bench.perform(.call)
    await bench.perform(.pause, .pause, .endInterruption(shouldResume: false))
    let changes = bench.recorder.finish().entries.filter { $0.kind == .rateChange }
    #expect(changes.map(\.rate) == [1, 0])
  }

  @Test func `Every change of the rate is in the app's log with its reason`() async {
    let bench = await PhoneBench { $0.detachesLayersAt = .didEnterBackground }
    let posted = Mutex<[String]>([])
    let name = NotificationBridge.platformRateDidChange
    let token = bench.phone.center.addObserver(forName: name, object: nil, queue: nil) { notification in
      let reason = NotificationBridge.reason(from: notification)?.rawValue ?? "none"
      posted.withLock { $0.append(reason) }
    }
    await bench.perform(.play)
    await bench.perform(.press)
    await bench.perform(.call)
    await bench.perform(.endInterruption(shouldResume: nil))
    await bench.perform(.unlock)
    await bench.perform(.pause)
    bench.phone.center.removeObserver(token)
    let logged = bench.recorder.finish().entries.filter { $0.kind == .rateChange }.map { $0.reason?.rawValue }
    #expect(posted.withLock(\.self) == logged)
    #expect(logged.count == 6 && logged.contains("appBackgrounded"))
  }
}
