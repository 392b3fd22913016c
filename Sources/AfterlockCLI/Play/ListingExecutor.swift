import Dispatch

/// A thread of its own for what looks through folders and waits for servers.
///
/// The pool that tasks share has a thread for each processor, and the player needs them: one that waits for a server
/// would keep it from going on.
final class ListingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "afterlock.listing", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
