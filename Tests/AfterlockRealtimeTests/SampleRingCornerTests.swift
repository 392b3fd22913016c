import Synchronization
import Testing

@testable import AfterlockRealtime

/// Orders that meet, and a consumer that is not alone.
@Suite struct SampleRingCornerTests {
  @Test func `What a hold keeps back is not missing, also behind frames that were given`() {
    let first = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    let second = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    second.writeMarked(20)
    #expect(second.indices(5).count == 5)
    second.hold(until: first)
    #expect(second.indices(5).isEmpty)
    #expect(second.underrunFrames == 0)
    second.releaseHold()
    #expect(second.indices(5) == [5, 6, 7, 8, 9])
  }

  @Test func `While the producer acts for the consumer a cycle is silent and takes nothing`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    ring.writeMarked(20)
    ring.isRendering.store(true, ordering: .releasing)
    #expect(ring.renderMarked(5).allSatisfy { $0 == nil })
    #expect(!ring.applyPendingWhileIdle() && ring.rewind(by: 1) == 0)
    ring.isRendering.store(false, ordering: .releasing)
    #expect(ring.indices(5) == [0, 1, 2, 3, 4])
  }
}
