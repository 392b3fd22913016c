internal import AfterlockDesktop
internal import Foundation
internal import Glibc

/// How soon a player does what the desktop asks of it over MPRIS.
extension Bench {
  /// Pause to the last sample at the sink and Play to the first, with the time that `playerctl` itself takes; and how long
  /// after the call the change is told of.
  func remoteControl() async throws -> [Row] {
    let source = try Source.noise(seconds: 90, seed: 0xB05, name: "remote", in: folder)
    var times = CommandTimes()
    for peer in peers {
      guard let name = peer.busName else { continue }
      say("commands over MPRIS: \(peer.name)")
      try await withDesktop(seconds: 120) { desktop, monitor in
        let signals = try RunningCommand(
          "dbus-monitor",
          ["--address", desktop.busAddress, "--profile", "path='\(BusProfile.path)'"], limit: .seconds(150))
        defer { signals.send(signal: SIGKILL) }
        let run = try Run(peer.underRemoteControl, file: source.path, environment: desktop.environment)
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
    return times.rows(commands: options.commands)
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
      row("MPRIS Pause to the last sample at the sink", pauses, atLeast: commands),
      row("MPRIS Play to the first sample at the sink", plays, atLeast: commands),
      row("MPRIS call to the signal of the change, at the most", tellings, atLeast: commands * 2, limit: 10),
    ]
  }

  /// - Parameter limit: what even the longest must not be above; `nil` for a median no longer than mpv's.
  private func row(_ title: String, _ times: [String: [Double]], atLeast count: Int, limit: Double? = nil)
    -> Row
  {
    var row = Row(title: title, unit: "ms", target: limit.map { "≤ \(Int($0)) ms" } ?? "≤ mpv")
    row.values = times.compactMapValues { limit == nil ? median($0) : $0.max() }
    let bound = limit ?? row.values["mpv"] ?? .infinity
    row.judge { $0 <= bound && times["afterlock"]?.count ?? 0 >= count }
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
