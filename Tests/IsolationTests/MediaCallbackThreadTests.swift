import AfterlockCore
import CForeignThreads
import Dispatch
import Foundation
import Testing

/// Callbacks from threads that Swift has never seen. The tests run on the main actor, where a closure formed carelessly
/// would carry a check that kills the process; that the checks are on is shown by the twin that dies.
@MainActor @Suite struct MediaCallbackThreadTests {
  private nonisolated static let threads = 8
  private nonisolated static let callsEach = 400

  @Test func `Commands from foreign pthreads all arrive, each thread's in its order`() async {
    let callbacks = RecordingCallbacks()
    let actor = MediaCallbackActor(commands: { command, _ in callbacks.take(command) })
    let context = ForeignContext(actor, callsEach: Self.callsEach)
    await callFromForeignThreads(context)
    #expect(await callbacks.waits { $0.commands.count == Self.threads * Self.callsEach })
    expectOrder(callbacks.commands, context)
    #expect(!callbacks.wasOnMainThread, "they are handed on off the main thread")
  }

  @Test func `Commands from Dispatch queues all arrive, each queue's in its order`() async {
    let callbacks = RecordingCallbacks()
    let actor = MediaCallbackActor(commands: { command, _ in callbacks.take(command) })
    let context = ForeignContext(actor, callsEach: Self.callsEach)
    for thread in 0..<Self.threads {
      let queue = DispatchQueue(
        label: "afterlock.tests.callbacks.\(thread)", qos: thread % 2 == 0 ? .utility : .default)
      for number in 0..<Self.callsEach {
        queue.async { @Sendable in
          actor.receive(context.command(thread: thread, number: number), from: .viewer)
        }
      }
    }
    #expect(await callbacks.waits { $0.commands.count == Self.threads * Self.callsEach })
    expectOrder(callbacks.commands, context)
  }

  @Test func `From many threads at once the last of play and pause wins`() async {
    let callbacks = RecordingCallbacks()
    let actor = MediaCallbackActor(commands: { command, _ in callbacks.take(command) })
    await callFromForeignThreads(ForeignContext(actor, callsEach: Self.callsEach), playAndPause)
    actor.receive(.pause, from: .viewer)
    actor.receive(.next, from: .viewer)
    #expect(await callbacks.waits { $0.commands.last == .next })
    #expect(callbacks.commands.dropLast().last == .pause)
  }

  @Test func `Commands reach the coordinator's engine from a foreign thread`() async {
    let engine = CountingEngine()
    let coordinator = PlaybackCoordinator(
      on: .main, queue: PlaybackQueue(generator: SeededGenerator(seed: 1)), engine: engine)
    let actor = MediaCallbackActor(commands: { coordinator.send($0, origin: $1) })
    let context = ForeignContext(actor, callsEach: Self.callsEach)
    await callFromForeignThreads(context)
    #expect(await engine.waits(for: Self.threads * Self.callsEach))
  }

  @Test func `Artwork requests from foreign pthreads are answered off the main thread`() async {
    let callbacks = RecordingCallbacks()
    let actor = MediaCallbackActor(
      commands: { _, _ in },
      loadArtwork: { request in
        ArtworkImage(bytes: [Thread.isMainThread ? 1 : 0, UInt8(request.track.rawValue)], mimeType: nil)
      }, artwork: { callbacks.take($0, $1) })
    actor.trackChanged(to: TrackID(rawValue: 7))
    await callFromForeignThreads(ForeignContext(actor, callsEach: 1), requestArtwork)
    #expect(await callbacks.waits { !$0.artwork.isEmpty })
    #expect(callbacks.artwork.allSatisfy { $0.0.rawValue == 7 && $0.1?.bytes == [0, 7] })
    #expect(!callbacks.wasOnMainThread)
  }

  private func expectOrder(_ commands: [PlayerCommand], _ context: ForeignContext) {
    var next = Array(repeating: 0, count: Self.threads)
    for command in commands {
      guard let source = context.source(of: command) else { continue }
      #expect(source.number == next[source.thread])
      next[source.thread] += 1
    }
    #expect(next == Array(repeating: Self.callsEach, count: Self.threads))
  }

  private func callFromForeignThreads(
    _ context: ForeignContext,
    _ call: @escaping @convention(c) @Sendable (UnsafeMutableRawPointer?, Int, Int) -> Void = sendCommand
  ) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread { @Sendable in
        foreign_threads_call(
          Self.threads, context.callsEach, call, Unmanaged.passUnretained(context).toOpaque())
        done.resume()
      }
    }
  }
}

// What is handed to C: functions outside any isolated type, so that no check of an executor is compiled in.

private func context(_ pointer: UnsafeMutableRawPointer?) -> ForeignContext {
  guard let pointer else { fatalError("a callback without its context") }
  return Unmanaged<ForeignContext>.fromOpaque(pointer).takeUnretainedValue()
}

private func sendCommand(_ pointer: UnsafeMutableRawPointer?, _ thread: Int, _ number: Int) {
  let context = context(pointer)
  context.actor.receive(context.command(thread: thread, number: number), from: .viewer)
}

private func playAndPause(_ pointer: UnsafeMutableRawPointer?, _ thread: Int, _ number: Int) {
  context(pointer).actor.receive(number % 2 == 0 ? .play : .pause, from: .viewer)
}

private func requestArtwork(_ pointer: UnsafeMutableRawPointer?, _ thread: Int, _ number: Int) {
  let track = TrackID(rawValue: thread == 0 ? 7 : UInt64(100 + thread))
  context(pointer).actor.requestArtwork(ArtworkRequest(track: track, location: .url("about:blank")))
}
