extension PhoneFaults.Source {
  /// The name of the source's file.
  var file: String { "PhoneApp.swift" }

  /// What an app does with the reason of a rate change, cut down to what matters; it needs Foundation alone.
  var text: String {
    switch self {
    case .reasonAsNotification:
      """
      import Foundation

      /// Sends the notification itself across to the main actor.
      @MainActor final class PhoneApp {
        private var reasons: [String] = []

        func observe() {
          NotificationCenter.default.addObserver(
            forName: Notification.Name("AVPlayerRateDidChangeNotification"), object: nil, queue: .main
          ) { notification in
            MainActor.assumeIsolated { self.rateChanged(notification) }
          }
        }

        func rateChanged(_ notification: Notification) {
          let reason = notification.userInfo?["AVPlayerRateDidChangeReasonKey"] as? String
          if let reason { reasons.append(reason) }
        }
      }

      """
    case .reasonAsString:
      """
      import Foundation

      /// Takes the string out where the notification is, and sends that across.
      @MainActor final class PhoneApp {
        private var reasons: [String] = []

        func observe() {
          NotificationCenter.default.addObserver(
            forName: Notification.Name("AVPlayerRateDidChangeNotification"), object: nil, queue: .main
          ) { notification in
            let reason = notification.userInfo?["AVPlayerRateDidChangeReasonKey"] as? String
            MainActor.assumeIsolated { self.rateChanged(reason) }
          }
        }

        func rateChanged(_ reason: String?) {
          if let reason { reasons.append(reason) }
        }
      }

      """
    }
  }
}
