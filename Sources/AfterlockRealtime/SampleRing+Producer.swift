import Glibc
import Synchronization

/// The side that fills the ring: one serial executor.
extension SampleRing {
  /// Lets `body` write into the free part of the ring, without a copy.
  ///
  /// The region is contiguous and may be shorter than what is free: call again until it returns 0 or less than asked.
  /// - Parameters:
  ///   - frames: most frames wanted.
  ///   - body: fills the buffer from its start and returns the number of *frames* written. Not called when nothing fits.
  /// - Returns: frames written.
  @discardableResult
  public func write<Failure: Error>(
    upTo frames: Int, body: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let index = written.load(ordering: .relaxed)
    let position = Int(index % Int64(capacityFrames))
    let count = min(frames, writableFrames, capacityFrames - position)
    guard count > 0 else { return 0 }
    let region = UnsafeMutableBufferPointer(
      start: samples + position * channelCount, count: count * channelCount)
    let done = try body(region)
    precondition(done >= 0 && done <= count, "a writer said that it wrote more than there was room for")
    let end = index + Int64(done)
    written.store(end, ordering: .releasing)
    producer.pointee.highestIndex = max(producer.pointee.highestIndex, end)
    if !producer.pointee.isStaging { claims.publish(upTo: end) }
    return done
  }

  /// Keeps what is written from here on from the consumer, until `publish()`: so that a few frames are not heard before
  /// those are there that follow them without a gap.
  public func stage() {
    producer.pointee.isStaging = true
  }

  /// Ends `stage()`: all that is written can be heard.
  public func publish() {
    guard producer.pointee.isStaging else { return }
    producer.pointee.isStaging = false
    claims.publish(upTo: writeIndex)
  }

  /// Takes back what is written from `index` on, before it is heard: the ring is as if it had never been written.
  /// - Parameter index: a written frame, and not one that a skip passes by.
  /// - Returns: `false` when the consumer is already past `index`, or may be in this very cycle: then all stays as it is.
  public func takeBack(to index: Int64) -> Bool {
    precondition(index <= writeIndex, "what is not written cannot be taken back")
    guard index >= producer.pointee.orders.skipTo, claims.takeBack(to: index) else { return false }
    written.store(index, ordering: .releasing)
    return true
  }

  /// Says that what has been written is all: once it is read, `finished` is said and nothing counts as missing.
  ///
  /// Saying so again says nothing: a producer that answers `finished` with it would wake itself without end.
  public func finish() {
    if endIndex == writeIndex, isReadToEnd { return }
    progress.pointee.end.store(writeIndex, ordering: .sequentiallyConsistent)
    isFinishArmed.store(true, ordering: .sequentiallyConsistent)
    if progress.pointee.isReadToEnd, isFinishArmed.exchange(false, ordering: .sequentiallyConsistent) {
      raise(EventBits.finished)
    }
  }

  /// Takes `finish()` back: more will be written.
  public func reopen() {
    isFinishArmed.store(false, ordering: .sequentiallyConsistent)
    progress.pointee.end.store(.max, ordering: .sequentiallyConsistent)
  }

  /// Fades out within `fadeFrames` and then gives silence without reading on; `paused` is said when that is done.
  ///
  /// While the consumer does not run nothing happens: see `applyPendingWhileIdle()`.
  public func requestPause() {
    order { $0.wantsPause = true }
  }

  /// Goes on reading; takes a pause back that has not been made yet.
  /// - Parameter fadesIn: whether the samples rise from silence over `fadeFrames`. The beginning of a track must not
  ///   (every sample is exact), the middle of one should.
  public func requestResume(fadesIn: Bool) {
    order {
      $0.wantsPause = false
      $0.resumeFadesIn = fadesIn
    }
  }

  /// Leaves what plays, at once: old samples fade out within `fadeFrames`, then reading goes on at `target`, and nothing
  /// between is heard. `skipped` is said when the space is free.
  ///
  /// A later skip replaces one that has not been made. What was staged is staged no longer.
  /// - Parameters:
  ///   - target: an index from the read index to `writeIndex`; `nil` is `writeIndex`, all that is written.
  ///   - fadesIn: whether the new samples rise from silence.
  public func skip(to target: Int64? = nil, fadesIn: Bool) {
    let end = writeIndex
    let target = target ?? end
    precondition(target <= end, "a skip goes to a frame that is written or is the next to be written")
    let earlier = producer.pointee.orders
    order {
      $0.skipNumber += 1
      $0.skipTo = target
      $0.skipFadesIn = fadesIn
      $0.fadeLimit = target
      // An earlier skip that may not have been made yet had its reason to end the fade there.
      $0.earlierFadeLimit = .max
      for limit in [earlier.fadeLimit, earlier.earlierFadeLimit] where limit > readIndex {
        $0.earlierFadeLimit = min($0.earlierFadeLimit, limit)
      }
    }
    // After the order, so that none of it is heard in between.
    publish()
  }

  /// Says `boundary` when the read index has reached `index`, or at once if it has; `nil` takes that back.
  ///
  /// A skip that passes `index` reaches it too. One index at a time.
  public func notify(at index: Int64?) {
    boundaryIndex.store(index ?? .max, ordering: .sequentiallyConsistent)
    guard let index, readIndex >= index else { return }
    let (isOurs, _) = boundaryIndex.compareExchange(
      expected: index, desired: .max, ordering: .sequentiallyConsistent)
    if isOurs { raise(EventBits.boundary) }
  }

  /// Says `lowWater` when fewer than this many frames wait; 0 for never.
  public var lowWaterFrames: Int {
    get { lowWaterMark.load(ordering: .relaxed) }
    set { lowWaterMark.store(newValue, ordering: .relaxed) }
  }

  /// Gives silence until `predecessor` has been read to its end, and begins in the next cycle of the device.
  ///
  /// For the hand-over between two streams of different format in one data loop. Call it before the stream is active.
  public func hold(until predecessor: SampleRing) {
    producer.pointee.predecessors.append(predecessor.sharedProgress)
    heldBy.store(UInt(bitPattern: predecessor.progress), ordering: .releasing)
  }

  /// Ends `hold(until:)`: the predecessor will not be read to its end.
  public func releaseHold() {
    heldBy.store(0, ordering: .releasing)
  }

  /// Carries out pause, resume and skip on the consumer's behalf and without a fade, so that space becomes free although
  /// nobody renders.
  ///
  /// Only for while the stream is inactive or there is no server: nobody hears it then.
  /// - Returns: `false` when the consumer is rendering at this moment; then it carries them out itself.
  @discardableResult
  public func applyPendingWhileIdle() -> Bool {
    guard !isRendering.exchange(true, ordering: .acquiring) else { return false }
    applyOrdersAtOnce()
    isRendering.store(false, ordering: .releasing)
    return true
  }

  /// Goes back by up to `frames`, to give them once more: only as far as they are still there and lead up to where the
  /// reading stands without a jump. What is given again fades in.
  ///
  /// Only for while the stream is inactive or there is no server, as `applyPendingWhileIdle()`.
  /// - Returns: frames gone back.
  @discardableResult
  public func rewind(by frames: Int) -> Int {
    guard !isRendering.exchange(true, ordering: .acquiring) else { return 0 }
    defer { isRendering.store(false, ordering: .releasing) }
    let index = progress.pointee.read.load(ordering: .relaxed)
    let oldest = max(consumer.pointee.jumpedTo, producer.pointee.highestIndex - Int64(capacityFrames))
    let target = max(oldest, index - Int64(max(frames, 0)))
    guard target < index else { return 0 }
    _ = claims.claim(from: target, upTo: target)
    progress.pointee.read.store(target, ordering: .releasing)
    consumer.pointee.gain = 0
    return Int(index - target)
  }

  /// Empties `wakeDescriptor` and gives what has happened since the last time.
  public func takeEvents() -> SampleRingEvents {
    // Never more than a byte for each kind of event, since only a new kind writes one.
    var bytes: UInt64 = 0
    _ = Glibc.read(wakeDescriptor, &bytes, MemoryLayout<UInt64>.size)
    let events = SampleRingEvents(
      rawValue: pendingEvents.exchange(0, ordering: .acquiringAndReleasing))
    if events.contains(.lowWater) { isLowWaterArmed.store(true, ordering: .releasing) }
    return events
  }

  private func order(_ change: (inout Orders) -> Void) {
    change(&producer.pointee.orders)
    let slot = producer.pointee.backSlot
    orderSlots[Int(slot)] = producer.pointee.orders
    let free = mailbox.exchange(slot | Orders.isNewBit, ordering: .acquiringAndReleasing)
    producer.pointee.backSlot = free & ~Orders.isNewBit
  }
}
