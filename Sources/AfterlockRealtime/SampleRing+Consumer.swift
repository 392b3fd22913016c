import Glibc
import Synchronization

/// The side that must never wait.
extension SampleRing {
  /// Fills `output` with the next `frames` frames; what is not there is silence.
  ///
  /// Called on: the real-time thread, one call at a time.
  /// - Parameters:
  ///   - output: room for `frames` × `channelCount` samples.
  ///   - frames: frames wanted.
  ///   - cycle: a number that names this cycle of the device, the same for all rings rendered in it; 0 when unknown.
  ///     `hold(until:)` needs it to begin after the predecessor's last cycle and not in it.
  /// - Returns: real frames; the rest of `output` is silence.
  @_noLocks @_noAllocation
  @discardableResult
  public func render(into output: UnsafeMutablePointer<Float>, frames: Int, cycle: UInt64 = 0) -> Int {
    guard !isRendering.exchange(true, ordering: .acquiring) else {
      silence(output, count: frames)
      return 0
    }
    takeOrders()
    checkHold(cycle: cycle)
    var done = 0
    // Each round gives frames, makes a jump or changes the pause; the bound is for a producer gone wild.
    var rounds = 0
    while done < frames, rounds < 16 {
      rounds += 1
      let given = renderSegment(into: output + done * channelCount, frames: frames - done)
      if given < 0 { break }
      done += given
    }
    if done < frames {
      silence(output + done * channelCount, count: frames - done)
    }
    settle(given: done, wanted: frames, cycle: cycle)
    isRendering.store(false, ordering: .releasing)
    return done
  }

  /// Gives some frames (> 0), changes the state (0), or finds that there is nothing to do in this cycle (< 0).
  @_noLocks @_noAllocation
  private func renderSegment(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    let orders = orderSlots[Int(consumer.pointee.frontSlot)]
    if consumer.pointee.isPaused {
      if consumer.pointee.isSkipDue {
        jumpForSkip(orders)
        return 0
      }
      if orders.wantsPause { return -1 }
      consumer.pointee.isPaused = false
      consumer.pointee.gain = orders.resumeFadesIn ? 0 : fadeFrames
    }

    let index = progress.pointee.read.load(ordering: .relaxed)
    var end = isHeld ? index : index + Int64(frames)
    let isFadingOut = consumer.pointee.isSkipDue || orders.wantsPause
    if consumer.pointee.isSkipDue {
      if orders.fadeLimit >= index { end = min(end, orders.fadeLimit) }
      if orders.earlierFadeLimit >= index { end = min(end, orders.earlierFadeLimit) }
    }
    if isFadingOut {
      end = min(end, index + Int64(consumer.pointee.gain))
    } else if consumer.pointee.gain < fadeFrames {
      end = min(end, index + Int64(fadeFrames - consumer.pointee.gain))
    }
    end = claims.claim(from: index, upTo: end)

    let count = Int(end - index)
    if count == 0 {
      // Both at once: one fade served for both, and the new samples wait for the resume.
      if orders.wantsPause {
        consumer.pointee.isPaused = true
        consumer.pointee.isPauseUnsaid = true
      } else if consumer.pointee.isSkipDue {
        jumpForSkip(orders)
      } else {
        return -1
      }
      return 0
    }
    let change = isFadingOut ? -1 : consumer.pointee.gain < fadeFrames ? 1 : 0
    copy(from: index, count: count, into: output, gainChange: change)
    consumer.pointee.gain += change * count
    consumer.pointee.hasBegun = true
    progress.pointee.read.store(end, ordering: .releasing)
    return count
  }

  /// Copies frames out, exactly as they are when `gainChange` is 0 and along a straight ramp otherwise.
  @_noLocks @_noAllocation
  private func copy(
    from index: Int64, count: Int, into output: UnsafeMutablePointer<Float>, gainChange: Int
  ) {
    let position = Int(index % Int64(capacityFrames))
    let first = min(count, capacityFrames - position)
    move(samples + position * channelCount, to: output, count: first)
    if first < count {
      move(samples, to: output + first * channelCount, count: count - first)
    }
    guard gainChange != 0 else { return }
    let step = 1 / Float(fadeFrames)
    var gain = consumer.pointee.gain
    var sample = 0
    var frame = 0
    while frame < count {
      gain += gainChange
      let factor = Float(gain) * step
      let next = sample + channelCount
      while sample < next {
        output[sample] *= factor
        sample += 1
      }
      frame += 1
    }
  }

  // The compiler cannot look into memcpy and memset either.
  @_noLocks @_noAllocation
  private func move(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    let bytes = count * channelCount * MemoryLayout<Float>.size
    _unsafePerformance { _ = memcpy(target, source, bytes) }
  }

  @_noLocks @_noAllocation
  private func silence(_ target: UnsafeMutablePointer<Float>, count: Int) {
    let bytes = count * channelCount * MemoryLayout<Float>.size
    _unsafePerformance { _ = memset(target, 0, bytes) }
  }

  @_noLocks @_noAllocation
  private func jumpForSkip(_ orders: Orders) {
    consumer.pointee.isSkipDue = false
    if orders.skipTo > progress.pointee.read.load(ordering: .relaxed) {
      // So that the claim does not fall behind without bound where skips come and nothing is read.
      _ = claims.claim(from: orders.skipTo, upTo: orders.skipTo)
      progress.pointee.read.store(orders.skipTo, ordering: .releasing)
      consumer.pointee.jumpedTo = orders.skipTo
    }
    consumer.pointee.gain = orders.skipFadesIn ? 0 : fadeFrames
    consumer.pointee.hasBegun = false
    consumer.pointee.events |= EventBits.skipped
  }

  @_noLocks @_noAllocation
  private func takeOrders() {
    guard mailbox.load(ordering: .relaxed) & Orders.isNewBit != 0 else { return }
    let slot = mailbox.exchange(consumer.pointee.frontSlot, ordering: .acquiringAndReleasing)
    consumer.pointee.frontSlot = slot & ~Orders.isNewBit
    let orders = orderSlots[Int(consumer.pointee.frontSlot)]
    if orders.skipNumber != consumer.pointee.lastSkip {
      consumer.pointee.lastSkip = orders.skipNumber
      consumer.pointee.isSkipDue = true
    }
  }

  @_noLocks @_noAllocation
  private func checkHold(cycle: UInt64) {
    let address = heldBy.load(ordering: .acquiring)
    guard let other = UnsafeMutablePointer<RingProgress>(bitPattern: address) else { return }
    let isOver =
      other.pointee.isReadToEnd
      && (cycle == 0 || other.pointee.endCycle.load(ordering: .acquiring) != cycle)
    // Only this hold: the producer may have named another predecessor meanwhile.
    if isOver { _ = heldBy.compareExchange(expected: address, desired: 0, ordering: .acquiringAndReleasing) }
  }

  /// Compares where the ring stands with what the producer wants to hear of, and says all of it at once.
  @_noLocks @_noAllocation
  private func settle(given: Int, wanted: Int, cycle: UInt64) {
    let index = progress.pointee.read.load(ordering: .relaxed)
    let end = progress.pointee.end.load(ordering: .acquiring)
    var events = consumer.pointee.events
    // Said a cycle late, when the fade itself has gone out and only silence is under way: who stops the stream then
    // drops nothing that should be heard.
    if consumer.pointee.isPauseUnsaid, given == 0 {
      consumer.pointee.isPauseUnsaid = false
      if consumer.pointee.isPaused { events |= EventBits.paused }
    }
    consumer.pointee.events = 0
    if given > 0, index >= end { progress.pointee.endCycle.store(cycle, ordering: .releasing) }
    if index >= end, isFinishArmed.load(ordering: .acquiring),
      isFinishArmed.exchange(false, ordering: .acquiringAndReleasing)
    {
      events |= EventBits.finished
    }
    // Conditions by commas here, because an autoclosure of && would count references.
    if given < wanted, index < end, consumer.pointee.hasBegun, !consumer.pointee.isPaused, !isHeld {
      underruns.store(
        underruns.load(ordering: .relaxed) + Int64(wanted - given), ordering: .relaxed)
      events |= EventBits.underrun
    }
    let boundary = boundaryIndex.load(ordering: .acquiring)
    if index >= boundary {
      let (isOurs, _) = boundaryIndex.compareExchange(
        expected: boundary, desired: .max, ordering: .acquiringAndReleasing)
      if isOurs { events |= EventBits.boundary }
    }
    let fill = Int(written.load(ordering: .relaxed) - index)
    if fill < lowWaterMark.load(ordering: .relaxed), end == .max,
      isLowWaterArmed.load(ordering: .relaxed),
      isLowWaterArmed.exchange(false, ordering: .acquiringAndReleasing)
    {
      events |= EventBits.lowWater
    }
    if events != 0 { raise(events) }
  }

  /// For `applyPendingWhileIdle`: the caller holds `isRendering`.
  func applyOrdersAtOnce() {
    takeOrders()
    let orders = orderSlots[Int(consumer.pointee.frontSlot)]
    if consumer.pointee.isSkipDue { jumpForSkip(orders) }
    if orders.wantsPause, !consumer.pointee.isPaused {
      consumer.pointee.isPaused = true
      consumer.pointee.isPauseUnsaid = true
    }
    settle(given: 0, wanted: 0, cycle: 0)
  }

  /// Adds to the events and wakes the producer when one of them is new. Safe from any thread.
  @_noLocks @_noAllocation
  func raise(_ events: UInt32) {
    let before = pendingEvents.bitwiseOr(events, ordering: .acquiringAndReleasing).oldValue
    guard before | events != before else { return }
    let descriptor = wakingDescriptor
    var byte: UInt8 = 1
    // The compiler cannot look into the C library: this write does not allocate, and does not wait since the pipe does
    // not block and never holds more than a few bytes.
    _unsafePerformance { _ = Glibc.write(descriptor, &byte, 1) }
  }
}
