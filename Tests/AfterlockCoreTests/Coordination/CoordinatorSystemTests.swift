import AfterlockCore
import Foundation
import Synchronization
import Testing

/// What the platform and the desktop do to a player, seen from the engine.
@Suite struct CoordinatorSystemTests {
  @Test func `The sound server goes and returns`() async {
    let player = Player()
    await player.play(1)
    await player.coordinator.handle(.serverLost)
    var snapshot = await player.coordinator.snapshot
    #expect(snapshot.state == .paused && snapshot.intent.wantsToPlay)
    #expect(snapshot.suppression == .serverLost)
    #expect(await !player.coordinator.session.isActive)
    await player.coordinator.handle(.serverRestored)
    #expect(player.engine.commands == [.pause(reason: .serverLost), .start(reason: .serverRestored)])
    snapshot = await player.coordinator.snapshot
    #expect(snapshot.state == .playing && snapshot.suppression.isEmpty)
  }

  @Test func `The platform's session is activated right before the start that needs it, and not again (P3)`()
    async
  {
    let order = Mutex<[String]>([])
    let engine = RecordingEngine { command in
      if case .start = command { order.withLock { $0.append("start") } }
    }
    let coordinator = PlaybackCoordinator(
      on: CoordinatorExecutor(QueueExecutor()), queue: PlaybackQueue(generator: SeededGenerator(seed: 1)),
      activateSession: { order.withLock { $0.append("activate") } }, engine: engine)
    await coordinator.open(items(1))
    await coordinator.handle(.pause, origin: .viewer)
    await coordinator.handle(.play, origin: .viewer)
    #expect(order.withLock(\.self) == ["activate", "start", "start"])
    await coordinator.handle(.interruptionBegan)
    await coordinator.handle(.interruptionEnded(shouldResume: true))
    #expect(order.withLock { $0.suffix(2) } == ["activate", "start"])
  }

  @Test func `The sound server returns to a paused player`() async {
    let player = Player()
    await player.play(1)
    await player.coordinator.handle(.pause, origin: .viewer)
    await player.coordinator.handle(.serverLost)
    await player.coordinator.handle(.serverRestored)
    #expect(player.engine.commands == [.pause(reason: .setRateCalled)])
  }

  @Test func `No sink holds, a sink goes on, and the snapshot names it`() async {
    let player = Player()
    await player.coordinator.handle(.routeLost(sink: nil))
    await player.play(1)
    #expect(await player.coordinator.snapshot.suppression == .routeLost)
    await player.coordinator.handle(.routeRestored(sink: "test-sink"))
    #expect(player.engine.commands == [.start(reason: .routeRestored)])
    #expect(await player.coordinator.snapshot.sink == "test-sink")
  }

  @Test func `A headset that goes holds until the viewer says play, and is named (L5)`() async {
    let player = Player()
    await player.play(1)
    let headset = SinkDescription(name: "bluez_output.1", label: "WH-1", kind: .headset)
    await player.coordinator.handle(.sinkLost(headset))
    await player.coordinator.handle(.sinkChanged("speakers"))
    var snapshot = await player.coordinator.snapshot
    #expect(snapshot.state == .paused && snapshot.intent.wantsToPlay && snapshot.suppression == .sinkLost)
    #expect(snapshot.lostSink == headset && snapshot.sink == "speakers")
    #expect(player.lines.all.contains { $0.contains("\"message\":\"the headset 'WH-1' went away\"") })
    #expect(player.engine.commands == [.pause(reason: .routeLost)])
    await player.coordinator.handle(.play, origin: .viewer)
    #expect(player.engine.commands == [.pause(reason: .routeLost), .start(reason: .setRateCalled)])
    snapshot = await player.coordinator.snapshot
    #expect(snapshot.state == .playing && snapshot.suppression.isEmpty && snapshot.lostSink == nil)
  }

  @Test func `A headset that goes while paused is not what the session manager pauses for later`()
    async
  {
    let player = Player()
    await player.play(1)
    await player.coordinator.handle(.pause, origin: .viewer)
    await player.coordinator.handle(.sinkLost(SinkDescription(name: "a", kind: .headset)))
    await player.coordinator.handle(.play, origin: .viewer)
    await player.coordinator.handle(.pause, origin: PolicyWalk.sessionManager)
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.suppression == .sinkLost && snapshot.lostSink == nil)
  }

  @Test func `A cork is told and decides nothing; the server's loss ends it (L8)`() async {
    let player = Player()
    await player.play(1)
    await player.coordinator.handle(.linkLossChanged(.corked))
    var snapshot = await player.coordinator.snapshot
    #expect(snapshot.state == .playing && snapshot.intent.wantsToPlay && snapshot.suppression == .corked)
    await player.coordinator.handle(.togglePlayPause, origin: .viewer)
    await player.coordinator.handle(.play, origin: .viewer)
    #expect(player.engine.commands == [.pause(reason: .setRateCalled), .start(reason: .setRateCalled)])
    await player.coordinator.handle(.linkLossChanged(nil))
    #expect(await player.coordinator.snapshot.suppression.isEmpty)
    await player.coordinator.handle(.linkLossChanged(.corked))
    await player.coordinator.handle(.serverLost)
    snapshot = await player.coordinator.snapshot
    #expect(snapshot.suppression == .serverLost)
    let told = player.lines.all.filter { $0.contains("the session manager has") }
    #expect(told.count == 3 && told.allSatisfy { $0.contains("\"origin\":\"system\"") })
  }

  @Test func `The snapshot names the sink that is played to, and none without a server`() async {
    let player = Player()
    await player.coordinator.handle(.sinkChanged("first"))
    #expect(await player.coordinator.snapshot.sink == "first")
    await player.coordinator.handle(.sinkChanged("second"))
    #expect(await player.coordinator.snapshot.sink == "second")
    await player.coordinator.handle(.serverLost)
    #expect(await player.coordinator.snapshot.sink == nil)
    await player.coordinator.handle(.serverRestored)
    await player.coordinator.handle(.sinkChanged("third"))
    #expect(await player.coordinator.snapshot.sink == "third")
    #expect(player.engine.commands.isEmpty)
  }

  @Test func `A notification of a system pause, posted on another thread, ends in playing again`()
    async throws
  {
    let player = Player()
    await player.play(1)
    let bridge = NotificationBridge(center: NotificationCenter())
    let coordinator = player.coordinator
    let observation = bridge.observe { coordinator.report($0) }
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        bridge.post(rate: 0, reason: .appBackgrounded)
        done.resume()
      }
    }
    // A call on the coordinator catches up with what was reported before.
    let snapshot = await player.coordinator.snapshot
    #expect(player.engine.commands == [.start(reason: .setRateCalled)])
    #expect(snapshot.lastRateChange == RateChange(rate: 0, reason: .appBackgrounded))
    observation.cancel()
  }

  @Test func `Layers go and come as the app does, and new ones join in`() async {
    let player = Player()
    let layer = RecordingLayer()
    await player.coordinator.add(layer)
    await player.coordinator.add(layer)
    #expect(layer.calls == ["attach"])
    await player.coordinator.handle(.willResignActive)
    let late = RecordingLayer()
    await player.coordinator.add(late)
    #expect(layer.calls == ["attach", "detach"] && late.calls.isEmpty)
    await player.coordinator.handle(.didBecomeActive)
    #expect(layer.calls == ["attach", "detach", "attach"] && late.calls == ["attach"])
    await player.coordinator.remove(layer)
    #expect(layer.calls.last == "detach")
    await player.coordinator.handle(.willResignActive)
    #expect(layer.calls.count == 4 && late.calls.last == "detach")
  }

  @Test func `A lock that two sources tell of detaches once, and the log says who told first`() async {
    let player = Player()
    await player.play(1)
    let layer = RecordingLayer()
    await player.coordinator.add(layer)
    await player.coordinator.handle(.screenLocked, from: "org.gnome.ScreenSaver")
    player.coordinator.report(.screenLocked, from: "logind's LockedHint")
    await player.coordinator.handle(.screenUnlocked, from: "org.gnome.ScreenSaver")
    #expect(layer.calls == ["attach", "detach", "attach"])
    #expect(player.engine.commands.isEmpty, "a lock is no pause")
    let told = player.lines.all.filter { $0.contains("\"event\":\"lifecycle\"") }
    #expect(told.count == 3)
    #expect(told[0].contains("told by org.gnome.ScreenSaver") && told[1].contains("logind's LockedHint"))
  }

  @Test func `A lock that is to pause holds the engine until the unlock`() async {
    var configuration = PolicyConfiguration()
    configuration.onLock = .pauses
    let player = Player(configuration: configuration)
    await player.play(1)
    await player.coordinator.handle(.screenLocked)
    let snapshot = await player.coordinator.snapshot
    #expect(snapshot.state == .paused && snapshot.intent.wantsToPlay && snapshot.suppression == .screenLocked)
    await player.coordinator.handle(.screenUnlocked)
    #expect(player.engine.commands == [.pause(reason: .screenLocked), .start(reason: .screenUnlocked)])
  }

  @Test func `A layer that was never added is not told to let go, whatever became of others`() async {
    let player = Player()
    do { await player.coordinator.add(RecordingLayer()) }
    let stranger = RecordingLayer()
    await player.coordinator.remove(stranger)
    #expect(stranger.calls.isEmpty)
  }

  @Test func `A layer that went away is not kept alive and not brought back`() async {
    let player = Player()
    weak let gone: RecordingLayer?
    do {
      let layer = RecordingLayer()
      gone = layer
      await player.coordinator.add(layer)
    }
    #expect(gone == nil)
    await player.coordinator.handle(.willResignActive)
    await player.coordinator.handle(.didBecomeActive)
    let messages = player.lines.all.filter { $0.contains("\"event\":\"layer\"") }
    #expect(messages.count == 2 && messages.allSatisfy { $0.contains("(0)") })
  }

  @Test func `Policy parts can be switched off through the coordinator`() async {
    var configuration = PolicyConfiguration()
    configuration.undoesSystemPause = false
    let player = Player(configuration: configuration)
    await player.play(1)
    await player.coordinator.handle(RateChange(rate: 0, reason: .appBackgrounded))
    #expect(player.engine.commands.isEmpty)
    #expect(await player.coordinator.snapshot.suppression == .systemPaused)
  }
}

/// A layer that writes down what is done to it.
final class RecordingLayer: PlayerLayer {
  private let state = Mutex<[String]>([])
  func attachPlayer() { state.withLock { $0.append("attach") } }
  func detachPlayer() { state.withLock { $0.append("detach") } }
  var calls: [String] { state.withLock(\.self) }
}
