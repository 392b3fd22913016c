import AfterlockCore
import CForeignThreads
import Dispatch
import Foundation
import Testing

/// One callback in two twins that differ only in where their closure is formed (P9).
@Suite struct MainActorTwinTests {
  @Test func `A callback formed in main-actor code dies on a foreign pthread`() async {
    await #expect(processExitsWith: .signal(SIGILL)) { await MainActorTwin.callFormedInMainActorCode() }
  }

  @Test func `The same callback formed as Sendable lives`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      await MainActorTwin.callFormedAsSendable()
      exit(7)
    }
  }

  @Test func `A work item formed in main-actor code dies on a queue`() async {
    await #expect(processExitsWith: .signal(SIGILL)) { await MainActorTwin.dispatchFormedInMainActorCode() }
  }

  @Test func `The same work item formed as Sendable lives`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      await MainActorTwin.dispatchFormedAsSendable()
      exit(7)
    }
  }
}

/// What an app's main-actor code does when nobody warns it.
@MainActor private enum MainActorTwin {
  static let actor = MediaCallbackActor(commands: { _, _ in })

  static func callFormedInMainActorCode() {
    withContext { context in
      foreign_threads_call(
        1, 1,
        { context, _, _ in
          guard let context else { return }
          Unmanaged<ForeignContext>.fromOpaque(context).takeUnretainedValue().actor.receive(
            .pause, from: .viewer)
        }, context)
    }
  }

  static func callFormedAsSendable() {
    withContext { context in
      foreign_threads_call(
        1, 1,
        { @Sendable context, _, _ in
          guard let context else { return }
          Unmanaged<ForeignContext>.fromOpaque(context).takeUnretainedValue().actor.receive(
            .pause, from: .viewer)
        }, context)
    }
  }

  static func dispatchFormedInMainActorCode() {
    let actor = actor
    let item = DispatchWorkItem { actor.receive(.pause, from: .viewer) }
    DispatchQueue.global().async(execute: item)
    item.wait()
  }

  static func dispatchFormedAsSendable() {
    let actor = actor
    let item = DispatchWorkItem { @Sendable in actor.receive(.pause, from: .viewer) }
    DispatchQueue.global().async(execute: item)
    item.wait()
  }

  private static func withContext(_ body: (UnsafeMutableRawPointer) -> Void) {
    let context = ForeignContext(actor, callsEach: 1)
    body(Unmanaged.passUnretained(context).toOpaque())
    withExtendedLifetime(context) {}
  }
}
