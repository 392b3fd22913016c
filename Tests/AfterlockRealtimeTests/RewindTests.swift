import AfterlockRealtime
import Testing

@Suite("Going back in the ring, to give once more what was not heard")
struct RewindTests {
  private func ring(written: Int, read: Int, capacity: Int = 1_000, fade: Int = 0) -> SampleRing {
    let ring = SampleRing(channelCount: 1, capacityFrames: capacity, fadeFrames: fade)
    ring.fill(0..<written)
    _ = ring.take(read)
    return ring
  }

  @Test("what was read comes again")
  func again() {
    let ring = ring(written: 500, read: 300)
    #expect(ring.rewind(by: 100) == 100)
    #expect(ring.take(50) == (200..<250).map(Float.init))
  }

  @Test("not what has been overwritten since")
  func overwritten() {
    let ring = ring(written: 1_000, read: 300)
    ring.fill(1_000..<1_250)
    #expect(ring.rewind(by: 300) == 50)
    #expect(ring.take(1) == [250])
    #expect(ring.writableFrames == 1)
  }

  @Test("not what stands before a jump")
  func beforeJump() {
    let ring = ring(written: 500, read: 100)
    ring.skip(to: 400, fadesIn: false)
    #expect(ring.take(30) == (400..<430).map(Float.init))
    #expect(ring.rewind(by: 200) == 30)
    #expect(ring.take(1) == [400])
  }

  @Test("it fades in, since it follows silence")
  func fadesIn() {
    let ring = ring(written: 500, read: 300, fade: 10)
    ring.rewind(by: 100)
    let heard = ring.take(20)
    #expect(heard[0] == 20 && heard[10...] == (210..<220).map(Float.init)[...])
  }

  @Test("nothing when nothing was read")
  func nothing() {
    #expect(ring(written: 10, read: 0).rewind(by: 5) == 0)
    #expect(ring(written: 10, read: 5).rewind(by: -3) == 0)
  }
}

extension SampleRing {
  fileprivate func fill(_ frames: Range<Int>) {
    var next = frames.lowerBound
    while next < frames.upperBound {
      let count = write(upTo: frames.upperBound - next) { region in
        for place in region.indices { region[place] = Float(next + place) }
        return region.count
      }
      guard count > 0 else { return }
      next += count
    }
  }

  fileprivate func take(_ frames: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: frames) { buffer, count in
      count = render(into: buffer.baseAddress!, frames: frames)
    }
  }
}
