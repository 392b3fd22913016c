import AfterlockTestSupport
import Testing

/// What the compiler refuses about notifications, and the twin that it takes.
@Suite struct NotificationSendingTests {
  /// How a main-actor object would like to observe.
  private static let sendsTheNotification = """
    import AfterlockCore
    import Foundation

    @MainActor final class Observer {
      var reasons: [RateChangeReason] = []

      func take(_ notification: Notification) {
        if let reason = NotificationBridge.reason(from: notification) { reasons.append(reason) }
      }

      func observe(_ center: NotificationCenter) -> any NSObjectProtocol {
        center.addObserver(forName: NotificationBridge.rateDidChange, object: nil, queue: .main) { notification in
          MainActor.assumeIsolated { self.take(notification) } // refused
        }
      }
    }
    """

  /// The same, with the reason taken out where the notification is.
  private static let sendsTheReason = """
    import AfterlockCore
    import Foundation

    @MainActor final class Observer {
      var reasons: [RateChangeReason] = []

      func observe(_ center: NotificationCenter) -> any NSObjectProtocol {
        center.addObserver(forName: NotificationBridge.rateDidChange, object: nil, queue: .main) { notification in
          guard let reason = NotificationBridge.reason(from: notification) else { return }
          MainActor.assumeIsolated { self.reasons.append(reason) }
        }
      }
    }
    """

  /// To an actor of one's own it is no different.
  private static let sendsTheNotificationToAnActor = """
    import AfterlockCore
    import Foundation

    actor Listener {
      func take(_ notification: Notification) {}

      nonisolated func observe(_ center: NotificationCenter) -> any NSObjectProtocol {
        center.addObserver(forName: NotificationBridge.rateDidChange, object: nil, queue: nil) { notification in
          Task { await self.take(notification) } // refused
        }
      }
    }
    """

  private static let sendsTheReasonToTheCoordinator = """
    import AfterlockCore
    import Foundation

    func observe(_ center: NotificationCenter, for coordinator: PlaybackCoordinator) -> NotificationObservation {
      NotificationBridge(center: center).observe { coordinator.report($0) }
    }
    """

  @Test func `Sending a Notification to the main actor is refused`() async throws {
    let outcome = try await Compiler.compile(Self.sendsTheNotification)
    #expect(outcome.status != 0)
    let lines = outcome.errorLines(ofGroup: "SendingRisksDataRace")
    #expect(lines == Compiler.refusedLines(of: Self.sendsTheNotification), "\(outcome.diagnostics)")
  }

  @Test func `Sending a Notification to an actor is refused`() async throws {
    let outcome = try await Compiler.compile(Self.sendsTheNotificationToAnActor)
    #expect(outcome.status != 0)
    let lines = outcome.errorLines(ofGroup: "SendingRisksDataRace")
    #expect(lines == Compiler.refusedLines(of: Self.sendsTheNotificationToAnActor), "\(outcome.diagnostics)")
  }

  @Test(arguments: [sendsTheReason, sendsTheReasonToTheCoordinator])
  func `Sending the reason compiles`(source: String) async throws {
    let outcome = try await Compiler.compile(source, flags: ["-warnings-as-errors"])
    #expect(outcome.status == 0, "\(outcome.diagnostics)")
  }

  @Test func `A type check alone would not notice`() async throws {
    let outcome = try await Compiler.compile(Self.sendsTheNotification, flags: ["-typecheck"])
    #expect(outcome.errorLines(ofGroup: "SendingRisksDataRace").isEmpty, "\(outcome.diagnostics)")
  }
}
