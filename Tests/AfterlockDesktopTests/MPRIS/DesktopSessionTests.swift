import AfterlockCore
import AfterlockTestSupport
import Foundation
import Synchronization
import Testing

@testable import AfterlockDesktop

/// The session on a real bus, with a player that does what the test says.
@Suite("A place on the session bus")
struct DesktopSessionTests {
  /// A player that carries out a command when it is let.
  private final class HeldPlayer: Sendable {
    private struct State {
      var snapshot = PlayerSnapshot()
      var commands: [PlayerCommand] = []
      var waiting: [CheckedContinuation<Void, Never>] = []
      var isHeld = true
      var listing = QueueListing()
      var additions: [TrackAddition] = []
    }
    private let state = Mutex(State())
    private let stream = AsyncStream.makeStream(of: PlayerSnapshot.self, bufferingPolicy: .bufferingNewest(1))

    init() {
      var snapshot = PlayerSnapshot()
      snapshot.entry = QueueEntry(id: TrackID(rawValue: 1), location: .file(MediaPath("/a")))
      snapshot.run = snapshot.entry.map { PlaybackRun(id: 1, entry: $0) }
      (snapshot.state, snapshot.count) = (.playing, 1)
      snapshot.intent = PlaybackIntent(wantsToPlay: true, origin: .viewer)
      change { $0 = snapshot }
    }

    var commands: [PlayerCommand] { state.withLock(\.commands) }
    var additions: [TrackAddition] { state.withLock(\.additions) }

    /// Has a list of so many tracks.
    func list(_ count: UInt64) {
      let entries = (1...count).map {
        QueueEntry(id: TrackID(rawValue: $0), location: .file(MediaPath("/\($0)")))
      }
      let version = state.withLock { state in
        state.listing = QueueListing(version: state.listing.version + 1, entries: entries)
        return state.listing.version
      }
      change { $0.listVersion = version }
    }

    func change(_ body: (inout PlayerSnapshot) -> Void) {
      let snapshot = state.withLock { state in
        body(&state.snapshot)
        return state.snapshot
      }
      stream.continuation.yield(snapshot)
    }

    func letGo() {
      let waiting = state.withLock { state in
        state.isHeld = false
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    private func carriedOut() async -> PlayerSnapshot {
      await withCheckedContinuation { continuation in
        let isHeld = state.withLock { state in
          if state.isHeld { state.waiting.append(continuation) }
          return state.isHeld
        }
        if !isHeld { continuation.resume() }
      }
      return state.withLock(\.snapshot)
    }

    var entrances: PlayerEntrances {
      PlayerEntrances(
        receive: { command, _ in self.state.withLock { $0.commands.append(command) } },
        position: { PlaybackPosition(run: self.state.withLock(\.snapshot.run), time: .seconds(3)) },
        carriedOut: { _ in await self.carriedOut() }, snapshots: { self.stream.stream },
        now: { self.state.withLock(\.snapshot) }, listing: { self.state.withLock(\.listing) },
        add: { addition, _ in
          self.state.withLock { $0.additions.append(addition) }
          _ = await self.carriedOut()
          return addition.address.hasSuffix("bad") ? "it is bad" : nil
        }, quit: { _ in })
    }
  }

  private func withSession(_ body: (LiveDesktop, HeldPlayer) async throws -> Void) async throws {
    try await withLiveDesktop { live in
      let player = HeldPlayer()
      let session = try #require(DesktopSession(player.entrances, address: live.desktop.busAddress))
      await session.start()
      try await waitUntil("the name") { await session.name != nil }
      let result = await Result { try await body(live, player) }
      await session.close()
      await session.close()
      #expect(await session.name == nil)
      try result.get()
    }
  }

  private func start(_ live: LiveDesktop, _ words: String...) throws -> RunningCommand {
    try RunningCommand(
      "busctl", ["--address=\(live.desktop.busAddress)"] + words, limit: .seconds(60))
  }

  private static let object = ["org.mpris.MediaPlayer2.afterlock", "/org/mpris/MediaPlayer2"]
  private static let player = "org.mpris.MediaPlayer2.Player"

  @Test func `a call is answered when its command has been carried out, and not before`() async throws {
    try await withSession { live, player in
      let call = try start(live, "call", Self.object[0], Self.object[1], Self.player, "Pause")
      try await waitUntil("the command") { player.commands == [.pause] }
      // Others are served meanwhile.
      let other = try start(live, "get-property", Self.object[0], Self.object[1], Self.player, "Volume")
      #expect(await other.end().status == .code(0))
      #expect(call.isRunning)
      player.letGo()
      #expect(await call.end().status == .code(0))
    }
  }

  @Test func `what a client has set stands against a snapshot that was on its way`() async throws {
    try await withSession { live, player in
      let set = try start(
        live, "set-property", Self.object[0], Self.object[1], Self.player, "Volume", "d", "0.5")
      #expect(await set.end().status == .code(0))
      player.change { $0.isShuffled = true }
      func get(_ name: String) async throws -> String {
        let command = try start(live, "get-property", Self.object[0], Self.object[1], Self.player, name)
        return await command.end().text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      try await waitUntil("the snapshot") { try await get("Shuffle") == "b true" }
      #expect(try await get("Volume") == "d 0.5")
      // The player has set another one after all.
      player.change { $0.volume = Volume(percent: 70) }
      player.letGo()
      try await waitUntil("the player's own") { try await get("Volume") == "d 0.7" }
    }
  }

  @Test func `a snapshot that was overtaken on its way is no news`() async throws {
    try await withLiveDesktop { live in
      let player = HeldPlayer()
      let session = try #require(DesktopSession(player.entrances, address: live.desktop.busAddress))
      await session.start()
      try await waitUntil("the name") { await session.name != nil }
      func volume() async throws -> String {
        let command = try start(live, "get-property", Self.object[0], Self.object[1], Self.player, "Volume")
        return await command.end().text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      for (serial, percent, expected) in [(5, 50.0, "d 0.5"), (4, 20, "d 0.5"), (6, 70, "d 0.7")] {
        var snapshot = await player.entrances.now()
        (snapshot.serial, snapshot.volume) = (UInt64(serial), Volume(percent: percent))
        await session.update(snapshot)
        #expect(try await volume() == expected)
      }
      await session.close()
    }
  }

  private static let trackList = "org.mpris.MediaPlayer2.TrackList"

  @Test func `an addition is answered when it is known what came of it, and others are served meanwhile`()
    async throws
  {
    try await withSession { live, player in
      func add(_ address: String, _ after: String) throws -> RunningCommand {
        try start(
          live, "call", Self.object[0], Self.object[1], Self.trackList, "AddTrack", "sob", address, after,
          "false")
      }
      let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
      let good = try add("file:///good", none)
      let bad = try add("file:///bad", "/org/afterlock/track/1")
      try await waitUntil("both") { player.additions.count == 2 }
      let other = try start(live, "get-property", Self.object[0], Self.object[1], Self.player, "Volume")
      #expect(await other.end().status == .code(0))
      #expect(good.isRunning && bad.isRunning)
      player.letGo()
      #expect(await good.end().status == .code(0))
      let refused = await bad.end()
      #expect(refused.status != .code(0) && refused.errorText.contains("it is bad"))
      let expected: Set = [
        TrackAddition("file:///good", at: .start, .wait),
        TrackAddition("file:///bad", at: .after(TrackID(rawValue: 1)), .wait),
      ]
      #expect(Set(player.additions) == expected)
    }
  }

  @Test func `another list is there once a snapshot says so, and all of it can be asked for`() async throws {
    try await withSession { live, player in
      player.list(1_500)
      func ask(_ words: String...) async throws -> String {
        let command = try RunningCommand(
          "busctl", ["--address=\(live.desktop.busAddress)", "--json=short"] + words, limit: .seconds(60))
        return await command.end().text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      try await waitUntil("the list") {
        try await ask("get-property", Self.object[0], Self.object[1], Self.trackList, "Tracks")
          .contains("/track/1000\"]")
      }
      let metadata = try await ask(
        "call", Self.object[0], Self.object[1], Self.trackList, "GetTracksMetadata", "ao", "3",
        "/org/afterlock/track/1500", "/org/afterlock/track/1501", "/org/afterlock/track/1")
      #expect(metadata.contains("file:///1500") && metadata.contains("\"aa{sv}\""))
      #expect(metadata.components(separatedBy: "mpris:trackid").count == 3, "\(metadata)")
    }
  }

  @Test func `a bus that goes while an answer is due takes nothing along`() async throws {
    try await withSession { live, player in
      let call = try start(live, "call", Self.object[0], Self.object[1], Self.player, "Pause")
      try await waitUntil("the command") { player.commands == [.pause] }
      let bus = try #require(await live.desktop.processIDs["dbus-daemon"])
      kill(bus, SIGKILL)
      #expect(await call.end().status != .code(0))
      player.letGo()
    }
  }

  @Test func `jobs run in order on one thread, which ends with its executor`() async throws {
    actor Counter {
      let thread: BusThread
      nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
      private(set) var seen: [Int] = []
      init(_ thread: BusThread) { self.thread = thread }
      func add(_ number: Int) { seen.append(number) }
      func isOnThread() -> Bool { thread.isCurrent }
    }
    weak let gone: BusThread?
    do {
      let thread = try #require(BusThread(name: "test"))
      gone = thread
      let counter = Counter(thread)
      for number in 0..<1_000 { await counter.add(number) }
      #expect(await counter.seen == Array(0..<1_000))
      #expect(await counter.isOnThread() && !thread.isCurrent)
    }
    try await waitUntil("the executor to go") { gone == nil }
  }
}
