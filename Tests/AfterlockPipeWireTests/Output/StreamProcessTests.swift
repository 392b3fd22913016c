import AfterlockRealtime
import AfterlockTestSupport
import Synchronization
import Testing

@testable import AfterlockPipeWire

@Suite struct StreamProcessTests {
  @Test
  func
    `What is on its way is what was read since the last cycle and what that cycle left, less what time took`()
  {
    let played = PlayedPosition()
    #expect(played.latency(readIndex: 5_000, rate: 48_000, now: 0) == 0, "nothing is known yet")
    #expect(played.unheard(readIndex: 5_000, rate: 48_000) == 0)
    let second: Int64 = 1_000_000_000
    played.publish(readIndex: 4_000, delayFrames: 3_000, at: 7 * second)
    #expect(played.latency(readIndex: 4_000, rate: 48_000, now: 7 * second) == 3_000)
    #expect(played.latency(readIndex: 5_000, rate: 48_000, now: 7 * second) == 4_000)
    #expect(played.latency(readIndex: 5_000, rate: 48_000, now: 7 * second + second / 100) == 3_520)
    #expect(played.latency(readIndex: 5_000, rate: 48_000, now: 9 * second) == 0)
    #expect(played.latency(readIndex: 5_000, rate: 48_000, now: 6 * second) == 4_000, "clocks may differ")
    // Noticed late, it was still lost when the server died.
    #expect(played.unheard(readIndex: 5_000, rate: 48_000) == 4_000)
    #expect(played.unheard(readIndex: 9_000_000, rate: 48_000) == 4 * 48_000, "no more than a ring holds")
    played.publish(readIndex: 4_000, delayFrames: 3_000, at: 0)
    #expect(
      played.latency(readIndex: 5_000, rate: 48_000, now: 7 * second) == 0, "no cycle since it was held")
    played.publish(readIndex: 4_000, delayFrames: 3_000, at: 7 * second)
    played.reset()
    #expect(played.latency(readIndex: 4_000, rate: 48_000, now: 7 * second) == 0)
    #expect(played.unheard(readIndex: 5_000, rate: 48_000) == 0)
  }

  @Test func `A drain is done when all that was on its way, and a cycle more, has gone`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    let context = UnsafeMutablePointer<RealtimeContext>.allocate(capacity: 1)
    context.initialize(to: RealtimeContext(ring: .passUnretained(ring), stride: 8, rate: 48_000))
    defer {
      context.deinitialize(count: 1)
      context.deallocate()
    }
    advanceDrain(context, frames: 256, delay: 1_000)
    #expect(context.pointee.drain.load(ordering: .acquiring) == .none, "nobody has asked")
    context.pointee.drain.store(.asked, ordering: .releasing)
    advanceDrain(context, frames: 256, delay: 1_000)
    #expect(context.pointee.drain.load(ordering: .acquiring) == .asked, "more may come")
    ring.finish()
    advanceDrain(context, frames: 256, delay: 1_000)
    var cycles = 0
    while context.pointee.drain.load(ordering: .acquiring) == .counting, cycles < 100 {
      advanceDrain(context, frames: 256, delay: 1_000)
      cycles += 1
    }
    #expect(context.pointee.drain.load(ordering: .acquiring) == .done)
    #expect(cycles == 5, "1,256 frames in cycles of 256")
  }
}
