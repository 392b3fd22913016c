import Glibc
import Synchronization

/// A few threads for work that may block, behind all that plays. What finds none free waits for its turn.
///
/// Isolation: none; a job's body is called on a thread of these, or at once on the caller's where there can be none.
final class BlockingThreads: Sendable {
  /// Something to do; `body` is called once, and told whether it is to do it.
  struct Job: Sendable {
    let isWanted: @Sendable () -> Bool
    let body: @Sendable (_ isToRun: Bool) -> Void
  }

  private struct State {
    var running = 0
    var waiting: [Job] = []
  }

  private let most: Int
  private let state = Mutex(State())

  /// - Parameter most: so many threads at once. A disk that does not answer keeps one for ever.
  init(most: Int) { self.most = most }

  func run(_ job: Job) {
    let isFree = state.withLock { state in
      guard state.running < most else {
        state.waiting.append(job)
        return false
      }
      state.running += 1
      return true
    }
    guard isFree else { return }
    let start = Unmanaged.passRetained(Start(threads: self, job: job))
    var thread = pthread_t()
    if pthread_create(&thread, nil, runJobs, start.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      start.release()
      job.body(false)
      // None is to wait for a thread that there is not.
      while let next = next() { next.body(false) }
    }
  }

  /// Tells those that wait and are not wanted any more that it is over.
  func dropUnwanted() {
    let dropped = state.withLock { state in
      let unwanted = state.waiting.filter { !$0.isWanted() }
      if !unwanted.isEmpty { state.waiting.removeAll { !$0.isWanted() } }
      return unwanted
    }
    for job in dropped { job.body(false) }
  }

  /// What a thread does next; `nil` when it is over.
  private func next() -> Job? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  fileprivate final class Start: Sendable {
    let threads: BlockingThreads
    let job: Job
    init(threads: BlockingThreads, job: Job) { (self.threads, self.job) = (threads, job) }

    func work() {
      job.body(job.isWanted())
      while let job = threads.next() { job.body(job.isWanted()) }
    }
  }
}

/// Called on: a new thread.
private func runJobs(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let pointer else { return nil }
  // On Linux this is the thread's own: what decodes and what plays comes first.
  setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
  Unmanaged<BlockingThreads.Start>.fromOpaque(pointer).takeRetainedValue().work()
  return nil
}
