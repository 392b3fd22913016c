import Dispatch
import Glibc
import Synchronization

/// Writes lines to a descriptor in order, on a queue of its own: a reader who does not read, or a slow disk, holds nobody
/// else.
///
/// Called on: any thread.
final class LineWriter: Sendable {
  /// Bytes that may wait to be written; lines beyond that are lost, and that is told of.
  private static let mostWaiting = 4 << 20

  private let descriptor: Int32
  private let name: String
  private let queue = DispatchQueue(label: "afterlock.lines", qos: .utility)
  private let waiting = Atomic<Int>(0)
  private let hasFailed = Atomic<Bool>(false)

  /// - Parameter name: completes "the log … is not complete".
  init(to descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  func write(_ line: String) {
    let size = line.utf8.count
    guard waiting.load(ordering: .relaxed) + size <= Self.mostWaiting else {
      return fail("nobody has read it for too long")
    }
    waiting.wrappingAdd(size, ordering: .relaxed)
    queue.async {
      let error = DescriptorWriter.write(line, to: self.descriptor)
      self.waiting.wrappingSubtract(size, ordering: .relaxed)
      if let error { self.fail(String(cString: strerror(error))) }
    }
  }

  /// Waits until all has been written, or until it is clear that nobody reads. Blocks.
  func finish() {
    let done = DispatchGroup()
    done.enter()
    queue.async { done.leave() }
    if done.wait(timeout: .now() + .milliseconds(500)) == .timedOut { fail("nobody reads it") }
  }

  private func fail(_ cause: String) {
    guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
    StandardStream.error.write("afterlock: the log \(name) is not complete: \(cause)\n")
  }
}
