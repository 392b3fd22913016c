internal import AfterlockDesktop
internal import Foundation
internal import Glibc

/// How soon a player does what the desktop asks of it over MPRIS.
extension Bench {
  /// Pause to the last sample at the sink and Play to the first, with the time that `playerctl` itself takes; and how long
  /// after the call the change is told of.
  ///
  /// What a cycle has taken is heard, so most of it is the quantum. Each player is asked with the one that it wants, and
  /// once more with mpv's, which shows what the players themselves take.
  func remoteControl() async throws -> [Row] {
    let source = try Source.noise(seconds: 90, seed: 0xB05, name: "remote", in: folder)
    let own = try await commandTimes(source.path, quantum: nil)
    let equal = try await commandTimes(source.path, quantum: Self.quantumOfMPV)
    var rows = own.rows(commands: options.commands)
    rows.insert(equal.rowOfPauses(commands: options.commands, quantum: Self.quantumOfMPV), at: 1)
    return rows
  }

  /// In frames at 48 kHz.
  private static let quantumOfMPV = 512

  /// - Parameter quantum: what all players ask for, in frames at 48 kHz; `nil` for each its own.
  private func commandTimes(_ file: String, quantum: Int?) async throws -> CommandTimes {
    var times = CommandTimes()
    for peer in peers {
      guard let name = peer.busName else { continue }
      say("commands over MPRIS\(quantum.map { ", \($0) frames a cycle" } ?? ""): \(peer.name)")
      try await withDesktop(seconds: 120) { desktop, monitor in
        let signals = try RunningCommand(
          "dbus-monitor",
          ["--address", desktop.busAddress, "--profile", "path='\(BusProfile.path)'"], limit: .seconds(150))
        defer { signals.send(signal: SIGKILL) }
        var environment = desktop.environment
        if let quantum { environment["PIPEWIRE_LATENCY"] = "\(quantum)/\(SinkMonitor.rate)" }
        let run = try Run(peer.underRemoteControl, file: file, environment: environment)
        defer {
          kill(run.pid, SIGKILL)
          _ = run.wait(seconds: 1)
        }
        try await wait("\(peer.name) to sound") { monitor.firstSound(from: 0) != nil }
        try await wait("\(peer.name) on the bus") { (try? ask("status", of: name, desktop)) != nil }
        for _ in 0..<options.commands {
          try await pauseAndPlay(peer.name, as: name, desktop, monitor, &times)
        }
        let profile = BusProfile(signals.textSoFar)
        times.tellings[peer.name] = profile.tellings(after: "Pause") + profile.tellings(after: "Play")
      }
    }
    return times
  }

  /// One round: silence, and sound again.
  private func pauseAndPlay(
    _ peer: String, as name: String, _ desktop: PrivateDesktop, _ monitor: SinkMonitor,
    _ times: inout CommandTimes
  ) async throws {
    try await Task.sleep(for: times.moments.next())
    let before = monitor.frameCount
    let pausedAt = try ask("pause", of: name, desktop)
    try await settle(monitor)
    let silentFrom = monitor.frameCount
    if let last = monitor.lastSound(from: before) {
      times.pauses[peer, default: []].append(Double(monitor.time(ofFrame: last) - pausedAt) / 1e6)
    }
    try await Task.sleep(for: times.moments.next())
    let playedAt = try ask("play", of: name, desktop)
    try await wait("\(peer) to sound again") { monitor.firstSound(from: silentFrom) != nil }
    if let first = monitor.firstSound(from: silentFrom) {
      times.plays[peer, default: []].append(Double(monitor.time(ofFrame: first) - playedAt) / 1e6)
    }
    try await settle(monitor)
  }

  /// Asks a player to do something, and waits until it has answered.
  /// - Returns: when the asking began, in nanoseconds of the monotonic clock.
  @discardableResult
  private func ask(_ word: String, of name: String, _ desktop: PrivateDesktop) throws(BenchFailure) -> Int64 {
    let command = try Peer.playerctl(name, word)
    let run = try Run(command, file: "", environment: desktop.environment)
    guard run.wait(seconds: 10, every: 1_000).exitStatus == 0 else {
      throw BenchFailure("\(name) refused `playerctl \(word)`")
    }
    return run.startedAt
  }
}

/// What was measured of each player's commands, in milliseconds.
private struct CommandTimes {
  var pauses: [String: [Double]] = [:]
  var plays: [String: [Double]] = [:]
  var tellings: [String: [Double]] = [:]
  /// Commands come at any moment of a cycle, and in two runs at the same.
  var moments = Moments(state: 0xC1C1E)

  func rows(commands: Int) -> [Row] {
    [
      row("MPRIS Pause to the last sample at the sink", pauses, atLeast: commands, limit: 100),
      row("MPRIS Play to the first sample at the sink", plays, atLeast: commands, limit: 100),
      row(
        "MPRIS call to the signal of the change, at the most", tellings, atLeast: commands * 2, limit: 10,
        by: { $0.max() }),
    ]
  }

  /// The pauses beside mpv's, which cuts where ours fades: within a cycle of it.
  func rowOfPauses(commands: Int, quantum: Int) -> Row {
    var row = Row(
      title: "the same, all with \(quantum) frames a cycle", unit: "ms", target: "≤ mpv and a cycle")
    row.values = pauses.compactMapValues(median)
    let cycle = Double(quantum) * 1_000 / Double(SinkMonitor.rate)
    let bound = row.values["mpv"].map { $0 + cycle } ?? 100
    row.judge { $0 <= bound && pauses["afterlock"]?.count ?? 0 >= commands }
    return row
  }

  /// - Parameters:
  ///   - limit: what the figure must not be above, in milliseconds.
  ///   - summary: makes the figure of what was measured.
  private func row(
    _ title: String, _ times: [String: [Double]], atLeast count: Int, limit: Double,
    by summary: ([Double]) -> Double? = median
  ) -> Row {
    var row = Row(title: title, unit: "ms", target: "≤ \(Int(limit)) ms")
    row.values = times.compactMapValues(summary)
    row.judge { $0 <= limit && times["afterlock"]?.count ?? 0 >= count }
    return row
  }
}

/// Moments to wait for, spread over more than a cycle.
private struct Moments {
  var state: UInt64

  mutating func next() -> Duration {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return .microseconds(Int64(state % 50_000))
  }
}

/// What `dbus-monitor --profile` has seen: one message a line, with its time.
struct BusProfile {
  static let path = "/org/mpris/MediaPlayer2"
  private var messages: [(isSignal: Bool, seconds: Double, member: String)] = []

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 8, ["mc", "sig"].contains(fields[0]), let seconds = Double(fields[1]) else {
        continue
      }
      messages.append((fields[0] == "sig", seconds, String(fields[7])))
    }
  }

  /// From each call of `member` to the next signal of changed properties, in milliseconds.
  func tellings(after member: String) -> [Double] {
    messages.indices.compactMap { index in
      guard !messages[index].isSignal, messages[index].member == member else { return nil }
      let signal = messages[(index + 1)...].first { $0.isSignal && $0.member == "PropertiesChanged" }
      return signal.map { ($0.seconds - messages[index].seconds) * 1_000 }
    }
  }
}
