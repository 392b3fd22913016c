import AfterlockCore
import AfterlockRealtime
import AfterlockTestSupport
import Foundation
import Synchronization
import Testing

/// Random orders against a random reader, judged by `Transcript`.
@Suite(.computesForLong) struct SampleRingLawsTests {
  @Test(arguments: [0, 7, 64]) func `Any interleaving on one thread keeps the laws`(fade: Int) {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let ring = SampleRing(channelCount: 2, capacityFrames: 200, fadeFrames: fade)
      let cycles = CycleCount()
      var driver = RandomProducer(ring: ring, fadeFrames: fade, cycles: cycles)
      var listener = Listener(ring: ring)
      for _ in 0..<400 {
        if Bool.random(using: &random) {
          driver.act(using: &random)
        } else {
          cycles.begin(listener.cycle + 1)
          listener.listen(.random(in: 1...90, using: &random))
        }
      }
      driver.close()
      for _ in 0..<300 where !ring.isReadToEnd { listener.listen(64) }
      expectLaws(driver, listener, "seed \(seed), fade \(fade)")
      #expect(ring.isReadToEnd)
    }
  }

  @Test(arguments: [0, 5, 100]) func `Two threads at full speed keep the laws`(fade: Int) {
    for seed in 0..<4 as Range<UInt64> {
      let ring = SampleRing(channelCount: 2, capacityFrames: 500, fadeFrames: fade)
      let cycles = CycleCount()
      let isOver = Atomic<Bool>(false)
      let outcome = Mutex<Listener?>(nil)
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        var random = SeededGenerator(seed: ~seed)
        var listener = Listener(ring: ring)
        while !isOver.load(ordering: .acquiring) || !ring.isReadToEnd {
          cycles.begin(listener.cycle + 1)
          listener.listen(.random(in: 1...70, using: &random))
        }
        outcome.withLock { $0 = listener }
        done.signal()
      }
      var random = SeededGenerator(seed: seed)
      var driver = RandomProducer(ring: ring, fadeFrames: fade, cycles: cycles)
      for _ in 0..<400 {
        driver.act(using: &random)
        // Keeps step with the reader, or it would have given all its orders before the reader begins.
        let next = cycles.begun + Int.random(in: 0...2, using: &random)
        while cycles.begun < next { sched_yield() }
      }
      driver.close()
      isOver.store(true, ordering: .releasing)
      done.wait()
      guard let listener = outcome.withLock({ $0 }) else { return }
      expectLaws(driver, listener, "seed \(seed), fade \(fade), two threads")
    }
  }

  @Test func `Two threads at the edge: what was taken back is never heard, and all else is`() {
    let ring = SampleRing(channelCount: 2, capacityFrames: 64, fadeFrames: 0)
    let heard = Mutex<[Int64]>([])
    let done = DispatchSemaphore(value: 0)
    let isOver = Atomic<Bool>(false)
    Thread.detachNewThread {
      var all: [Int64] = []
      while !isOver.load(ordering: .acquiring) || !ring.isReadToEnd { all += ring.indices(3) }
      heard.withLock { $0 = all }
      done.signal()
    }
    var random = SeededGenerator(seed: 1)
    var kept: [Int64] = []
    var (next, wins, losses) = (Int64(0), 0, 0)
    // The numbers fit into a Float.
    while next < 2_000_000 {
      let count = ring.writeMarked(.random(in: 1...4, using: &random), from: next)
      kept += next..<next + Int64(count)
      next += Int64(count)
      let index = ring.writeIndex - Int64.random(in: 0...3, using: &random)
      guard count > 0, index >= 0, index < ring.writeIndex else { continue }
      let amount = Int(ring.writeIndex - index)
      if ring.takeBack(to: index) {
        kept.removeLast(amount)
        wins += 1
      } else {
        losses += 1
      }
    }
    ring.finish()
    isOver.store(true, ordering: .releasing)
    done.wait()
    let isExact = heard.withLock { $0 == kept }
    #expect(isExact)
    #expect(wins > 10 && losses > 10, "\(wins) were in time and \(losses) were not")
  }

  private func expectLaws(_ driver: RandomProducer, _ listener: Listener, _ run: String) {
    var transcript = driver.transcript
    transcript.heard = listener.heard
    let violations = transcript.violations()
    #expect(violations.isEmpty, "\(run): \(violations.joined(separator: "; "))")
    #expect(listener.heard.count > 100, "\(run): hardly anything was heard")
  }
}

/// The consumer's cycle that was begun last, for stamping what the producer does.
final class CycleCount: Sendable {
  private let count = Atomic<Int>(0)
  var begun: Int { count.load(ordering: .sequentiallyConsistent) }
  func begin(_ cycle: Int) { count.store(cycle, ordering: .sequentiallyConsistent) }
}

/// Gives random orders and writes down what they promise.
struct RandomProducer {
  let ring: SampleRing
  let cycles: CycleCount
  var transcript: Transcript
  private var isPaused = false
  /// Numbers are given to frames once, indices again and again: from which index on the number is how much larger.
  private var shifts: [(index: Int64, amount: Int64)] = [(0, 0)]
  /// Where the last skip led to, as an index.
  private var lastSkip: Int64 = 0

  init(ring: SampleRing, fadeFrames: Int, cycles: CycleCount) {
    self.ring = ring
    self.cycles = cycles
    // A cycle may be of one frame, so a fade may take as many; two more for the one that is under way.
    transcript = Transcript(fadeFrames: fadeFrames, patience: fadeFrames + 3)
  }

  mutating func act(using random: inout SeededGenerator) {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<70: ring.writeMarked(.random(in: 1...120, using: &random), from: nextNumber)
    case 70..<76: pause()
    case 76..<86: resume(fadesIn: .random(using: &random))
    case 86..<91: skip(fadesIn: .random(using: &random))
    case 91..<96: takeBack(using: &random)
    case 96..<97: if Bool.random(using: &random) { ring.stage() } else { ring.publish() }
    case 97..<98:
      ring.finish()
      ring.reopen()
    default: _ = ring.takeEvents()
    }
    transcript.written = nextNumber
  }

  private var nextNumber: Int64 { number(of: ring.writeIndex) }

  private func number(of index: Int64) -> Int64 {
    index + (shifts.last { $0.index <= index }?.amount ?? 0)
  }

  /// Lets everything out that is left.
  mutating func close() {
    resume(fadesIn: false)
    ring.publish()
    ring.finish()
    transcript.written = nextNumber
  }

  // What an order forbids is stamped after it, what it allows before it: the reader may run on in between.
  private mutating func pause() {
    ring.requestPause()
    if !isPaused { transcript.pauses.append((cycles.begun, .max)) }
    isPaused = true
  }

  private mutating func resume(fadesIn: Bool) {
    if isPaused { transcript.pauses[transcript.pauses.count - 1].resumed = cycles.begun }
    isPaused = false
    ring.requestResume(fadesIn: fadesIn)
  }

  private mutating func skip(fadesIn: Bool) {
    lastSkip = ring.writeIndex
    ring.skip(fadesIn: fadesIn)
    transcript.skips.append((nextNumber, cycles.begun))
  }

  /// Takes the end of what is written back, from somewhere ahead of the reader, as an engine changes its mind.
  private mutating func takeBack(using random: inout SeededGenerator) {
    let end = nextNumber
    let index = max(ring.readIndex, lastSkip) + Int64.random(in: 0...100, using: &random)
    guard index < ring.writeIndex else { return }
    let number = number(of: index)
    guard ring.takeBack(to: index) else { return }
    transcript.cuts.append(number..<end)
    shifts.removeAll { $0.index >= index }
    shifts.append((index, end - index))
  }
}

/// Renders and writes down what came.
struct Listener {
  let ring: SampleRing
  private(set) var cycle = 0
  private(set) var heard: [Transcript.Heard] = []
  private var wasSilent = true

  init(ring: SampleRing) { self.ring = ring }

  mutating func listen(_ frames: Int) {
    cycle += 1
    for frame in ring.renderMarked(frames) {
      if let frame {
        heard.append(Transcript.Heard(frame: frame, cycle: cycle, followsSilence: wasSilent))
      }
      wasSilent = frame == nil
    }
  }
}
