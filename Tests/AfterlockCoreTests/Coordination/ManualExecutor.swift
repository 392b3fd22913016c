import Foundation
import Synchronization

/// An executor that runs nothing by itself: a test says when, and on its own thread.
final class ManualExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let arrived = DispatchSemaphore(value: 0)
  private let runner = Mutex<Thread?>(nil)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrived.signal()
  }

  /// Number of jobs that wait.
  var waitingCount: Int { jobs.withLock(\.count) }

  /// Whether the calling thread is running a job of this executor.
  var isCurrent: Bool { runner.withLock { $0 === Thread.current } }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Waits for the next job and runs it on this thread.
  /// - Returns: `false` when none came within the limit.
  func runNext(within limit: DispatchTimeInterval = .seconds(20)) -> Bool {
    guard arrived.wait(timeout: .now() + limit) == .success else { return false }
    let job = jobs.withLock { $0.removeFirst() }
    runner.withLock { $0 = Thread.current }
    unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    runner.withLock { $0 = nil }
    return true
  }

  /// Runs jobs until `condition` holds.
  /// - Returns: `false` when it does not and no further job comes.
  func run(until condition: () -> Bool) -> Bool {
    while !condition() {
      guard runNext() else { return false }
    }
    return true
  }
}

/// A serial queue as an executor.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "afterlock.tests.coordinator")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
