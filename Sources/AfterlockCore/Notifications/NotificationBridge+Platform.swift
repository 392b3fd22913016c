public import Foundation

/// What a phone's notifications tell beside rate changes, as a value that may cross isolation.
public enum PlatformNotice: Hashable, Sendable {
  /// The app, or the audio session, changed (P6, P11).
  case lifecycle(LifecycleEvent)
  /// The route that was played to is gone (P12).
  case routeLost(SinkDescription)
  /// The media service was killed, and with it every player and the session's activation (P13).
  case serviceLost
  /// The media service runs again; whoever had a player has to make a new one, and to activate the session (P13).
  case serviceRestored
}

/// Scene, interruption and route, as UIKit and AVFAudio post them; read on the posting thread, whichever that is: an
/// interruption is told of on the main thread (P11), a route on another (P12).
extension NotificationBridge {
  /// The names that are read, with their platform's own spelling.
  public enum PlatformName {
    /// Right before the app loses the front (P6).
    public static let willResignActive = Notification.Name("UIApplicationWillResignActiveNotification")
    /// The app is in the background (P6, P7).
    public static let didEnterBackground = Notification.Name("UIApplicationDidEnterBackgroundNotification")
    /// The app is on its way back.
    public static let willEnterForeground = Notification.Name("UIApplicationWillEnterForegroundNotification")
    /// The app is in front again.
    public static let didBecomeActive = Notification.Name("UIApplicationDidBecomeActiveNotification")
    /// A call or an alarm takes the sound, or is over (P11).
    public static let interruption = Notification.Name("AVAudioSessionInterruptionNotification")
    /// A headset came or went (P12).
    public static let routeChange = Notification.Name("AVAudioSessionRouteChangeNotification")
    /// The media service was killed (P13).
    public static let servicesLost = Notification.Name("AVAudioSessionMediaServicesWereLostNotification")
    /// The media service runs again (P13).
    public static let servicesReset = Notification.Name("AVAudioSessionMediaServicesWereResetNotification")

    static let all = [
      willResignActive, didEnterBackground, willEnterForeground, didBecomeActive, interruption, routeChange,
      servicesLost, servicesReset,
    ]
  }

  /// Keys of `userInfo`, and the numbers that stand under them.
  public enum PlatformKey {
    /// 1 where an interruption began, 0 where it ended (P11).
    public static let interruptionType = "AVAudioSessionInterruptionTypeKey"
    /// A set of bits; the lowest says that the app should go on. May be missing (P11).
    public static let interruptionOption = "AVAudioSessionInterruptionOptionKey"
    /// `true` where the interruption was the app's own suspension, told of when it runs again (P1).
    public static let wasSuspended = "AVAudioSessionInterruptionWasSuspendedKey"
    /// Why the route changed: 1 for a new device, 2 for one that is gone (P12).
    public static let routeChangeReason = "AVAudioSessionRouteChangeReasonKey"
  }

  /// Hands every such notice to `sink`, on the posting thread and before the post returns, until the observation goes.
  public func observePlatform(
    _ sink: @escaping @Sendable (PlatformNotice) -> Void
  ) -> NotificationObservation {
    NotificationObservation(PlatformName.all, of: center) { notification in
      if let notice = Self.platformNotice(from: notification) { sink(notice) }
    }
  }

  /// Reads a notice; `nil` when it is none, or one that changes nothing. Called on: the posting thread.
  public static func platformNotice(from notification: Notification) -> PlatformNotice? {
    switch notification.name {
    case PlatformName.willResignActive: .lifecycle(.willResignActive)
    case PlatformName.didEnterBackground: .lifecycle(.didEnterBackground)
    case PlatformName.willEnterForeground: .lifecycle(.willEnterForeground)
    case PlatformName.didBecomeActive: .lifecycle(.didBecomeActive)
    case PlatformName.interruption: interruption(notification.userInfo).map(PlatformNotice.lifecycle)
    case PlatformName.routeChange: lostRoute(notification.userInfo)
    case PlatformName.servicesLost: .serviceLost
    case PlatformName.servicesReset: .serviceRestored
    default: nil
    }
  }

  private static func interruption(_ userInfo: [AnyHashable: Any]?) -> LifecycleEvent? {
    if userInfo?[PlatformKey.wasSuspended] as? Bool == true { return .appSuspended }
    switch userInfo?[PlatformKey.interruptionType] as? UInt {
    case 1: return .interruptionBegan
    case 0:
      let options = userInfo?[PlatformKey.interruptionOption] as? UInt
      return .interruptionEnded(shouldResume: options.map { $0 & 1 == 1 })
    default: return nil
    }
  }

  /// A new device starts nothing, and so is no news (P12).
  private static func lostRoute(_ userInfo: [AnyHashable: Any]?) -> PlatformNotice? {
    guard userInfo?[PlatformKey.routeChangeReason] as? UInt == 2 else { return nil }
    return .routeLost(SinkDescription(name: "headset", kind: .headset))
  }
}
