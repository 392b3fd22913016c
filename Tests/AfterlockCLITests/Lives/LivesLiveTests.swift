import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockDesktop

/// Laws of the program in whatever order things happen to it on a real desktop: real servers are killed, real sinks come and go,
/// and what is judged is the sound that the sinks have had. The same laws in virtual time are the core's.
@Suite("Random lives of the program on a private desktop")
struct LivesLiveTests {
  /// As many as fit among the other tests.
  private static let usualCount: UInt64 = 24
  /// Lives on one desktop.
  private static let batch = 12

  private func withWorld<Value: Sendable>(_ body: (LifeWorld) async throws -> Value) async throws -> Value {
    let folder = try ByteNamedFolder()
    let tracks = try LifeWorld.writeTracks(to: folder)
    return try await withBareDesktop(LifeWorld.configuration) { desktop in
      let world = try await LifeWorld(on: desktop, playing: tracks)
      let result = await Result { try await body(world) }
      await world.close()
      return try result.get()
    }
  }

  /// What came of some lives.
  private struct Outcome: Sendable {
    /// How often sound was to begin.
    var starts = 0
    /// What happened.
    var story: [String] = []
    /// Lives that their desktop ended, such as a session manager that passes over a sink that comes.
    var worldFaults: [String] = []
  }

  /// Plays these lives, one after the other, on a desktop of their own, and after a fault of that on another one.
  private func play(_ lives: [Life]) async throws -> Outcome {
    var (outcome, rest) = (Outcome(), lives[...])
    while !rest.isEmpty {
      (outcome, rest) = try await withWorld { [outcome, rest] world in
        var (outcome, rest) = (outcome, rest)
        while let life = rest.popFirst() {
          do {
            let played = try await life.play(in: world)
            outcome.starts += played.starts
            outcome.story += played.story
          } catch let violation as Life.Violation {
            Issue.record(
              "\(violation)\nAgain: AFTERLOCK_LIFE=\(life.seed) swift test --filter LivesLiveTests")
          } catch let fault as WorldFault {
            outcome.worldFaults.append("seed \(life.seed): \(fault)")
            return (outcome, rest)
          }
        }
        return (outcome, rest)
      }
    }
    return outcome
  }

  /// `AFTERLOCK_LIFE=SEED` plays one again and tells it, `AFTERLOCK_LIVES=COUNT` more of them.
  @Test func `keep the laws`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let one = environment["AFTERLOCK_LIFE"].flatMap(UInt64.init)
    let count = environment["AFTERLOCK_LIVES"].flatMap(UInt64.init) ?? Self.usualCount
    let lives = (one.map { $0...$0 } ?? 1...max(count, 1)).map(Life.init(seed:))
    let outcomes = await withTaskGroup(of: Outcome.self) { group in
      for start in stride(from: 0, to: lives.count, by: Self.batch) {
        let some = Array(lives[start..<min(start + Self.batch, lives.count)])
        group.addTask {
          do {
            let played = try await play(some)
            if one != nil { print(played.story.joined(separator: "\n")) }
            return played
          } catch {
            Issue.record("\(error)")
            return Outcome()
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.map(\.starts).reduce(0, +) >= lives.count, "hardly anything was played")
    let faults = outcomes.flatMap(\.worldFaults)
    #expect(faults.count <= 1 + lives.count / 12, "the desktop itself fails too often: \(faults)")
  }

  /// How this life breaks a law; `nil` when it keeps them all.
  private func violation(_ life: Life, in world: LifeWorld) async throws -> Life.Violation? {
    do {
      _ = try await life.play(in: world)
      return nil
    } catch let violation as Life.Violation {
      return violation
    }
  }

  @Test func `find faults of a player and of a world`() async throws {
    let holds = LifeModel.Options(pausesOnLock: true, onRouteLoss: "pause")
    var rests = holds
    rests.startsPaused = true
    let sleeps = [[LifeEvent.sleep], [.wake]]
    let locks = [[LifeEvent.lock(.gnome)], [.unlock(.gnome)]]
    let faults: [(Life.Fault, Life, LifeJudge.Law)] = [
      (.ignoresLock, Life(holds, locks), .noSoundWithoutWish),
      (.followsOnRouteLoss, Life(holds, [[.unplug(.head)]]), .noStartWithoutWish),
      (.playsOnUnlock, Life(rests, locks), .noStartWithoutWish),
      (.pausesOnWake, Life(holds, sleeps), .noSilenceAgainstWish),
      (.skipsOnWake, Life(holds, sleeps), .rightPlace),
    ]
    try await withWorld { world in
      for (fault, sound, law) in faults {
        let without = try await violation(sound, in: world)
        #expect(without == nil, "\(fault), without it")
        var faulty = sound
        (faulty.fault, faulty.limit) = (fault, .seconds(2))
        let with = try await violation(faulty, in: world)
        #expect(with?.law == law, "\(fault)")
      }
    }
  }

  @Test func `hold everything that can happen`() {
    func kinds(_ lives: Int) -> Set<String> {
      Set((1...lives).flatMap { Life(seed: UInt64($0)).bursts.joined() }.map { "\($0)" })
    }
    let all = kinds(1_000)
    #expect(all.isSuperset(of: LifeEvent.Command.allCases.map(\.rawValue)))
    #expect(kinds(200) == all)
    #expect(kinds(Int(Self.usualCount)).count > all.count * 3 / 4)
  }
}
