import AfterlockRealtime
import CAfterlockShims
import CPipeWire
import Glibc
import Synchronization

/// What the real-time callback of one stream works with; it lives at a fixed address for the life of the stream.
struct RealtimeContext: ~Copyable {
  let ring: Unmanaged<SampleRing>
  /// Bytes in one frame.
  let stride: Int
  let rate: Int
  /// Set and cleared on the loop's thread while no callback runs.
  var stream: OpaquePointer?
  var loop: UnsafeMutablePointer<pw_loop>?
  var wakeEvent: UnsafeMutablePointer<spa_source>?
  var clock: UnsafeMutablePointer<spa_io_position>?

  let drain = Atomic<Drain>(.none)
  /// Silent frames to give before the drain is done; the callback's own.
  var drainFramesLeft = 0
  let played = PlayedPosition()

  enum Drain: UInt8, AtomicRepresentable {
    case none, asked, counting, done
  }
}

/// Where the sound stood at the end of the last cycle, written by the real-time thread and read by any.
struct PlayedPosition: ~Copyable, Sendable {
  private let sequence = Atomic<UInt64>(0)
  private let readIndex = Atomic<Int64>(0)
  private let delayFrames = Atomic<Int64>(0)
  private let nanoseconds = Atomic<Int64>(0)
  private let isKnown = Atomic<Bool>(false)

  @_noLocks @_noAllocation
  func publish(readIndex: Int64, delayFrames: Int64, at nanoseconds: Int64) {
    let number = sequence.load(ordering: .relaxed)
    sequence.store(number &+ 1, ordering: .sequentiallyConsistent)
    self.readIndex.store(readIndex, ordering: .releasing)
    self.delayFrames.store(delayFrames, ordering: .releasing)
    self.nanoseconds.store(nanoseconds, ordering: .releasing)
    sequence.store(number &+ 2, ordering: .sequentiallyConsistent)
    isKnown.store(true, ordering: .releasing)
  }

  /// Frames that were read and are not yet heard, when the ring stands at `index` and the clock at `now`.
  func latency(readIndex index: Int64, rate: Int, now: Int64) -> Int {
    guard isKnown.load(ordering: .acquiring) else { return 0 }
    for _ in 0..<16 {
      let before = sequence.load(ordering: .acquiring)
      let then = nanoseconds.load(ordering: .acquiring)
      let delay = delayFrames.load(ordering: .acquiring)
      let read = readIndex.load(ordering: .acquiring)
      guard before & 1 == 0, sequence.load(ordering: .sequentiallyConsistent) == before else { continue }
      // No cycle since the stream was held: nothing is on its way, and the index says nothing.
      if then == 0 { return 0 }
      // What was read after that cycle is not heard before what was read in it. Away from the clock for more than a
      // second, nothing is left of it.
      let elapsed = min(max(now - then, 0), 1_000_000_000) * Int64(rate) / 1_000_000_000
      return Int(max(0, min(delay + (index - read), Int64(rate) * 4) - elapsed))
    }
    return 0
  }

  /// Frames that had been read and not heard when the cycles stopped for good.
  ///
  /// The last cycle says how many were on their way; the server died within a cycle of it, however late that is noticed.
  func unheard(readIndex index: Int64, rate: Int) -> Int {
    guard isKnown.load(ordering: .acquiring), nanoseconds.load(ordering: .acquiring) != 0 else { return 0 }
    let onTheWay = delayFrames.load(ordering: .acquiring) + index - readIndex.load(ordering: .acquiring)
    return Int(max(0, min(onTheWay, Int64(rate) * 4)))
  }

  /// Nothing is on its way any more.
  func reset() { isKnown.store(false, ordering: .releasing) }
}

/// PipeWire's process callback: from the ring straight into the device's buffer.
///
/// Called on: PipeWire's real-time thread. It may not allocate, lock, log or wait; the compiler checks the Swift in it,
/// and the C functions called are those that PipeWire made for this thread.
@_noLocks @_noAllocation
func processStream(_ data: UnsafeMutableRawPointer?) {
  guard let data else { return }
  let context = data.assumingMemoryBound(to: RealtimeContext.self)
  guard let stream = context.pointee.stream else { return }
  var dequeued: UnsafeMutablePointer<pw_buffer>?
  _unsafePerformance { dequeued = pw_stream_dequeue_buffer(stream) }
  guard let buffer = dequeued, let inner = buffer.pointee.buffer, let plane = inner.pointee.datas else {
    return
  }
  let stride = context.pointee.stride
  var frames = 0
  if let memory = plane.pointee.data {
    frames = Int(plane.pointee.maxsize) / stride
    let requested = Int(buffer.pointee.requested)
    if requested > 0, requested < frames { frames = requested }
    let cycle = context.pointee.clock?.pointee.clock.nsec ?? 0
    let samples = memory.assumingMemoryBound(to: Float.self)
    context.pointee.ring._withUnsafeGuaranteedRef {
      _ = $0.render(into: samples, frames: frames, cycle: cycle)
    }
  }
  if let chunk = plane.pointee.chunk {
    chunk.pointee.offset = 0
    chunk.pointee.stride = Int32(stride)
    chunk.pointee.size = UInt32(frames * stride)
  }
  buffer.pointee.size = UInt64(frames)
  let delay = publishPosition(context, stream: stream, frames: frames)
  advanceDrain(context, frames: frames, delay: delay)
  _unsafePerformance { _ = pw_stream_queue_buffer(stream, buffer) }
}

/// Tells how much is on its way to the device once this cycle's frames are queued, in frames of the stream.
@_noLocks @_noAllocation
private func publishPosition(
  _ context: UnsafeMutablePointer<RealtimeContext>, stream: OpaquePointer, frames: Int
) -> Int64 {
  var time = pw_time()
  var result: Int32 = -1
  _unsafePerformance { result = afl_stream_get_time(stream, &time) }
  guard result >= 0 else { return Int64(frames) }
  var delay = Int64(frames) + Int64(time.queued) + Int64(time.buffered)
  let rate = Int64(context.pointee.rate)
  if time.rate.denom > 0, time.delay > 0 {
    delay += time.delay * Int64(time.rate.num) * rate / Int64(time.rate.denom)
  }
  let index = context.pointee.ring._withUnsafeGuaranteedRef { $0.readIndex }
  context.pointee.played.publish(readIndex: index, delayFrames: delay, at: time.now)
  return delay
}

/// After the ring's end, counts silence until the last real frame is out, and then wakes the loop.
///
/// PipeWire's own drain comes after that: alone it loses what lies between the stream and the device (pipewire-rules).
@_noLocks @_noAllocation
func advanceDrain(_ context: UnsafeMutablePointer<RealtimeContext>, frames: Int, delay: Int64) {
  switch context.pointee.drain.load(ordering: .acquiring) {
  case .none, .done: return
  case .asked:
    guard context.pointee.ring._withUnsafeGuaranteedRef({ $0.isReadToEnd }) else { return }
    // One cycle more than what is on its way, since the device takes whole cycles.
    context.pointee.drainFramesLeft = Int(delay) + frames
    let (isOurs, _) = context.pointee.drain.compareExchange(
      expected: .asked, desired: .counting, ordering: .acquiringAndReleasing)
    if !isOurs { return }
  case .counting:
    context.pointee.drainFramesLeft -= frames
    guard context.pointee.drainFramesLeft <= 0 else { return }
    let (isOurs, _) = context.pointee.drain.compareExchange(
      expected: .counting, desired: .done, ordering: .acquiringAndReleasing)
    guard isOurs, let loop = context.pointee.loop, let event = context.pointee.wakeEvent else { return }
    _unsafePerformance { afl_loop_signal_event(loop, event) }
  }
}
