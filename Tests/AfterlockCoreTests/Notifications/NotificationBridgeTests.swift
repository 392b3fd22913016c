import AfterlockCore
import Foundation
import Synchronization
import Testing

@Suite struct NotificationBridgeTests {
  private func notification(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]?) -> Notification {
    Notification(name: name, object: nil, userInfo: userInfo)
  }

  @Test func `A posted rate change arrives whole, on the posting thread and before the post returns`() {
    let bridge = NotificationBridge(center: NotificationCenter())
    let seen = Mutex<[(RateChange, Bool)]>([])
    let thread = ThreadName()
    let observation = bridge.observe { change in seen.withLock { $0.append((change, thread.isCurrent)) } }
    bridge.post(rate: 0, reason: .serverLost, runID: .max)
    bridge.post(rate: 1.25, reason: RateChangeReason(rawValue: "somethingNew"))
    let changes = seen.withLock(\.self)
    #expect(
      changes.map(\.0) == [
        RateChange(rate: 0, reason: .serverLost, runID: .max),
        RateChange(rate: 1.25, reason: RateChangeReason(rawValue: "somethingNew")),
      ])
    #expect(changes.map(\.1) == [true, true])
    observation.cancel()
  }

  @Test(arguments: [
    ("SetRateCalled", RateChangeReason.setRateCalled), ("SetRateFailed", .setRateFailed),
    ("AudioSessionInterrupted", .audioSessionInterrupted), ("AppBackgrounded", .appBackgrounded),
    ("SomethingNew", RateChangeReason(rawValue: "somethingNew")),
  ])
  func `AVFoundation's strings lose their prefix (P8)`(suffix: String, reason: RateChangeReason) throws {
    let posted = notification(
      NotificationBridge.platformRateDidChange,
      ["AVPlayerRateDidChangeReasonKey": "AVPlayerRateDidChangeReason" + suffix])
    #expect(NotificationBridge.rateChange(from: posted) == RateChange(rate: 0, reason: reason))
  }

  @Test func `A reason that came as NSString is read, too`() {
    let posted = notification(
      NotificationBridge.rateDidChange, [NotificationBridge.reasonKey: NSString(string: "routeLost")])
    #expect(NotificationBridge.reason(from: posted) == .routeLost)
  }

  @Test func `The prefix alone and unknown strings survive`() {
    let prefix = NotificationBridge.platformReasonPrefix
    #expect(RateChangeReason(platformString: prefix).rawValue == prefix)
    #expect(RateChangeReason(platformString: "").rawValue == "")
    #expect(RateChangeReason(platformString: "whatever").rawValue == "whatever")
  }

  @Test func `What is no rate change is none`() {
    let name = NotificationBridge.rateDidChange
    #expect(NotificationBridge.rateChange(from: notification(name, nil)) == nil)
    #expect(NotificationBridge.rateChange(from: notification(name, [NotificationBridge.reasonKey: 7])) == nil)
    let other = notification(Notification.Name("other"), [NotificationBridge.reasonKey: "routeLost"])
    #expect(NotificationBridge.rateChange(from: other) == nil)
  }

  @Test func `An observation ends when it is cancelled, and when nobody holds it`() {
    let bridge = NotificationBridge(center: NotificationCenter())
    let count = Mutex(0)
    var observation: NotificationObservation? = bridge.observe { _ in count.withLock { $0 += 1 } }
    bridge.post(rate: 0, reason: .setRateCalled)
    observation?.cancel()
    observation?.cancel()
    bridge.post(rate: 0, reason: .setRateCalled)
    #expect(count.withLock(\.self) == 1)
    observation = bridge.observe { _ in count.withLock { $0 += 1 } }
    bridge.post(rate: 0, reason: .setRateCalled)
    observation = nil
    bridge.post(rate: 0, reason: .setRateCalled)
    #expect(count.withLock(\.self) == 2 && observation == nil)
  }

  @Test func `Two players with a center each do not hear each other`() {
    let one = NotificationBridge(center: NotificationCenter())
    let other = NotificationBridge(center: NotificationCenter())
    let count = Mutex(0)
    let observation = one.observe { _ in count.withLock { $0 += 1 } }
    other.post(rate: 0, reason: .setRateCalled)
    #expect(count.withLock(\.self) == 0)
    observation.cancel()
  }
}

/// Remembers the thread it was made on.
private struct ThreadName: Sendable {
  private let name = ObjectIdentifier(Thread.current)
  var isCurrent: Bool { ObjectIdentifier(Thread.current) == name }
}
