import AfterlockCore
import Dispatch
import Synchronization
import Testing

/// What a `MediaCallbackActor` makes of commands that wait, and of pictures that come late.
@Suite struct MediaCallbackOrderTests {
  /// An actor whose first command waits until `release` is called, so that those after it pile up.
  private func piledUp(_ commands: [PlayerCommand]) async -> [PlayerCommand] {
    let callbacks = RecordingCallbacks()
    let gate = DispatchSemaphore(value: 0)
    let actor = MediaCallbackActor(commands: { command, _ in
      if command == .stop { gate.wait() }
      callbacks.take(command)
    })
    actor.receive(.stop, from: .viewer)
    for command in commands { actor.receive(command, from: .viewer) }
    actor.receive(.previous, from: .viewer)
    gate.signal()
    #expect(await callbacks.waits { $0.commands.last == .previous })
    return Array(callbacks.commands.dropFirst().dropLast())
  }

  @Test func `Of plays and pauses that wait next to each other the last wins`() async {
    let handedOn = await piledUp([.play, .pause, .play, .pause])
    #expect(handedOn.last == .pause && handedOn.count < 4)
  }

  @Test func `Nothing is folded across another command`() async {
    #expect(await piledUp([.play, .next, .pause, .next, .play]) == [.play, .next, .pause, .next, .play])
  }

  @Test func `Toggles are all handed on`() async {
    let toggles = Array(repeating: PlayerCommand.togglePlayPause, count: 3)
    #expect(await piledUp(toggles) == toggles)
  }

  @Test func `The origin of the last one is the one that counts`() async {
    let origins = Mutex<[CommandOrigin]>([])
    let callbacks = RecordingCallbacks()
    let gate = DispatchSemaphore(value: 0)
    let actor = MediaCallbackActor(commands: { command, origin in
      if command == .stop { gate.wait() }
      origins.withLock { $0.append(origin) }
      callbacks.take(command)
    })
    let remote = CommandOrigin.remote(busName: ":1.9", processID: 9, program: nil)
    actor.receive(.stop, from: .viewer)
    actor.receive(.play, from: .viewer)
    actor.receive(.pause, from: remote)
    gate.signal()
    #expect(await callbacks.waits { $0.commands.last == .pause })
    #expect(origins.withLock(\.last) == remote)
  }

  @Test func `A pause by the session manager takes no person's place, and none takes its (L4)`() async {
    let origins = Mutex<[CommandOrigin]>([])
    let callbacks = RecordingCallbacks()
    let gate = DispatchSemaphore(value: 0)
    let actor = MediaCallbackActor(commands: { command, origin in
      if command == .stop { gate.wait() }
      origins.withLock { $0.append(origin) }
      callbacks.take(command)
    })
    let person = CommandOrigin.remote(busName: ":1.9", processID: 9, program: "playerctl")
    let manager = CommandOrigin.remote(busName: ":1.3", processID: 3, program: "wireplumber")
    actor.receive(.stop, from: .viewer)
    for origin in [person, manager, person] { actor.receive(.pause, from: origin) }
    actor.receive(.next, from: .viewer)
    gate.signal()
    #expect(await callbacks.waits { $0.commands.last == .next })
    #expect(origins.withLock { $0.suffix(4).dropLast() } == [person, manager, person])
  }

  @Test func `A picture that comes late never lands on another track`() async {
    let callbacks = RecordingCallbacks()
    let gates = Gates()
    let actor = MediaCallbackActor(
      commands: { _, _ in }, loadArtwork: { await gates.load($0) }, artwork: { callbacks.take($0, $1) })
    actor.trackChanged(to: TrackID(rawValue: 1))
    actor.requestArtwork(request(1))
    await gates.waitForLoad(of: 1)
    actor.trackChanged(to: TrackID(rawValue: 2))
    actor.requestArtwork(request(2))
    await gates.waitForLoad(of: 2)
    // The late one is there first, and the actor takes it before the other.
    await gates.open(1)
    await gates.open(2)
    #expect(await callbacks.waits { !$0.artwork.isEmpty })
    actor.trackChanged(to: TrackID(rawValue: 1))
    actor.trackChanged(to: TrackID(rawValue: 3))
    actor.requestArtwork(request(3))
    await gates.waitForLoad(of: 3)
    await gates.open(3)
    #expect(await callbacks.waits { $0.artwork.count == 2 })
    #expect(callbacks.artwork.map(\.0.rawValue) == [2, 3])
    #expect(callbacks.artwork.allSatisfy { $0.1?.bytes == [UInt8($0.0.rawValue)] })
  }

  @Test func `A picture for a track that is not current is not even loaded`() async {
    let callbacks = RecordingCallbacks()
    let gates = Gates()
    let actor = MediaCallbackActor(
      commands: { command, _ in callbacks.take(command) }, loadArtwork: { await gates.load($0) })
    actor.requestArtwork(request(1))
    actor.trackChanged(to: TrackID(rawValue: 2))
    actor.requestArtwork(request(1))
    actor.receive(.next, from: .viewer)
    #expect(await callbacks.waits { $0.commands == [.next] })
    #expect(await gates.loads.isEmpty)
  }

  @Test func `A track that changes cancels the load for the one before`() async {
    let gates = Gates()
    let actor = MediaCallbackActor(commands: { _, _ in }, loadArtwork: { await gates.load($0) })
    actor.trackChanged(to: TrackID(rawValue: 1))
    actor.requestArtwork(request(1))
    await gates.waitForLoad(of: 1)
    actor.trackChanged(to: nil)
    await gates.waitForCancellation()
  }

  private func request(_ id: UInt64) -> ArtworkRequest {
    ArtworkRequest(track: TrackID(rawValue: id), location: .url("about:\(id)"))
  }
}

/// A loader whose pictures are let through one by one.
private actor Gates {
  private(set) var loads: [UInt64] = []
  private var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
  private var opened: Set<UInt64> = []
  private var loadWaiters: [(UInt64, CheckedContinuation<Void, Never>)] = []
  private var cancellationWaiter: CheckedContinuation<Void, Never>?
  private var wasCancelled = false

  func load(_ request: ArtworkRequest) async -> ArtworkImage? {
    let id = request.track.rawValue
    loads.append(id)
    for waiter in loadWaiters where waiter.0 == id { waiter.1.resume() }
    loadWaiters.removeAll { $0.0 == id }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if opened.contains(id) { continuation.resume() } else { waiting[id] = continuation }
      }
    } onCancel: {
      Task { await self.noteCancellation() }
    }
    return ArtworkImage(bytes: [UInt8(id)], mimeType: "image/png")
  }

  func open(_ id: UInt64) {
    opened.insert(id)
    waiting.removeValue(forKey: id)?.resume()
  }

  func waitForLoad(of id: UInt64) async {
    if loads.contains(id) { return }
    await withCheckedContinuation { loadWaiters.append((id, $0)) }
  }

  private func noteCancellation() {
    wasCancelled = true
    cancellationWaiter?.resume()
    cancellationWaiter = nil
  }

  /// Also lets everything through, so that nothing waits for ever.
  func waitForCancellation() async {
    if !wasCancelled { await withCheckedContinuation { cancellationWaiter = $0 } }
    for id in Array(waiting.keys) { open(id) }
  }
}
