import Foundation
import Glibc
import Synchronization

/// The thread that a bus connection lives on, as the executor of the actor that has it: sd-bus may be touched by one
/// thread only.
///
/// Turns of the actor and what the bus has to say take turns in one `poll`. The thread ends when nobody has the executor
/// any more; an actor with a turn to come has it.
///
/// Safe because the jobs are behind a lock, and the source is set and used on the thread itself only.
final class BusThread: SerialExecutor, @unchecked Sendable {
  /// What the thread waits for beside its jobs.
  protocol Source: AnyObject {
    var descriptor: Int32 { get }
    /// What to wait for, as `poll` has it.
    var events: Int16 { get }
    /// Milliseconds until the source wants to be called whatever comes; -1 for never.
    var timeout: Int32 { get }
    /// Takes what has come. Called on: the thread.
    func process()
  }

  private let jobs = Mutex<[UnownedJob]>([])
  private let pipe: WakePipe
  private let identity = Atomic<UInt>(0)
  /// Touched on the thread only.
  private weak var source: (any Source)?

  /// Starts the thread; `nil` when no descriptor is left for its pipe.
  init?(name: String) {
    guard let pipe = WakePipe() else { return nil }
    self.pipe = pipe
    let thread = Thread { [weak self] in
      self?.begin()
      while true {
        // Not held while it waits.
        guard let wait = self?.turn() else { return }
        wait()
      }
    }
    thread.name = name
    thread.start()
  }

  /// The thread sees that nobody is left.
  deinit { pipe.wake() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    pipe.wake()
  }

  /// Whether the caller runs on the thread.
  var isCurrent: Bool { identity.load(ordering: .acquiring) == UInt(pthread_self()) }

  func checkIsolated() {
    precondition(isCurrent, "the bus is touched on another thread than its own")
  }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Waits for `source` from now on. Called on: the thread.
  func wait(for source: (any Source)?) { self.source = source }

  private func begin() { identity.store(UInt(pthread_self()), ordering: .releasing) }

  /// Runs what there is to run, and says how to wait for more.
  private func turn() -> () -> Void {
    let turn = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in turn { job.runSynchronously(on: asUnownedSerialExecutor()) }
    // A job may have found something to be sent, or closed the connection.
    source?.process()
    let (pipe, descriptor) = (pipe, source?.descriptor ?? -1)
    let (events, timeout) = (source?.events ?? 0, source?.timeout ?? -1)
    return { pipe.wait(beside: descriptor, events: events, timeout: timeout) }
  }
}

/// A pipe that wakes a thread out of `poll`; it outlives whoever writes into it.
private final class WakePipe: Sendable {
  private let ends: Pipe2

  init?() {
    guard let ends = try? Pipe2() else { return nil }
    self.ends = ends
    for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(ends.readEnd)
    close(ends.writeEnd)
  }

  /// From any thread; a pipe that is full wakes as well.
  func wake() {
    var byte: UInt8 = 1
    _ = write(ends.writeEnd, &byte, 1)
  }

  func wait(beside descriptor: Int32, events: Int16, timeout: Int32) {
    var entries = [
      pollfd(fd: ends.readEnd, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: events, revents: 0),
    ]
    poll(&entries, nfds_t(entries.count), timeout)
    guard entries[0].revents != 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 64)
    _ = read(ends.readEnd, &bytes, bytes.count)
  }
}
