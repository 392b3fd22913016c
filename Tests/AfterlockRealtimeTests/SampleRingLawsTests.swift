import AfterlockCore
import AfterlockRealtime
import Foundation
import Synchronization
import Testing

/// Random orders against a random reader, judged by `Transcript`.
@Suite struct SampleRingLawsTests {
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
  private var certainCutEnd: Int64?

  init(ring: SampleRing, fadeFrames: Int, cycles: CycleCount) {
    self.ring = ring
    self.cycles = cycles
    // A cycle may be of one frame, so a fade may take as many; two more for the one that is under way.
    transcript = Transcript(fadeFrames: fadeFrames, patience: fadeFrames + 3)
  }

  mutating func act(using random: inout SeededGenerator) {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<70: ring.writeMarked(.random(in: 1...120, using: &random))
    case 70..<76: pause()
    case 76..<86: resume(fadesIn: .random(using: &random))
    case 86..<91: skip(fadesIn: .random(using: &random))
    case 91..<97: cut(using: &random)
    case 97..<98:
      ring.finish()
      ring.reopen()
    default: _ = ring.takeEvents()
    }
    transcript.written = ring.writeIndex
  }

  /// Lets everything out that is left.
  mutating func close() {
    resume(fadesIn: false)
    ring.finish()
    transcript.written = ring.writeIndex
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
    let target = ring.writeIndex
    ring.skip(fadesIn: fadesIn)
    transcript.skips.append((target, cycles.begun))
    certainCutEnd = nil
  }

  /// Cuts what is left of the ring, from somewhere or from the end of the last cut, as an engine changes its mind.
  private mutating func cut(using random: inout SeededGenerator) {
    let end = ring.writeIndex
    let from = max(ring.readIndex, transcript.skips.last?.target ?? 0)
    var start = from + Int64.random(in: 0...100, using: &random)
    if let certainCutEnd, certainCutEnd > ring.readIndex || Bool.random(using: &random) {
      start = certainCutEnd
    }
    guard start < end else { return }
    if ring.cutAway(from: start, to: end) {
      transcript.cuts.append(start..<end)
      certainCutEnd = end
    } else {
      certainCutEnd = nil
    }
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
