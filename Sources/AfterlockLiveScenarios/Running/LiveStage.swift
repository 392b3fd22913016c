import AfterlockCore
import AfterlockDesktop
import AfterlockScenarios
import Synchronization

/// Runs a list of scenarios: phones side by side on one desktop, each desktop scenario on its own.
struct LiveStage: Sendable {
  typealias Outcome = Result<ScenarioResult, LiveScenarioError>

  /// How many phones are as much work as a desktop with its servers.
  private static let phonesPerDesktop = 2

  private let scenarios: [Scenario]
  private let atOnce: Int
  private let wrap: PlayerWrapper

  init(_ scenarios: [Scenario], atOnce: Int, wrap: @escaping PlayerWrapper) {
    self.scenarios = scenarios
    self.atOnce = atOnce
    self.wrap = wrap
  }

  /// - Parameter report: hears of each result, several at once.
  func run(_ report: @escaping @Sendable (Int, Outcome) -> Void) async {
    var (phones, desktops): ([Int], [Int]) = ([], [])
    for (index, scenario) in scenarios.enumerated() {
      if let obstacle = LiveObstacle.text(for: scenario) {
        let words = "“\(scenario.name)” cannot run in real time: \(obstacle)"
        report(index, .failure(LiveScenarioError(.unsuitable, words)))
      } else if scenario.platform == .desktop {
        desktops.append(index)
      } else {
        phones.append(index)
      }
    }
    // A desktop has a server of its own to wait for, and its sleeps leave the phones the machine.
    async let isOver: Void = runDesktops(desktops, report)
    await runPhones(phones, report)
    await isOver
  }

  // MARK: Desktops

  private func runDesktops(_ indices: [Int], _ report: @escaping @Sendable (Int, Outcome) -> Void) async {
    guard !indices.isEmpty else { return }
    do throws(DesktopError) {
      let media = try ScenarioMedia()
      let queue = WorkQueue(indices)
      await withTaskGroup { group in
        for _ in 0..<min(max(atOnce / Self.phonesPerDesktop, 1), indices.count) {
          group.addTask {
            while !Task.isCancelled, let index = queue.next() {
              report(index, await runDesktop(scenarios[index], media))
            }
          }
        }
      }
    } catch {
      for index in indices { report(index, .failure(LiveScenarioError(error))) }
    }
  }

  private func runDesktop(_ scenario: Scenario, _ media: ScenarioMedia) async -> Outcome {
    do throws(DesktopError) {
      let recorder = TimelineRecorder()
      let desktop = try await LiveDesktop(scenario, recorder, media: media)
      return .success(try await LiveRun(scenario: scenario, world: desktop, recorder: recorder).run())
    } catch {
      return .failure(LiveScenarioError(error))
    }
  }

  // MARK: Phones

  private func runPhones(_ indices: [Int], _ report: @escaping @Sendable (Int, Outcome) -> Void) async {
    guard !indices.isEmpty else { return }
    let lanes = (0..<min(atOnce, indices.count)).map {
      VirtualSink(name: "phone-\($0)", channels: ["MONO"])
    }
    do throws(DesktopError) {
      let media = try ScenarioMedia()
      let desktop = try await PrivateDesktop.start(.init(sinks: lanes, quantum: LiveScenarioRunner.quantum))
      let queue = WorkQueue(indices)
      await withTaskGroup { group in
        for lane in lanes {
          group.addTask { await runPhones(from: queue, on: lane, of: desktop, media, report) }
        }
      }
      await desktop.close()
      // Where no lane could be listened to, they are left.
      while let index = queue.next() { report(index, .failure(Self.noLane)) }
    } catch {
      for index in indices { report(index, .failure(LiveScenarioError(error))) }
    }
  }

  private static let noLane = LiveScenarioError(
    .desktop, "no sink of the private desktop could be listened to")

  /// Runs one phone after the other on a sink; where it cannot be listened to the other sinks have them all.
  private func runPhones(
    from queue: WorkQueue, on lane: VirtualSink, of desktop: PrivateDesktop, _ media: ScenarioMedia,
    _ report: @Sendable (Int, Outcome) -> Void
  ) async {
    guard let ear = try? await Ear(to: lane, on: desktop) else { return }
    while !Task.isCancelled, let index = queue.next() {
      let scenario = scenarios[index]
      do throws(DesktopError) {
        let recorder = TimelineRecorder()
        let phone = try LivePhone(
          scenario, recorder, on: lane, of: desktop, ear: ear, media: media, wrap: wrap)
        let run = LiveRun(scenario: scenario, world: phone, recorder: recorder)
        report(index, .success(try await run.run()))
      } catch {
        report(index, .failure(LiveScenarioError(error)))
      }
    }
    _ = try? await ear.stop()
  }
}

/// Hands out a list, one after the other, to whoever has time.
private final class WorkQueue: Sendable {
  private let left: Mutex<[Int]>

  init(_ indices: [Int]) { left = Mutex(indices.reversed()) }

  func next() -> Int? { left.withLock { $0.popLast() } }
}
