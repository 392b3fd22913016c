import AfterlockCore
import Foundation

/// The app's process: how the platform's frameworks call it, and how it ends.
extension SimulatedPhone {
  /// Whether the app's code runs: a suspended one hears nothing (P1).
  var isRunning: Bool { phase != .suspended && phase != .ended }

  /// The app's own controls are on screen, with nothing above them.
  var isInReach: Bool { phase == .active }

  /// Lock screen and headset reach every app that runs.
  var hearsRemotes: Bool { true }

  /// On whatever thread, and with the reason as a string (P8).
  func post(rate: Double, _ reason: RateChangeReason, runID: UInt64?) {
    let (center, hasReason) = (center, rules.has(.rateReason))
    threads.onSecondary {
      var userInfo: [AnyHashable: Any] = [NotificationBridge.rateKey: rate]
      if let runID { userInfo[NotificationBridge.runKey] = runID }
      if hasReason { userInfo[NotificationBridge.platformReasonKey] = reason.platformString }
      center.post(name: NotificationBridge.platformRateDidChange, object: nil, userInfo: userInfo)
    }
  }

  /// Posts on the main thread and waits until the app has dealt with it; a suspended app is not told.
  func post(_ name: Notification.Name, _ userInfo: [String: any Sendable] = [:]) async {
    guard isRunning else { return }
    recorder.record(.notice, name.rawValue)
    let center = center
    threads.onMain { center.post(name: name, object: nil, userInfo: userInfo) }
    await app.catchUp()
    await settle()
  }

  /// When playing begins the media framework wants the picture for the lock screen, and calls the app's closure on a thread
  /// of its own (P9): one that was formed in main-actor code ends the app there.
  func askForArtwork() async {
    guard isRunning, player.rate > 0, let artwork = services.nowPlaying.info?.artwork,
      artwork !== askedArtwork
    else { return }
    askedArtwork = artwork
    let isForeign = rules.has(.foreignThreads)
    recorder.record(
      .notice, "the artwork closure is called, on the \(isForeign ? "media framework's" : "main") thread")
    switch artwork.handler {
    case .nonisolated(let handler):
      let call: @Sendable () -> Void = { _ = handler(512) }
      if isForeign { threads.onMedia(call) } else { threads.onMain(call) }
    case .mainActor:
      guard isForeign else { return }
      let fault = await faults.crash()
      recorder.record(.fault, fault.line)
      self.fault = fault
      await endProcess()
    }
  }

  /// The viewer or the system ends the app.
  func terminate() async {
    guard phase != .ended else { return ignore("the app does not run") }
    recorder.record(.platform, "the app is ended")
    await endProcess()
  }

  private func endProcess() async {
    phase = .ended
    layers = []
    services.session.deactivate()
    services.nowPlaying.set(nil, at: recorder.now)
    await stopSound()
  }

  /// The app does not hear of it: its code does not run.
  func stopSound() async {
    player.pauseBySystem(reason: .appSuspended)
    unseenPause = []
    _ = await player.takeReports()
  }
}

extension RateChangeReason {
  /// As AVFoundation writes it (P8). To the platform all that an app asks for is one thing.
  var platformString: String {
    let known: Set<RateChangeReason> = [.setRateFailed, .audioSessionInterrupted, .appBackgrounded]
    let name = (known.contains(self) ? self : .setRateCalled).rawValue
    return NotificationBridge.platformReasonPrefix + name.prefix(1).uppercased() + name.dropFirst()
  }
}
