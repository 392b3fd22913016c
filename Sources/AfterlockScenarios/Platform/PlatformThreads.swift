import AfterlockCore
import Dispatch

/// The platform's threads: the main one, on which the app decides, and those on which it calls the app (P9, P11, P12).
///
/// Called on: any thread that is none of them. Each call returns when what was called has returned, so that a run has one
/// order however the threads are scheduled.
package struct PlatformThreads: Sendable {
  /// The app's main thread.
  package let main = MainThread()
  private let notices = DispatchQueue(label: "platform.notices")
  private let media = DispatchQueue(label: "platform.media")

  private static let key = DispatchSpecificKey<Name>()
  /// Which of them runs the caller; `nil` for another thread.
  static var current: Name? { DispatchQueue.getSpecific(key: key) }

  /// Their names.
  enum Name: Hashable, Sendable { case main, notices, media }

  /// Threads of their own.
  package init() {
    main.queue.setSpecific(key: Self.key, value: .main)
    notices.setSpecific(key: Self.key, value: .notices)
    media.setSpecific(key: Self.key, value: .media)
  }

  /// Runs `body` on the main thread.
  func onMain(_ body: @Sendable () -> Void) { main.queue.sync(execute: body) }
  /// Runs `body` on a secondary thread.
  func onSecondary(_ body: @Sendable () -> Void) { notices.sync(execute: body) }
  /// Runs `body` on the media framework's thread.
  func onMedia(_ body: @Sendable () -> Void) { media.sync(execute: body) }

  /// A serial queue as an executor.
  package final class MainThread: SerialExecutor {
    fileprivate let queue = DispatchQueue(label: "platform.main")

    /// Runs the job behind all before it.
    package func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
}
