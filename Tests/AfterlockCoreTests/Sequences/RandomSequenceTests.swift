import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

/// Laws of the coordinator in whatever order things happen; the policy alone is walked through exhaustively elsewhere.
@Suite("Random lives of a player", .computesForLong)
struct RandomSequenceTests {
  private func play(_ sequence: RandomSequence, steps: Int = 60) async throws(RandomSequence.Violation) -> Int
  {
    let engine = VirtualEngine()
    let coordinator = PlaybackCoordinator(
      on: CoordinatorExecutor(QueueExecutor()), configuration: sequence.configuration,
      queue: PlaybackQueue(generator: SeededGenerator(seed: sequence.seed)), engine: engine)
    return try await sequence.play(steps: steps, on: coordinator, engine)
  }

  /// `AFTERLOCK_SEQUENCE=SEED` plays one again, `AFTERLOCK_SEQUENCES=COUNT` more of them.
  @Test func `10,000 of them keep the laws`() async throws {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["AFTERLOCK_SEQUENCE"].flatMap(UInt64.init) {
      _ = try await play(RandomSequence(seed: seed))
      return
    }
    let count = environment["AFTERLOCK_SEQUENCES"].flatMap(UInt64.init) ?? 10_000
    var starts = 0
    for seed in 1...max(count, 1) {
      do {
        starts += try await play(RandomSequence(seed: seed))
      } catch {
        Issue.record(
          "\(error)\nAgain: AFTERLOCK_SEQUENCE=\(error.seed) swift test --filter RandomSequenceTests")
        return
      }
    }
    #expect(starts > Int(count), "hardly anything was played")
  }

  /// The law that a faulty player or world breaks first, in up to 500 sequences.
  private func broken(
    _ fault: RandomSequence.Fault? = nil, _ configure: (inout PolicyConfiguration) -> Void = { _ in }
  ) async -> RandomSequence.Law? {
    for seed in 1...500 as ClosedRange<UInt64> {
      var sequence = RandomSequence(seed: seed, fault: fault)
      configure(&sequence.configuration)
      do { _ = try await play(sequence) } catch { return error.law }
    }
    return nil
  }

  @Test func `faults of a player and of a world are found`() async {
    #expect(await broken() == nil)
    #expect(await broken(.playsOnUnlock) == .wishIsAPersons)
    #expect(await broken(.startsByItself) == .noStartWithoutWish)
    #expect(await broken(.neverTellsOfReturn) == .noSilenceAgainstWish)
  }
}
