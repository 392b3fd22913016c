public import Foundation
import Synchronization

/// From a Foundation `Notification` to a value, on the thread that posted it (P8).
///
/// A `Notification` may not cross isolation: its `userInfo` may hold anything, and the compiler refuses to send it
/// (`#SendingRisksDataRace`). So what matters is taken out where the notification is, as plain values, and only these go on.
public struct NotificationBridge: Sendable {
  /// The name of the notification that this player's engine posts.
  public static let rateDidChange = Notification.Name("AfterlockPlayerRateDidChange")
  /// The name that AVFoundation posts under.
  public static let platformRateDidChange = Notification.Name("AVPlayerRateDidChangeNotification")
  /// `userInfo`: the reason, a `String`.
  public static let reasonKey = "AfterlockPlayerRateDidChangeReasonKey"
  /// `userInfo`: the reason as AVFoundation posts it.
  public static let platformReasonKey = "AVPlayerRateDidChangeReasonKey"
  /// What AVFoundation puts before its reasons.
  public static let platformReasonPrefix = "AVPlayerRateDidChangeReason"
  /// `userInfo`: the new rate, a `Double`.
  public static let rateKey = "AfterlockPlayerRateKey"
  /// `userInfo`: the id of the current ``PlaybackRun``, a `UInt64`.
  public static let runKey = "AfterlockPlayerRunKey"

  let center: NotificationCenter

  /// A bridge over `center`. Two players in one process want a center each.
  public init(center: NotificationCenter = .default) { self.center = center }

  /// Reads a rate change; `nil` when the notification is none. Called on: the posting thread.
  ///
  /// A platform that gives no rate of its own only tells of pauses with these reasons, save for `setRateCalled`.
  public static func rateChange(from notification: Notification) -> RateChange? {
    guard notification.name == rateDidChange || notification.name == platformRateDidChange else { return nil }
    guard let reason = reason(from: notification) else { return nil }
    let rate = notification.userInfo?[rateKey] as? Double
    return RateChange(rate: rate ?? 0, reason: reason, runID: notification.userInfo?[runKey] as? UInt64)
  }

  /// Reads the reason alone; `nil` when there is none. Called on: the posting thread.
  public static func reason(from notification: Notification) -> RateChangeReason? {
    let userInfo = notification.userInfo
    guard let text = (userInfo?[reasonKey] ?? userInfo?[platformReasonKey]) as? String else { return nil }
    return RateChangeReason(platformString: text)
  }

  /// Posts a rate change. Observers run on the calling thread before this returns.
  public func post(rate: Double, reason: RateChangeReason, runID: UInt64? = nil) {
    var userInfo: [AnyHashable: Any] = [Self.rateKey: rate, Self.reasonKey: reason.rawValue]
    if let runID { userInfo[Self.runKey] = runID }
    center.post(name: Self.rateDidChange, object: nil, userInfo: userInfo)
  }

  /// Hands every rate change to `sink`, on the posting thread and before the post returns, until the observation goes.
  public func observe(_ sink: @escaping @Sendable (RateChange) -> Void) -> NotificationObservation {
    NotificationObservation([Self.rateDidChange, Self.platformRateDidChange], of: center) { notification in
      if let change = Self.rateChange(from: notification) { sink(change) }
    }
  }
}

/// A registration that ends with ``cancel()``, or when nobody holds it any more.
public final class NotificationObservation: Sendable {
  private let center: NotificationCenter
  private let tokens: Mutex<[any NSObjectProtocol]>

  /// - Parameter read: runs where a notification is posted; only values leave from there.
  init(
    _ names: [Notification.Name], of center: NotificationCenter,
    read: @escaping @Sendable (Notification) -> Void
  ) {
    self.center = center
    // No queue: the observer runs on the posting thread.
    tokens = Mutex(names.map { center.addObserver(forName: $0, object: nil, queue: nil, using: read) })
  }

  deinit { cancel() }

  /// Ends the registration; idempotent.
  public func cancel() {
    tokens.withLock { tokens in
      for token in tokens { center.removeObserver(token) }
      tokens = []
    }
  }
}

extension RateChangeReason {
  /// From a reason as a platform writes it: AVFoundation's prefix is taken off, and what is not known survives.
  public init(platformString text: String) {
    let prefix = NotificationBridge.platformReasonPrefix
    guard text.hasPrefix(prefix), text.count > prefix.count else {
      self.init(rawValue: text)
      return
    }
    let name = text.dropFirst(prefix.count)
    self.init(rawValue: name.prefix(1).lowercased() + name.dropFirst())
  }
}
