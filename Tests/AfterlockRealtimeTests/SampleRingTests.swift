import AfterlockRealtime
import Glibc
import Testing

@Suite struct SampleRingTests {
  @Test func `What is written comes out in order and bit for bit, across the wrap`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 10)
    var heard: [HeardFrame] = []
    for _ in 0..<50 {
      ring.writeMarked(37)
      heard += ring.renderMarked(37).compactMap { $0 }
    }
    #expect(heard == (0..<1850).map { HeardFrame(index: $0, gain: 1) })
    #expect(ring.underrunFrames == 0)
  }

  @Test func `A short supply is filled up with silence and counted once it has begun`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    #expect(ring.renderMarked(8).allSatisfy { $0 == nil })
    #expect(ring.underrunFrames == 0)
    ring.writeMarked(5)
    #expect(ring.indices(8) == [0, 1, 2, 3, 4])
    #expect(ring.underrunFrames == 3)
    #expect(ring.takeEvents().contains(.underrun))
  }

  @Test func `A full ring takes no more, and a read makes room`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 10, fadeFrames: 0)
    #expect(ring.writeMarked(25) == 10)
    #expect(ring.writableFrames == 0)
    #expect(ring.indices(4) == [0, 1, 2, 3])
    #expect(ring.writableFrames == 4)
  }

  @Test func `A pause fades out over the fade and stands, and a resume goes on at the next frame`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 1000, fadeFrames: 4)
    ring.writeMarked(100)
    #expect(ring.indices(3) == [0, 1, 2])
    ring.requestPause()
    let fading = ring.renderMarked(10)
    #expect(
      fading.prefix(3) == [
        .init(index: 3, gain: 0.75), .init(index: 4, gain: 0.5), .init(index: 5, gain: 0.25),
      ])
    #expect(fading.dropFirst(3).allSatisfy { $0 == nil })
    #expect(ring.readIndex == 7)
    #expect(!ring.takeEvents().contains(.paused), "the fade is still on its way to the device")
    #expect(ring.renderMarked(10).allSatisfy { $0 == nil })
    #expect(ring.takeEvents().contains(.paused))
    #expect(ring.readIndex == 7)
    ring.requestResume(fadesIn: true)
    #expect(ring.renderMarked(5).map { $0?.gain } == [0.25, 0.5, 0.75, 1, 1])
    #expect(ring.readIndex == 12)
    #expect(ring.underrunFrames == 0)
  }

  @Test func `A fade longer than a cycle goes on in the next`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 1000, fadeFrames: 8)
    ring.writeMarked(100)
    #expect(ring.indices(1) == [0])
    ring.requestPause()
    let gains = (0..<5).flatMap { _ in ring.renderMarked(3).map { $0?.gain ?? 0 } }
    #expect(gains == [0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func `A resume before the pause was made takes it back without a trace`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 1000, fadeFrames: 8)
    ring.writeMarked(100)
    ring.requestPause()
    ring.requestResume(fadesIn: true)
    #expect(ring.renderMarked(20) == (0..<20).map { HeardFrame(index: $0, gain: 1) })
    #expect(!ring.takeEvents().contains(.paused))
  }

  @Test func `A skip fades the old out and starts the new exactly`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    ring.writeMarked(100)
    #expect(ring.indices(10).count == 10)
    ring.skip(fadesIn: false)
    let heard = ring.renderMarked(10)
    #expect(heard.prefix(4).map { $0?.gain } == [0.75, 0.5, 0.25, nil])
    #expect(heard.dropFirst(4).allSatisfy { $0 == nil })
    #expect(ring.takeEvents().contains(.skipped))
    #expect(ring.writableFrames == 100)
    #expect(ring.underrunFrames == 0)
    ring.writeMarked(50)
    #expect(ring.renderMarked(6) == (100..<106).map { HeardFrame(index: $0, gain: 1) })
  }

  @Test func `A skip that fades in rises with the first frames, whenever they come`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    ring.writeMarked(20)
    ring.skip(fadesIn: true)
    _ = ring.renderMarked(50)
    ring.writeMarked(50)
    #expect(ring.renderMarked(5).map { $0?.gain } == [0.25, 0.5, 0.75, 1, 1])
  }

  @Test func `Paused, skipped, resumed: not one old frame is heard`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    ring.writeMarked(100)
    _ = ring.renderMarked(10)
    ring.requestPause()
    _ = ring.renderMarked(10)
    let mark = ring.writeIndex
    ring.skip(fadesIn: false)
    _ = ring.renderMarked(1)
    ring.writeMarked(20)
    ring.requestResume(fadesIn: false)
    #expect(ring.renderMarked(20) == (mark..<mark + 20).map { HeardFrame(index: $0, gain: 1) })
  }

  @Test func `A later skip replaces one that has not been made`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    ring.writeMarked(60)
    ring.skip(to: 20, fadesIn: false)
    ring.skip(to: 50, fadesIn: false)
    #expect(ring.indices(20) == Array(50..<60))
  }

  @Test func `A pause and a skip given together let nothing of the new out`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 2)
    ring.writeMarked(50)
    _ = ring.renderMarked(5)
    ring.requestPause()
    ring.skip(to: 40, fadesIn: false)
    #expect(ring.indices(20).allSatisfy { $0 < 40 })
    #expect(ring.readIndex == 40)
    #expect(ring.indices(20).isEmpty)
    #expect(ring.takeEvents().isSuperset(of: [.paused, .skipped]))
  }

  @Test func `What is taken back is as if it had never been written`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    ring.writeMarked(90)
    #expect(ring.takeBack(to: 20))
    #expect(ring.writeIndex == 20 && ring.writableFrames == 80)
    ring.writeMarked(30, from: 500)
    let expected = (Array(0..<20) + Array(500..<530)).map { HeardFrame(index: $0, gain: 1) }
    #expect(ring.renderMarked(60).compactMap { $0 } == expected)
  }

  @Test func `It can be taken back again and again, and from further ahead each time`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    ring.writeMarked(90)
    #expect(ring.takeBack(to: 20))
    ring.writeMarked(60, from: 500)
    #expect(ring.takeBack(to: 50))
    ring.writeMarked(40, from: 600)
    #expect(ring.takeBack(to: 70))
    #expect(ring.indices(100) == Array(0..<20) + Array(500..<530) + Array(600..<620))
  }

  @Test func `What is under the reader's eyes or behind them is not taken back`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    ring.writeMarked(50)
    #expect(ring.indices(21).count == 21)
    #expect(!ring.takeBack(to: 20))
    #expect(ring.writeIndex == 50)
    #expect(ring.takeBack(to: 21))
    #expect(ring.indices(29) == [])
  }

  @Test func `Nothing before the target of a skip is taken back`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    ring.writeMarked(50)
    ring.skip(to: 40, fadesIn: false)
    #expect(!ring.takeBack(to: 30))
    #expect(ring.takeBack(to: 45))
    #expect(ring.indices(20) == Array(40..<45))
  }

  @Test func `A fade before a skip does not enter what was taken back and written anew`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 10)
    ring.writeMarked(50)
    _ = ring.renderMarked(18)
    #expect(ring.takeBack(to: 20))
    ring.skip(fadesIn: false)
    ring.writeMarked(30, from: 500)
    #expect(ring.indices(10) == [18, 19] + Array(500..<508))
  }

  @Test func `What overwrote older frames and was taken back is not given for them`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    ring.writeMarked(100)
    _ = ring.renderMarked(60)
    ring.writeMarked(50)
    #expect(ring.takeBack(to: 100))
    #expect(ring.rewind(by: 60) == 10)
    #expect(ring.indices(10) == Array(50..<60))
    #expect(ring.takeBack(to: 70))
  }

  @Test func `What is staged is heard when it is published, all at once, and nothing is missing until then`()
  {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    ring.writeMarked(10)
    _ = ring.renderMarked(10)
    ring.skip(fadesIn: false)
    ring.stage()
    ring.writeMarked(20)
    #expect(ring.writeIndex == 30 && ring.indices(8) == [])
    #expect(ring.takeBack(to: 25))
    ring.publish()
    ring.publish()
    #expect(ring.indices(30) == Array(10..<25))
    #expect(ring.underrunFrames == 15, "only what was wanted after the last frame")
    ring.writeMarked(5)
    #expect(ring.indices(5) == Array(25..<30))
  }

  @Test func `A skip passes by what is staged`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    ring.stage()
    ring.writeMarked(20)
    ring.skip(fadesIn: false)
    ring.writeMarked(5)
    #expect(ring.indices(30) == Array(20..<25))
  }

  @Test func `Idle, a skip and a pause are carried out by the producer`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 10)
    ring.writeMarked(100)
    ring.requestPause()
    ring.skip(fadesIn: false)
    #expect(ring.writableFrames == 0)
    #expect(ring.applyPendingWhileIdle())
    #expect(ring.writableFrames == 100)
    #expect(ring.takeEvents().isSuperset(of: [.paused, .skipped]))
    ring.writeMarked(10)
    #expect(ring.indices(5) == [])
    ring.requestResume(fadesIn: false)
    #expect(ring.indices(5) == [100, 101, 102, 103, 104])
  }

  @Test func `The end is said once, and again after a new end`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    ring.writeMarked(10)
    ring.finish()
    _ = ring.renderMarked(10)
    #expect(ring.takeEvents().contains(.finished))
    #expect(ring.isReadToEnd)
    _ = ring.renderMarked(10)
    #expect(!ring.takeEvents().contains(.finished))
    #expect(ring.underrunFrames == 0)
    ring.reopen()
    ring.writeMarked(5)
    ring.finish()
    #expect(!ring.isReadToEnd)
    _ = ring.renderMarked(10)
    #expect(ring.takeEvents().contains(.finished))
    ring.finish()
    #expect(ring.takeEvents().isEmpty, "a producer that answers so must not wake itself for ever")
    ring.reopen()
    ring.finish()
    #expect(ring.takeEvents().contains(.finished), "already read when it was given")
  }

  @Test func `The boundary is said when it is reached, and at once when it was`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    ring.writeMarked(50)
    ring.notify(at: 10)
    _ = ring.renderMarked(9)
    #expect(!ring.takeEvents().contains(.boundary))
    _ = ring.renderMarked(1)
    #expect(ring.takeEvents().contains(.boundary))
    ring.notify(at: 5)
    #expect(ring.takeEvents().contains(.boundary))
  }

  @Test func `Low water is said once until the events are taken, and not after the end`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    ring.lowWaterFrames = 20
    ring.writeMarked(30)
    _ = ring.renderMarked(5)
    #expect(!ring.takeEvents().contains(.lowWater))
    _ = ring.renderMarked(10)
    #expect(ring.takeEvents().contains(.lowWater))
    _ = ring.renderMarked(1)
    #expect(ring.takeEvents().contains(.lowWater), "still low")
    ring.finish()
    _ = ring.renderMarked(1)
    #expect(!ring.takeEvents().contains(.lowWater))
  }

  @Test func `The descriptor is readable exactly while there are events`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 0)
    #expect(!ring.isWakeReadable)
    ring.writeMarked(10)
    ring.finish()
    for _ in 0..<100 { _ = ring.renderMarked(1) }
    #expect(ring.isWakeReadable)
    _ = ring.takeEvents()
    #expect(!ring.isWakeReadable)
  }

  @Test func `A held ring is silent until its predecessor's last cycle is over`() {
    let first = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    let second = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    first.writeMarked(15)
    first.finish()
    second.writeMarked(50)
    second.hold(until: first)
    // The successor may come before or after its predecessor in a cycle.
    #expect(second.indices(10, cycle: 1) == [])
    #expect(first.indices(10, cycle: 1).count == 10)
    #expect(first.indices(10, cycle: 2).count == 5)
    #expect(second.indices(10, cycle: 2) == [])
    #expect(second.isHeld)
    #expect(second.renderMarked(10, cycle: 3) == (0..<10).map { HeardFrame(index: $0, gain: 1) })
    #expect(!second.isHeld)
    #expect(second.underrunFrames == 0)
  }

  @Test func `A held ring can be paused, skipped and let go`() {
    let first = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    let second = SampleRing(channelCount: 2, capacityFrames: 100, fadeFrames: 4)
    second.writeMarked(50)
    second.hold(until: first)
    second.requestPause()
    #expect(second.indices(10) == [])
    #expect(second.takeEvents().contains(.paused))
    second.skip(to: 30, fadesIn: false)
    second.requestResume(fadesIn: false)
    #expect(second.indices(10) == [])
    second.releaseHold()
    #expect(second.indices(10) == Array(30..<40))
  }
}

extension SampleRing {
  fileprivate var isWakeReadable: Bool {
    var descriptor = pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) == 1
  }
}
