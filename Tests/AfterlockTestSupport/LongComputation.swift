import Foundation
public import Testing

/// For tests that compute for long, or wait for a child process on their own thread: they run one at a time on a thread
/// beside Swift's pool, so that who waits for an event meanwhile gets their turn when it has come.
///
/// Swift Testing begins all tests at once. On two cores the pool has two threads, and every turn that somebody waits for
/// stands behind all tests that have not begun: more than half a minute, on a slow machine longer than any limit.
public struct LongComputation: SuiteTrait, TestTrait, TestScoping {
  private static let executor = LongComputationExecutor()

  /// Whether the caller runs there.
  public static var isCurrent: Bool { executor.isCurrent }

  /// To each test in a suite.
  public var isRecursive: Bool { true }

  /// Runs one test case off the pool.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.executor) { try await function() }
  }
}

extension Trait where Self == LongComputation {
  /// Off Swift's pool, one at a time; see ``LongComputation``.
  public static var computesForLong: LongComputation { LongComputation() }
}

private final class LongComputationExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "afterlock.tests.computation")
  private let mark = DispatchSpecificKey<Bool>()

  init() { queue.setSpecific(key: mark, value: true) }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
