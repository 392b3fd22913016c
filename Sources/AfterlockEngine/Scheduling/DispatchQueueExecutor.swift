internal import Dispatch

/// A serial executor over a Dispatch queue, so that a timer or a file descriptor of Dispatch and the actor's own jobs
/// run one after the other on the same queue (`DispatchSerialQueue` does not exist on Linux).
final class DispatchQueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(label: String, qos: DispatchQoS = .userInitiated) {
    queue = DispatchQueue(label: label, qos: qos)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
