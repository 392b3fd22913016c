import AfterlockRealtime
import CAllocationCounter
import Foundation
import Synchronization

/// Plays with seeks, pauses and track changes and prints how often the real-time side allocated or freed.
///
/// Usage: `AllocationProbe render SECONDS [plant]` drives the ring directly, as fast as it goes, through as many cycles as
/// that many seconds have. `AllocationProbe play SECONDS SOCKET FILE FILE… [plant]` plays the files with a whole player
/// into the server at that socket until that many seconds of them have been heard.
@main struct AllocationProbe {
  static func main() async {
    let arguments = CommandLine.arguments.filter { $0 != "plant" }
    let isPlanted = arguments.count < CommandLine.arguments.count
    let seconds = Double(arguments[2]) ?? 1
    guard arguments[1] == "play" else {
      return print("allocations \(render(cycles: Int(seconds * 48_000 / 1024), isPlanted: isPlanted))")
    }
    var minute = PlayedMinute(socket: arguments[3], files: Array(arguments[4...]))
    await minute.play(.seconds(seconds), isPlanted: isPlanted)
  }

  private static func render(cycles: Int, isPlanted: Bool) -> Int64 {
    let ring = SampleRing(channelCount: 2, capacityFrames: 48_000, fadeFrames: 240)
    let done = Atomic<Int>(0)
    let calls = Atomic<Int64>(-1)
    let buffer = Buffer(count: 2048)
    Thread.detachNewThread {
      let thread = afl_current_thread()
      let before = afl_allocations_of_thread(thread)
      for cycle in 1...cycles {
        buffer.fill(from: ring, cycle: UInt64(cycle))
        if isPlanted, cycle == cycles / 2 { afl_plant_allocation(thread) }
        done.store(cycle, ordering: .releasing)
      }
      calls.store(afl_allocations_of_thread(thread) - before, ordering: .releasing)
    }
    var orders = Orders(ring: ring)
    while calls.load(ordering: .acquiring) < 0 { orders.next(at: done.load(ordering: .acquiring)) }
    return calls.load(ordering: .acquiring)
  }
}

/// Keeps the ring filled, and seeks, pauses and changes tracks now and then.
private struct Orders {
  let ring: SampleRing
  var step = 0
  var lastCycle = 0

  mutating func next(at cycle: Int) {
    while ring.write(
      upTo: 4096,
      body: {
        $0.update(repeating: 0.25); return $0.count / 2
      }) > 0
    {}
    _ = ring.takeEvents()
    guard cycle >= lastCycle + 5 else { return }
    lastCycle = cycle
    step += 1
    switch step % 6 {
    case 0: ring.skip(fadesIn: true)
    case 1: ring.requestPause()
    case 2: ring.requestResume(fadesIn: true)
    case 3:
      ring.notify(at: ring.readIndex + 1000)
      _ = ring.takeBack(to: min(ring.readIndex + 2000, ring.writeIndex))
      ring.stage()
    case 4:
      ring.publish()
      ring.skip(fadesIn: false)
    default:
      ring.finish()
      ring.reopen()
    }
  }
}

/// Memory for one cycle that the rendering thread has for itself.
private final class Buffer: Sendable {
  // Safe because only the rendering thread touches it.
  nonisolated(unsafe) private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  init(count: Int) {
    self.count = count
    memory = .allocate(capacity: count)
  }
  func fill(from ring: SampleRing, cycle: UInt64) {
    ring.render(into: memory, frames: count / 2, cycle: cycle)
  }
}
