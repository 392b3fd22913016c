import AfterlockCore
import Foundation
import Synchronization
import Testing

/// What a phone tells beside rate changes, as its frameworks spell it (P1, P6, P11–P13).
@Suite struct PlatformNoticeTests {
  private typealias Name = NotificationBridge.PlatformName
  private typealias Key = NotificationBridge.PlatformKey

  private func notice(
    _ name: Notification.Name, _ userInfo: [AnyHashable: Any]? = nil
  ) -> PlatformNotice? {
    NotificationBridge.platformNotice(from: Notification(name: name, object: nil, userInfo: userInfo))
  }

  @Test(arguments: [
    ("UIApplicationWillResignActiveNotification", LifecycleEvent.willResignActive),
    ("UIApplicationDidEnterBackgroundNotification", .didEnterBackground),
    ("UIApplicationWillEnterForegroundNotification", .willEnterForeground),
    ("UIApplicationDidBecomeActiveNotification", .didBecomeActive),
  ])
  func `A scene is read by its names`(name: String, event: LifecycleEvent) {
    #expect(notice(Notification.Name(name)) == .lifecycle(event))
  }

  @Test func `A media service that dies and returns is no session that somebody lets go of (P13)`() {
    #expect(notice(Notification.Name("AVAudioSessionMediaServicesWereLostNotification")) == .serviceLost)
    #expect(notice(Notification.Name("AVAudioSessionMediaServicesWereResetNotification")) == .serviceRestored)
  }

  @Test func `An interruption says what it is, and whether to go on, or nothing (P11)`() {
    #expect(notice(Name.interruption, [Key.interruptionType: UInt(1)]) == .lifecycle(.interruptionBegan))
    let ended = [Key.interruptionType: UInt(0)]
    #expect(notice(Name.interruption, ended) == .lifecycle(.interruptionEnded(shouldResume: nil)))
    for (options, shouldResume) in [(UInt(0), false), (1, true), (3, true), (2, false)] {
      let userInfo = ended.merging([Key.interruptionOption: options]) { $1 }
      #expect(
        notice(Name.interruption, userInfo) == .lifecycle(.interruptionEnded(shouldResume: shouldResume)))
    }
    #expect(
      notice(Name.interruption, [Key.interruptionType: UInt(1), Key.wasSuspended: true])
        == .lifecycle(.appSuspended))
    for userInfo in [nil, [:], [Key.interruptionType: UInt(7)], [Key.interruptionType: "1"]]
      as [[AnyHashable: Any]?]
    {
      #expect(notice(Name.interruption, userInfo) == nil)
    }
  }

  @Test func `A device that is gone is a lost route, and a new one is no news (P12)`() {
    #expect(
      notice(Name.routeChange, [Key.routeChangeReason: UInt(2)])
        == .routeLost(SinkDescription(name: "headset", kind: .headset)))
    for reason in [UInt(0), 1, 3, 8] {
      #expect(notice(Name.routeChange, [Key.routeChangeReason: reason]) == nil)
    }
    #expect(notice(Name.routeChange) == nil && notice(Notification.Name("AnythingElse")) == nil)
  }

  @Test func `A notice arrives on the posting thread, before the post returns, until the end`() async {
    let center = NotificationCenter()
    let seen = Mutex<[(PlatformNotice, Thread)]>([])
    let observation = NotificationBridge(center: center).observePlatform { notice in
      seen.withLock { $0.append((notice, Thread.current)) }
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        center.post(name: Name.routeChange, object: nil, userInfo: [Key.routeChangeReason: UInt(2)])
        let isSame = seen.withLock { $0.count == 1 && $0[0].1 === Thread.current }
        #expect(isSame)
        continuation.resume()
      }
    }
    observation.cancel()
    center.post(name: Name.didBecomeActive, object: nil)
    #expect(seen.withLock(\.count) == 1)
  }
}
