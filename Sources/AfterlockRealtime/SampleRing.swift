public import AfterlockCore
import Glibc
import Synchronization

/// A queue of interleaved samples between the thread that decodes and the thread that must never wait.
///
/// Frames are numbered from 0 and the numbers only grow, so an index names one frame for the life of the ring. One
/// producer writes, one consumer renders. The consumer's side takes no lock, allocates nothing and never waits; the
/// compiler enforces the first two (`@_noLocks`, `@_noAllocation`).
///
/// **Orders.** Pause, resume and skip are orders that the consumer carries out at its next cycle, with a fade so that
/// they do not click. They reach it as one consistent picture in the order in which they were given: whoever pauses,
/// skips and resumes can rely on it that nothing from before the skip is heard after the resume.
///
/// **Isolation.** All that is not said to be safe from any thread belongs to the producer, which is one serial executor.
/// `render` belongs to the consumer.
public final class SampleRing: Sendable {
  /// Samples in one frame.
  public let channelCount: Int
  /// Frames that fit.
  public let capacityFrames: Int
  /// Length of the fades before and after a pause or a skip; 0 for none.
  public let fadeFrames: Int
  /// Becomes readable when there are events to take. Owned by the ring; -1 where no descriptor was left when it was made,
  /// which wakes nobody.
  public let wakeDescriptor: CInt
  /// The other end of it. A pipe, because Swift's Glibc module does not have `eventfd`.
  let wakingDescriptor: CInt

  // Safe because the producer writes only frames in [writeIndex, readIndex + capacity), and the consumer reads only frames
  // that it has claimed in `claims`, which neither lie behind what is published nor can be taken back any more.
  nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
  // Safe because the three slots change hands through `mailbox`: at any time one belongs to the producer, one to the
  // consumer, and the third to nobody.
  nonisolated(unsafe) let orderSlots: UnsafeMutablePointer<Orders>
  // Safe because it is touched only by the producer's serial executor.
  nonisolated(unsafe) let producer: UnsafeMutablePointer<ProducerState>
  // Safe because it is touched only by whoever holds `isRendering`.
  nonisolated(unsafe) let consumer: UnsafeMutablePointer<ConsumerState>

  let sharedProgress = SharedProgress()
  // Safe because everything in it is atomic, and `sharedProgress` keeps it as long as the ring lives.
  nonisolated(unsafe) let progress: UnsafeMutablePointer<RingProgress>
  let written = Atomic<Int64>(0)
  /// Held while the consumer's state is in use; never waited for.
  let isRendering = Atomic<Bool>(false)
  /// Number of the free slot, and `Orders.isNewBit` when it holds orders not yet taken.
  let mailbox = Atomic<UInt8>(1)
  let pendingEvents = Atomic<UInt32>(0)
  let lowWaterMark = Atomic<Int>(0)
  let isLowWaterArmed = Atomic<Bool>(true)
  let isFinishArmed = Atomic<Bool>(false)
  let boundaryIndex = Atomic<Int64>(.max)
  let underruns = Atomic<Int64>(0)
  /// The `RingProgress` that must end before this ring sounds, as an address; 0 for none.
  let heldBy = Atomic<UInt>(0)
  let claims = FrameClaims()

  /// Makes an empty ring.
  /// - Parameters:
  ///   - channelCount: samples in a frame, at least 1.
  ///   - capacityFrames: frames that fit, at least 1. Memory that is never written is never resident.
  ///   - fadeFrames: length of a fade; 0 for none.
  public init(channelCount: Int, capacityFrames: Int, fadeFrames: Int) {
    precondition(channelCount > 0 && capacityFrames > 0 && fadeFrames >= 0)
    self.channelCount = channelCount
    self.capacityFrames = capacityFrames
    self.fadeFrames = fadeFrames
    var ends: [CInt] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wakeDescriptor = ends[0]
    wakingDescriptor = ends[1]
    progress = sharedProgress.pointer
    samples = Self.makeRoom(channelCount * capacityFrames)
    orderSlots = .allocate(capacity: 3)
    orderSlots.initialize(repeating: Orders(), count: 3)
    producer = .allocate(capacity: 1)
    producer.initialize(to: ProducerState())
    consumer = .allocate(capacity: 1)
    consumer.initialize(to: ConsumerState(gain: fadeFrames))
  }

  /// Makes a ring for `format` that holds `capacity`, with fades of `fade`.
  public convenience init(format: AudioFormat, capacity: Duration, fade: Duration) {
    self.init(
      channelCount: format.channelCount,
      capacityFrames: max(1, Int(capacity.frames(rate: format.rate))),
      fadeFrames: Int(fade.frames(rate: format.rate)))
  }

  deinit {
    munmap(samples, channelCount * capacityFrames * MemoryLayout<Float>.stride)
    orderSlots.deallocate()
    producer.deinitialize(count: 1)
    producer.deallocate()
    consumer.deallocate()
    for end in [wakeDescriptor, wakingDescriptor] where end >= 0 { Glibc.close(end) }
  }

  /// Pages of its own, which go back to the system with the ring: megabytes of them come and go with each change of
  /// format, and the allocator would keep some for every thread that ever made a ring.
  private static func makeRoom(_ count: Int) -> UnsafeMutablePointer<Float> {
    let bytes = count * MemoryLayout<Float>.stride
    let pages = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages, pages != MAP_FAILED else {
      preconditionFailure("no memory is left for \(bytes) bytes of sound")
    }
    return pages.bindMemory(to: Float.self, capacity: count)
  }

  /// The next frame that the consumer will read. Safe from any thread.
  public var readIndex: Int64 {
    @_noLocks @_noAllocation
    get { progress.pointee.read.load(ordering: .acquiring) }
  }
  /// The next frame that the producer will write. Safe from any thread.
  public var writeIndex: Int64 { written.load(ordering: .acquiring) }
  /// The end given by `finish()`, `nil` while more may come. Safe from any thread.
  public var endIndex: Int64? {
    let end = progress.pointee.end.load(ordering: .acquiring)
    return end == .max ? nil : end
  }
  /// `true` when all up to the end has been read. Safe from any thread.
  public var isReadToEnd: Bool {
    @_noLocks @_noAllocation
    get { progress.pointee.isReadToEnd }
  }
  /// Frames of silence that were given because samples were missing in the middle. Waiting for the first frames, at the
  /// start or after a skip, is none. Safe from any thread.
  public var underrunFrames: Int64 { underruns.load(ordering: .relaxed) }
  /// Frames that can be written now.
  public var writableFrames: Int { capacityFrames - Int(writeIndex - readIndex) }
  /// `true` while `hold(until:)` keeps the ring silent. Safe from any thread.
  public var isHeld: Bool {
    @_noLocks @_noAllocation
    get { heldBy.load(ordering: .acquiring) != 0 }
  }
}

/// What the producer wants of the consumer.
struct Orders {
  /// Marks the mailbox as holding orders that the consumer has not seen.
  static var isNewBit: UInt8 {
    @_noLocks @_noAllocation
    get { 4 }
  }

  var wantsPause = false
  /// Whether the way out of a pause fades in.
  var resumeFadesIn = false
  /// Grows with each skip; 0 for none yet.
  var skipNumber: UInt64 = 0
  var skipTo: Int64 = 0
  var skipFadesIn = false
  /// The fade before the skip may not go past these frames, as long as they lie ahead: what this skip or an earlier one
  /// leads to begins there.
  var fadeLimit: Int64 = .max
  var earlierFadeLimit: Int64 = .max
}

struct ProducerState {
  var orders = Orders()
  /// The slot of `orderSlots` that the producer may write.
  var backSlot: UInt8 = 0
  /// What is written is kept from the consumer.
  var isStaging = false
  /// The end of all that was ever written: what was taken back has overwritten older frames, too.
  var highestIndex: Int64 = 0
  /// Kept for the life of the ring, since the consumer may be looking at one of them.
  var predecessors: [SharedProgress] = []
}

struct ConsumerState {
  /// The slot of `orderSlots` that the consumer may read.
  var frontSlot: UInt8 = 2
  /// Loudness in steps of `1 / fadeFrames`.
  var gain: Int
  var isPaused = false
  /// `paused` has not been said yet.
  var isPauseUnsaid = false
  var lastSkip: UInt64 = 0
  var isSkipDue = false
  /// A real frame has been given since the start or the last skip.
  var hasBegun = false
  /// Where the last jump went: what stands before it does not lead up to it.
  var jumpedTo: Int64 = 0
  var events: UInt32 = 0
}

/// How far a ring has been read.
struct RingProgress: ~Copyable {
  let read = Atomic<Int64>(0)
  let end = Atomic<Int64>(.max)
  /// The cycle in which the end was reached.
  let endCycle = Atomic<UInt64>(0)

  var isReadToEnd: Bool {
    @_noLocks @_noAllocation
    get { read.load(ordering: .acquiring) >= end.load(ordering: .acquiring) }
  }
}

/// Owns a ring's progress apart from the ring, so that a successor can watch it without keeping the samples.
final class SharedProgress: Sendable {
  // Safe because everything in it is atomic.
  nonisolated(unsafe) let pointer: UnsafeMutablePointer<RingProgress>

  init() {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: RingProgress())
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
