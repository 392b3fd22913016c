import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCore

/// What a coordinator's log says of the sound: the lines are the coordinator's own.
@Suite("What a log says of the sound")
struct SoundAccountTests {
  private func account(_ player: Player) -> SoundAccount {
    SoundAccount(player.lines.all.compactMap { PlaybackLogLine(json: $0.utf8) })
  }

  /// The rate change that confirms a decision.
  private func confirm(_ player: Player, _ rate: Double, _ reason: RateChangeReason = .setRateCalled) async {
    await player.coordinator.handle(RateChange(rate: rate, reason: reason))
  }

  private func playing(_ configure: (inout PolicyConfiguration) -> Void = { _ in }) async -> Player {
    var configuration = PolicyConfiguration()
    configure(&configuration)
    let player = Player(configuration: configuration)
    await player.play(2)
    await confirm(player, 1)
    return player
  }

  @Test func `nothing said is nothing known`() {
    let account = SoundAccount()
    #expect(account.sound == .unknown && account.cause == nil && account.wantsToPlay == nil)
  }

  @Test func `it is heard once that has been reported, and not before`() async {
    let player = Player()
    await player.play(1)
    #expect(account(player).sound == .starting)
    await confirm(player, 1)
    let account = account(player)
    #expect(account.sound == .playing && account.cause?.entry.reason == "play")
    #expect(account.cause?.entry.origin == .viewer && account.wantsToPlay == true)
  }

  @Test func `a remote's pause is the cause, and not its confirmation`() async {
    let player = await playing()
    await player.coordinator.handle(.pause, origin: PolicyWalk.remote)
    await confirm(player, 0)
    let account = account(player)
    #expect(account.sound == .held && account.cause?.entry.event == .intentChange)
    #expect(account.cause?.entry.origin == PolicyWalk.remote && account.wantsToPlay == false)
    #expect(account.laterWish == nil)
  }

  @Test func `a lost sink is named, and a wish that changes later is told apart`() async {
    let player = await playing()
    await player.coordinator.handle(.routeLost(sink: "headset"))
    await confirm(player, 0, .routeLost)
    #expect(account(player).sinkMessage == "sink lost: headset")
    #expect(account(player).suppression == ["routeLost"] && account(player).wantsToPlay == true)
    await player.coordinator.handle(.serverLost)
    await player.coordinator.handle(.pause, origin: .viewer)
    let account = account(player)
    #expect(account.cause?.entry.reason == "routeLost" && account.sinkMessage == "sink lost: headset")
    #expect(account.laterWish?.entry.reason == "pause" && account.wantsToPlay == false)
    #expect(account.suppression == ["routeLost", "serverLost"])
  }

  @Test func `a late confirmation does not stop what has been started again`() async {
    let player = await playing()
    for command in [PlayerCommand.pause, .play] { await player.coordinator.handle(command, origin: .viewer) }
    await confirm(player, 0)
    #expect(account(player).sound == .starting)
    await confirm(player, 1)
    #expect(account(player).sound == .playing && account(player).cause?.entry.reason == "play")
  }

  @Test func `a start that is taken back is none`() async {
    let player = await playing()
    await player.coordinator.handle(.pause, origin: .viewer)
    await confirm(player, 0)
    await confirm(player, 1)
    #expect(account(player).sound == .held && account(player).cause?.entry.reason == "pause")
  }

  @Test func `a pause by the system that is undone at once is a start, and one that is not a stop`() async {
    let player = await playing()
    await confirm(player, 0, .appBackgrounded)
    #expect(account(player).cause?.entry.reason == "appBackgrounded" && account(player).sound == .starting)
    await confirm(player, 1)
    #expect(account(player).sound == .playing)
    await confirm(player, 0, .unheardOf)
    #expect(account(player).sound == .held && account(player).suppression == ["systemPaused"])
  }

  @Test func `what cannot be started is held by that`() async {
    let player = Player()
    await player.play(1)
    await confirm(player, 0, .setRateFailed)
    #expect(account(player).sound == .held && account(player).cause?.entry.reason == "setRateFailed")
    #expect(account(player).suppression == ["startFailed"])
  }

  @Test func `stop lets go of the track, the end says what failed last, and who left is told`() async throws {
    let player = await playing()
    await player.coordinator.handle(.stop, origin: .viewer)
    #expect(account(player).sound == .stopped)
    await player.coordinator.handle(.play, origin: .viewer)
    let run = try #require(player.engine.lastLoaded)
    await player.coordinator.start(run)
    await confirm(player, 1)
    await player.coordinator.handle(.next, origin: .viewer)
    let last = try #require(player.engine.lastLoaded)
    await player.coordinator.handle(.failed(last, .notThere, played: false))
    #expect(account(player).sound == .ended)
    #expect(account(player).failure == "notPlayed: There is no such file.")
    await player.coordinator.recordEnd("q was pressed", origin: .viewer)
    #expect(account(player).sound == .left && account(player).cause?.entry.message == "q was pressed")
    await confirm(player, 0)
    #expect(account(player).sound == .left)
  }

  @Test func `a list that goes on after its end has no decision of its own`() async throws {
    let player = await playing()
    await player.coordinator.handle(.next, origin: .viewer)
    await player.coordinator.handle(.next, origin: .viewer)
    await confirm(player, 0, .endOfQueue)
    #expect(account(player).sound == .ended)
    await player.coordinator.append(items(1))
    await confirm(player, 1)
    #expect(account(player).sound == .playing)
  }

  @Test func `a stream that the session manager takes away is held, whatever is decided, until it is back`() {
    func line(
      _ event: PlaybackLogEntry.Event, _ reason: String?, rate: Double = 1, decided: [String] = [],
      held: [String] = [], message: String? = nil
    ) -> PlaybackLogLine {
      let entry = PlaybackLogEntry(
        event: event, rate: rate, reason: reason, origin: .system, wantedToPlay: true, wantsToPlay: true,
        position: .zero, decided: decided, suppression: held, message: message)
      return PlaybackLogLine(time: .zero, date: nil, entry: entry)
    }
    let start = [line(.intentChange, "play", decided: ["start(x)"]), line(.rateChange, "setRateCalled")]
    let taken = line(.route, nil, held: ["corked"], message: "taken")
    let held = SoundAccount(start + [taken])
    #expect(held.sound == .held && held.cause == taken)
    let paused = line(.intentChange, "pause", rate: 0, decided: ["pause(x)"], held: ["corked"])
    let wanted = line(.intentChange, "play", decided: ["start(x)"], held: ["corked"])
    #expect(SoundAccount(start + [taken, paused, wanted]).sound == .held)
    let back = line(.route, nil, message: "back")
    #expect(SoundAccount(start + [taken, back]).sound == .playing)
    #expect(SoundAccount(start + [taken, paused, line(.route, nil, rate: 0)]).cause == paused)
  }

  @Test func `where the first cause is over and it is silent still, what came since is named`() async {
    let player = await playing { $0.onLock = .pauses }
    func tell(_ fact: EngineFact) async { await player.coordinator.handle(fact) }
    await player.coordinator.handle(.screenLocked, from: nil)
    await confirm(player, 0, .screenLocked)
    await tell(.sinkLost(SinkDescription(name: "h", label: "H", kind: .headset)))
    #expect(account(player).cause?.entry.reason == "screenLocked")
    await player.coordinator.handle(.screenUnlocked, from: nil)
    #expect(account(player).cause?.entry.reason == "sinkLost")
    #expect(account(player).sinkMessage == "the headset 'H' went away")
  }

  @Test func `whoever has paused during a lock is who pauses after it`() async {
    let player = await playing { $0.onLock = .pauses }
    await player.coordinator.handle(.screenLocked, from: nil)
    await confirm(player, 0, .screenLocked)
    await player.coordinator.handle(.pause, origin: .viewer)
    #expect(account(player).cause?.entry.reason == "screenLocked")
    await player.coordinator.handle(.screenUnlocked, from: nil)
    #expect(account(player).cause?.entry.reason == "pause" && account(player).laterWish == nil)
  }

  @Test func `lines whose beginning is not known tell what they can`() async {
    let player = await playing()
    await player.coordinator.handle(.pause, origin: .viewer)
    await confirm(player, 0)
    let last = player.lines.all.compactMap { PlaybackLogLine(json: $0.utf8) }.suffix(1)
    let account = SoundAccount(last)
    #expect(account.sound == .held && account.cause?.entry.origin == .viewer)
  }
}

@Suite("The last lines of a log that are kept")
struct PlaybackPastTests {
  private func entry(
    _ event: PlaybackLogEntry.Event, _ reason: String? = nil, decided: [String] = [], wants: Bool = true,
    message: String? = nil
  ) -> PlaybackLogEntry {
    PlaybackLogEntry(
      event: event, rate: 0, reason: reason, origin: .viewer, wantedToPlay: true, wantsToPlay: wants,
      position: .zero, decided: decided, message: message)
  }

  @Test func `are none unless they are asked for`() {
    let log = PlaybackLog { _ in }
    log.record(entry(.intentChange, "pause", decided: ["pause(setRateCalled)"], wants: false))
    #expect(log.past().isEmpty)
  }

  @Test func `are bounded, and no flood of others pushes out what stopped the sound`() {
    let log = PlaybackLog(keepsPast: true, write: nil)
    log.record(entry(.intentChange, "play", decided: ["start(setRateCalled)"]))
    log.record(entry(.intentChange, "pause", decided: ["pause(setRateCalled)"], wants: false))
    let before = SoundAccount(log.past())
    for number in 0..<1_000 {
      var other = entry([.route, .error, .track, .layer][number % 4], message: "\(number)")
      (other.wantedToPlay, other.wantsToPlay) = (false, false)
      log.record(other)
    }
    #expect(log.past().count <= PlaybackPast.mostTurns + PlaybackPast.mostOthers + 1)
    #expect(SoundAccount(log.past()).cause == before.cause && before.cause?.entry.reason == "pause")
    #expect(log.past().map(\.time) == log.past().map(\.time).sorted())
  }

  @Test func `know the lost sink, however long others have moved its slider and the position since`() {
    let log = PlaybackLog(keepsPast: true, write: nil)
    log.record(entry(.intentChange, "play", decided: ["start(setRateCalled)"]))
    log.record(entry(.route, message: "the headset 'X' went away"))
    log.record(entry(.route, "sinkLost", decided: ["pause(routeLost)"]))
    for number in 0..<1_000 {
      log.record(entry(.volume, "volume", message: "to \(number % 100) %"))
      log.record(entry(.seek, "seek", message: "to \(number) s"))
    }
    let account = SoundAccount(log.past())
    #expect(account.sinkMessage == "the headset 'X' went away" && account.cause?.entry.reason == "sinkLost")
    let last = log.past().suffix(2)
    #expect(last.map(\.entry.message) == ["to 99 %", "to 999 s"] && log.past().count == 5)
  }

  @Test(.computesForLong) func `say the same as the whole log, whatever happens`() throws {
    var random = SeededGenerator(seed: 5)
    let lines = RecordingLines()
    let log = PlaybackLog(keepsPast: true, write: lines.append)
    var policy = PlaybackPolicy()
    var all = SoundAccount()
    for _ in 0..<3_000 {
      guard let event = PolicyWalk.everything.randomElement(using: &random) else { return }
      let before = policy
      let effects = policy.handle(event)
      var entry = entry(.lifecycle, "x", decided: effects.map(\.name))
      if case .rateChanged(let change) = event {
        (entry.event, entry.rate, entry.reason) = (.rateChange, change.rate, change.reason.rawValue)
      }
      if case .queueEnded = event { (entry.event, entry.reason) = (.track, "queueEnded") }
      (entry.wantedToPlay, entry.wantsToPlay) = (before.intent.wantsToPlay, policy.intent.wantsToPlay)
      entry.suppression = policy.suppression.causes
      log.record(entry)
      if let line = lines.all.last.flatMap({ PlaybackLogLine(json: $0.utf8) }) { all.take(line) }
      let kept = SoundAccount(log.past())
      try #require(kept.wantsToPlay == all.wantsToPlay && kept.suppression == all.suppression)
      try #require(kept.cause?.entry == all.cause?.entry && kept.sound == all.sound, "\(event)")
    }
  }
}
