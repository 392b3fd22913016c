import AfterlockCore
import AfterlockTestSupport
import Foundation

@testable import AfterlockDesktop

/// A private desktop with a login, screen savers and two sinks on which lives are played, one after the other; each finds it as
/// the first did.
///
/// Limit: where a sink has come back nobody listens until its capture runs, some tenths of a second later. What plays on is
/// heard all the same.
///
/// What an event does has been done when it returns, and the player has been told of it: so its log says, or its answer
/// on the bus that told it.
actor LifeWorld {
  let desktop: PrivateDesktop
  private let login: MockedLogin
  private let logind: RunningCommand
  private var savers: [ScreenLock.Source: RunningCommand] = [:]
  private let tracks: [String]
  /// Captures of the sinks there are.
  private(set) var ears: [LifeSink: Ear] = [:]
  private var program: RunningProgram?

  private static let name = "org.mpris.MediaPlayer2.afterlock"
  private static let quantum = 2_048
  static let configuration = PrivateDesktop.Configuration(
    sinks: LifeSink.allCases.map(\.sink), quantum: quantum)

  /// A list that is a ring of numbered frames.
  static func writeTracks(to folder: ByteNamedFolder) throws -> [String] {
    try (0..<LifePlace.tracks).map { index in
      let samples = Signals.ramp16(frames: LifePlace.track, from: index * LifePlace.track)
      try folder.file(folder.bytes("\(index).wav"), Array(MediaFiles.wav16(samples)))
      return "\(folder.path)/\(index).wav"
    }
  }

  init(on desktop: PrivateDesktop, playing tracks: [String]) async throws {
    self.desktop = desktop
    self.tracks = tracks
    login = try MockedLogin(on: desktop)
    logind = try await login.start()
    try await startSavers()
    try await waitForDefault(.head)
    try await captureSinks()
  }

  func close() async {
    program?.kill()
    await login.close()
  }

  private func startSavers() async throws {
    for source in [ScreenLock.Source.gnome, .freedesktop] {
      savers[source]?.send(signal: SIGKILL)
      savers[source] = try await login.startSaver(source)
    }
  }

  // MARK: The player

  /// Starts the player, and returns when it is on the bus and listens to all that tells of locks and sleeps.
  func startPlayer(_ words: [String]) async throws {
    let asked = savers.mapValues { calls(of: "GetActive", $0) }
    let before = calls(of: "GetSession", logind)
    let program = try RunningProgram(
      playing: ["--log", "-", "--fade", "0", "--loop", "playlist"] + words + tracks, on: desktop,
      session: "c1")
    self.program = program
    try await program.wait("the player to ask for locks") {
      asked.allSatisfy { calls(of: "GetActive", savers[$0.key]) > $0.value }
        && calls(of: "GetSession", logind) > before
    }
    try await waitForPlayer()
    try await program.waitForOutput("\"message\":\"sink: ")
  }

  /// Ends the player, which nothing may hold.
  func endPlayer() async throws {
    guard let program else { return }
    program.signal(SIGTERM)
    let status = try await program.exitStatus(within: .seconds(20))
    self.program = nil
    guard status == 143 else { throw TestFailure("the player has ended with \(status)\n\(log)") }
  }

  func killPlayer() async throws {
    guard let program else { return }
    self.program = nil
    program.kill()
    _ = try await program.exitStatus(within: .seconds(20))
  }

  /// The last lines of its log.
  var log: String {
    guard let program else { return "" }
    let lines = program.standardOutput.split(separator: "\n").suffix(30).map(String.init)
    return (lines + program.errorLines.suffix(5)).joined(separator: "\n")
  }

  private func calls(of method: String, _ mock: RunningCommand?) -> Int {
    (mock?.textSoFar.components(separatedBy: " \(method)").count ?? 1) - 1
  }

  private func waitForPlayer() async throws {
    guard program != nil else { return }
    try await waitUntil("the player on the bus\n\(log)") {
      let answer = try? await login.sessionBus.call(
        "Ping", of: "org.freedesktop.DBus.Peer", at: "/", on: Self.name)
      return answer != nil
    }
  }

  // MARK: What happens

  /// Lets it happen.
  /// - Parameters:
  ///   - before: how things are.
  ///   - after: how they will be.
  func happen(_ event: LifeEvent, _ before: LifeModel, _ after: LifeModel) async throws {
    switch event {
    case .command(let member): try await command(member.rawValue)
    case .seek(let seconds):
      try await command("Seek", [.int64(Int64(seconds) * 1_000_000)])
    case .lock(let source):
      try await tell(source, before, after) { try await $0.tell(source, isLocked: true) }
    case .requestLock(let source):
      try await tell(source, before, after) { login in
        try await login.request("Lock")
        try await login.tell(source, isLocked: true)
      }
    case .unlock(let source):
      try await tell(source, before, after) { try await $0.tell(source, isLocked: false) }
    case .sleep:
      try await expectLine(Self.lifecycle("systemWillSleep")) { try await login.prepareForSleep(true) }
    case .wake:
      try await expectLine(Self.lifecycle("systemDidWake")) { try await login.prepareForSleep(false) }
    case .unplug(let sink):
      try await expectLine(before.played == sink ? ["went away"] : []) {
        try await desktop.removeSink(named: sink.rawValue)
      }
      try await dropEars([sink])
      try await waitForDefault(after.defaultSink)
    case .plug(let sink):
      try await desktop.addSink(sink.sink)
      try await waitForDefault(after.defaultSink)
      try await captureSinks()
    case .choose(let sink): try await choose(sink)
    case .killServer:
      try await waitUntilChoiceIsKept(before)
      try await expectLine(["\"serverLost\",\"origin\""]) { try await desktop.killServer() }
      try await dropEars(LifeSink.allCases)
    case .restartServer(let lost):
      let isAwaited = lost.map { after.asks(onLossOf: $0) } ?? false
      try await expectLine(isAwaited ? ["went away"] : []) {
        try await desktop.restartServer(without: lost?.rawValue)
        try await waitForDefault(after.defaultSink)
        try await captureSinks()
      }
    case .killManager:
      try await waitUntilChoiceIsKept(before)
      let isTold = before.played.map(before.plugged.contains) ?? false
      try await expectLine(isTold ? ["went away"] : []) { try await desktop.killSessionManager() }
      try await dropEars(LifeSink.allCases)
    case .restartManager:
      try await desktop.restartSessionManager()
      try await waitForDefault(after.defaultSink)
      try await captureSinks()
    case .killBus:
      let isTold = before.isLocked && !after.isLocked
      try await expectLine(isTold ? Self.lifecycle("screenUnlocked") : []) { try await desktop.killBus() }
      await login.sessionBus.close()
    case .restartBus:
      try await desktop.restartBus()
      await login.sessionBus.close()
      try await startSavers()
      try await waitForPlayer()
      guard program != nil else { break }
      try await waitUntil("the screen savers to be asked") {
        savers.values.allSatisfy { calls(of: "GetActive", $0) > 1 }
      }
    }
  }

  /// Asks something of the player over the session bus, as another program does.
  func command(_ member: String, _ arguments: [BusValue] = []) async throws {
    try await login.sessionBus.call(
      member, of: "org.mpris.MediaPlayer2.Player", at: "/org/mpris/MediaPlayer2", on: Self.name, arguments)
  }

  /// Does something, and waits until the log has one more line with all these parts.
  private func expectLine(_ parts: [String], after body: () async throws -> Void) async throws {
    let start = program?.outputCount ?? 0
    try await body()
    guard let program, !parts.isEmpty else { return }
    try await program.wait("\(parts) to be told", .seconds(20)) {
      program.standardOutput(after: start).split(separator: "\n").contains { line in
        parts.allSatisfy { line.contains($0) }
      }
    }
  }

  /// The reason of a line that tells of an event of the desktop.
  private static func lifecycle(_ reason: String) -> [String] {
    ["\"event\":\"lifecycle\"", "\"reason\":\"\(reason)\""]
  }

  private func tell(
    _ source: ScreenLock.Source, _ before: LifeModel, _ after: LifeModel,
    _ body: (MockedLogin) async throws -> Void
  ) async throws {
    let isNews = before.isLocked != after.isLocked
    try await expectLine(isNews ? Self.lifecycle(after.isLocked ? "screenLocked" : "screenUnlocked") : []) {
      try await body(login)
    }
    if !isNews { try await letPlayerHear(on: source == .lockedHint ? login.system : login.sessionBus) }
  }

  /// Waits until the player has heard all that was said on the bus: it answers in order.
  private func letPlayerHear(on bus: BusCaller) async throws {
    let daemon = "org.freedesktop.DBus"
    let answer = try await bus.call("ListNames", of: daemon, at: "/org/freedesktop/DBus", on: daemon)
    guard case .array(_, let names)? = answer.first else { return }
    for case .string(let name) in names where name.hasPrefix(":") {
      let owner = try? await bus.call(
        "GetConnectionUnixProcessID", of: daemon, at: "/org/freedesktop/DBus", on: daemon, [.string(name)])
      guard case .uint32(let process)? = owner?.first, process == UInt32(program?.processID ?? 0) else {
        continue
      }
      try await bus.call("Ping", of: "org.freedesktop.DBus.Peer", at: "/", on: name)
    }
  }

  // MARK: Sinks

  /// Waits until the session manager prefers the sink and has linked the player to it.
  private func waitForDefault(_ sink: LifeSink?) async throws {
    let hasPlayer = program != nil
    do throws(DesktopError) {
      try await waitForLinks(to: sink, ofPlayer: hasPlayer)
    } catch {
      // Which sink is the default one is the session manager's alone to say.
      guard let graph = try? await desktop.graph(), graph.defaultSink != sink?.rawValue else { throw error }
      throw WorldFault(description: "the session manager has passed over a sink: \(error)")
    }
  }

  private func waitForLinks(to sink: LifeSink?, ofPlayer hasPlayer: Bool) async throws(DesktopError) {
    try await desktop.waitForGraph("\(sink?.rawValue ?? "no sink") to be the default, and played to") {
      graph in
      guard graph.defaultSink == sink?.rawValue else { return false }
      guard let sink, hasPlayer else { return true }
      guard let stream = graph.node(named: "Afterlock"), let node = graph.node(named: sink.rawValue) else {
        return false
      }
      let links = graph.links.filter { $0.outputNode == stream.id }
      return !links.isEmpty && links.allSatisfy { $0.inputNode == node.id }
    }
  }

  /// WirePlumber may pass over a choice, and over the same choice once more.
  func choose(_ sink: LifeSink) async throws {
    for _ in 0..<20 {
      let graph = try await desktop.graph()
      for name in [graph.defaultSink, sink.rawValue].compactMap(\.self) {
        guard let node = graph.node(named: name) else { throw TestFailure("there is no \(name)") }
        _ = try await Command.run("wpctl", ["set-default", "\(node.id)"], environment: desktop.environment)
      }
      let chosen = try? await desktop.waitForGraph("the choice", limit: .seconds(2)) {
        $0.defaultSink == sink.rawValue
      }
      if chosen != nil { return try await waitForDefault(sink) }
    }
    throw TestFailure("nobody takes the choice of \(sink.rawValue)")
  }

  /// What WirePlumber has not written yet the next one does not know.
  private func waitUntilChoiceIsKept(_ model: LifeModel) async throws {
    // Without a choice the headset is preferred anyway.
    let file = "\(desktop.runtimeDirectory)/state/wireplumber/default-nodes"
    let words = "default.configured.audio.sink=\(model.chosen.rawValue)"
    try await waitUntil("the choice of \(model.chosen.rawValue) to be kept") {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        return model.chosen == .head
      }
      return text.split(separator: "\n").contains { $0 == words }
    }
  }

  /// Begins to listen to the sinks that nobody listens to.
  private func captureSinks() async throws {
    for sink in await desktop.sinks {
      guard let key = LifeSink(rawValue: sink.name), ears[key] == nil else { continue }
      ears[key] = Ear(try await SinkCapture.start(of: sink, on: desktop))
    }
  }

  /// Pieces of captures that have ended, for who judges.
  private var last: [News] = []

  private func dropEars(_ sinks: [LifeSink]) async throws {
    for sink in sinks {
      guard var ear = ears.removeValue(forKey: sink) else { continue }
      await desktop.endRecorder(ear.capture.processID)
      try ear.listen()
      last.append(News(sink: sink, pieces: ear.pieces, end: ear.heard, isOver: true))
    }
  }

  // MARK: Listening

  /// Hears what is new at each sink.
  func listen() throws {
    for sink in ears.keys { try ears[sink]?.listen() }
  }

  /// What a sink has had since this was asked last.
  struct News: Sendable {
    let sink: LifeSink
    let pieces: [HeardPiece]
    /// How far its capture has been listened to.
    let end: Int
    /// The sink is there no more; the next of its name begins anew.
    let isOver: Bool
  }

  func takeHeard() -> [News] {
    defer { last = [] }
    return last
      + LifeSink.allCases.compactMap { sink in
        guard let pieces = ears[sink]?.takePieces(), let end = ears[sink]?.heard else { return nil }
        return News(sink: sink, pieces: pieces, end: end, isOver: false)
      }
  }

  /// Lets a little time go by where a sink is listened to; its clock tells it.
  /// - Returns: whether one is.
  func letTimePass(cycles: Int) async -> Bool {
    guard let capture = ears.values.first?.capture else { return false }
    return await capture.wait(frames: cycles * Self.quantum)
  }
}

/// The desktop itself has not done what it has to do, and the life cannot go on in it.
struct WorldFault: Error, CustomStringConvertible {
  var description: String
}
