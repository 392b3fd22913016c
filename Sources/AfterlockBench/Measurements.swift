internal import AfterlockDesktop
internal import Glibc

extension Bench {
  /// Exec to the first sample at the sink, and what of a short file does not arrive.
  func startAndCompleteness() async throws -> [Row] {
    let source = try Source.noise(seconds: 1, seed: 0x5EED, name: "short", in: folder)
    var starts: [String: [Double]] = [:]
    var lost: [String: [Double]] = [:]
    var differs: Set<String> = []
    try await withDesktop(seconds: 20 + options.starts * peers.count * 4) { desktop, monitor in
      for round in 1...options.starts {
        say("start and completeness: round \(round) of \(options.starts)")
        for peer in peers {
          let from = monitor.frameCount
          let run = try Run(peer, file: source.path, environment: desktop.environment)
          _ = run.wait(seconds: 30)
          try await settle(monitor)
          guard let first = monitor.firstSound(from: from), let last = monitor.lastSound(from: from) else {
            continue
          }
          starts[peer.name, default: []].append(
            Double(monitor.time(ofFrame: first) - run.startedAt) / 1e6)
          lost[peer.name, default: []].append(Double(source.frames - (last - first + 1)))
          let heard = monitor.samples(first..<last + 1)
          let isEqual =
            heard.count / 2 == source.frames
            && (0..<source.frames).allSatisfy { source.matches(heard, frame: $0, at: $0) }
          if !isEqual { differs.insert(peer.name) }
        }
      }
    }
    var start = Row(title: "exec to first sample at the sink", unit: "ms", target: "≤ 60 ms, below pw-play")
    start.values = starts.compactMapValues(median)
    let theirs = start.values["pw-play"] ?? .infinity
    start.judge { $0 <= 60 && $0 < theirs && starts["afterlock"]?.count == options.starts }
    var completeness = Row(title: "frames lost at the end", unit: "", target: "0; capture equals source")
    completeness.values = lost.compactMapValues(median)
    for peer in peers {
      completeness.notes[peer.name] = differs.contains(peer.name) ? "differs" : "equal"
    }
    let all = lost["afterlock"] ?? []
    completeness.judge { _ in
      all.count == options.starts && all.allSatisfy { $0 == 0 } && !differs.contains("afterlock")
    }
    return [start, completeness]
  }

  /// CPU and memory of ten seconds of WAV.
  func usage() async throws -> [Row] {
    let source = try Source.noise(seconds: 10, seed: 0xC0FFEE, name: "ten", in: folder)
    var cpu: [String: [Double]] = [:]
    var memory: [String: [Double]] = [:]
    try await withDesktop(seconds: 60) { desktop, _ in
      for round in 1...options.usageRuns {
        for peer in peers {
          say("CPU and memory: round \(round) of \(options.usageRuns), \(peer.name)")
          let run = try Run(peer, file: source.path, environment: desktop.environment)
          let usage = run.wait(seconds: 40)
          guard usage.exitStatus == 0 else { continue }
          cpu[peer.name, default: []].append(usage.cpu)
          memory[peer.name, default: []].append(usage.peakMemory)
        }
      }
    }
    var time = Row(title: "CPU for 10 s of WAV", unit: "s", target: "≤ a third of mpv's")
    time.values = cpu.compactMapValues(median)
    let mpv = time.values["mpv"] ?? .infinity
    time.judge { $0 <= mpv / 3 }
    var peak = Row(title: "peak memory", unit: "MiB", target: "≤ 40 MiB")
    peak.values = memory.compactMapValues(median)
    peak.judge { $0 <= 40 }
    return [time, peak]
  }

  /// CPU of a minute of FLAC.
  ///
  /// All players at the same time, each on a desktop of its own that nobody listens to: what else the machine does then
  /// costs all of them the same, and each plays at the quantum it asked for.
  func flacUsage() async throws -> Row {
    let source = try Source.noise(seconds: options.flacSeconds, seed: 0xF1AC, name: "minute", in: folder)
    let flac = try source.asFLAC()
    var row = Row(
      title: "CPU for \(Int(options.flacSeconds)) s of FLAC", unit: "s", target: "≤ 1.5 × pw-play")
    var cpu: [String: [Double]] = [:]
    for round in 1...options.flacRounds {
      say("CPU for \(Int(options.flacSeconds)) s of FLAC: round \(round) of \(options.flacRounds)")
      for (name, seconds) in try await playTogether(flac) { cpu[name, default: []].append(seconds) }
    }
    row.values = cpu.compactMapValues(median)
    let theirs = row.values["pw-play"] ?? .infinity
    row.judge { $0 <= theirs * 1.5 }
    return row
  }

  /// The CPU time of each player that played `file` to its end.
  private func playTogether(_ file: String) async throws -> [String: Double] {
    var desktops: [PrivateDesktop] = []
    var usages: [String: Double] = [:]
    do {
      for _ in peers { desktops.append(try await PrivateDesktop.start(.init(quantum: nil))) }
      var runs: [(name: String, run: Run)] = []
      for (peer, desktop) in zip(peers, desktops) {
        runs.append((peer.name, try Run(peer, file: file, environment: desktop.environment)))
      }
      for (name, run) in runs {
        let usage = run.wait(seconds: options.flacSeconds + 30)
        if usage.exitStatus == 0 { usages[name] = usage.cpu }
      }
    } catch {
      for desktop in desktops { await desktop.close() }
      throw error
    }
    for desktop in desktops { await desktop.close() }
    return usages
  }

  /// PipeWire is killed in the middle and comes back.
  func restart() async throws -> [Row] {
    let source = try Source.noise(seconds: 12, seed: 0xDEAD, name: "restart", in: folder)
    var back = Row(
      title: "PipeWire killed: sound again after its socket is back", unit: "ms", target: "≤ 500 ms")
    var error = Row(title: "position error after it", unit: "ms", target: "≤ 50 ms")
    for peer in peers {
      for isHeld in [false, true] {
        say("PipeWire killed and restarted: \(peer.name)\(isHeld ? ", position" : "")")
        let desktop = try await PrivateDesktop.start(.init(quantum: nil))
        do {
          let result = try await killAndRestart(peer, source, desktop, isHeld: isHeld)
          await desktop.close()
          if isHeld {
            error.take(result.positionError, result.note, of: peer)
          } else {
            back.take(result.delay, result.note, of: peer)
          }
        } catch {
          await desktop.close()
          throw error
        }
      }
    }
    back.judge { $0 <= 500 }
    error.judge { $0 <= 50 }
    return [back, error]
  }

  private struct Return {
    /// From the socket that accepts to the first sound, in milliseconds. The monitor has to connect too, so this is at
    /// the most.
    var delay: Double?
    /// How far the sound went on from where it was heard last, in milliseconds.
    var positionError: Double?
    var note: String?
  }

  /// - Parameter isHeld: the player is stopped until the monitor listens, so that not a frame of what it plays first is
  ///   missed: for the position. Its delay means nothing then.
  private func killAndRestart(
    _ peer: Peer, _ source: Source, _ desktop: PrivateDesktop, isHeld: Bool
  ) async throws -> Return {
    let sink = desktop.configuration.sinks[0].name
    let before = try SinkMonitor(sink: sink, runtimeFolder: desktop.runtimeDirectory, seconds: 30)
    defer { before.close() }
    try await wait("the monitor") { before.frameCount > 4_800 }
    let run = try Run(peer, file: source.path, environment: desktop.environment)
    defer {
      kill(run.pid, SIGKILL)
      _ = run.wait(seconds: 1)
    }
    try await wait("\(peer.name) to sound") { before.firstSound(from: 0) != nil }
    try await settle(before, seconds: 3)
    try await desktop.killServer()
    let last = before.lastSound(from: 0) ?? 0
    let stoppedAt = source.position(of: before.samples(0..<last + 1), frame: last - 8).map { $0 + 8 }
    if isHeld {
      // Time to notice that the server has gone.
      try await Task.sleep(for: .milliseconds(300))
      kill(run.pid, SIGSTOP)
    }
    let socketIsBack = try await desktop.restartServer()
    let backAt = monotonicNanoseconds() - Int64((ContinuousClock.now - socketIsBack) / .nanoseconds(1))
    let after = try SinkMonitor(sink: sink, runtimeFolder: desktop.runtimeDirectory, seconds: 30)
    defer { after.close() }
    // Where nothing plays the graph may stand still, and the monitor with it.
    if isHeld {
      try await Task.sleep(for: .milliseconds(500))
      kill(run.pid, SIGCONT)
    }
    let deadline = monotonicNanoseconds() + 4_000_000_000
    while after.firstSound(from: 0) == nil, run.isRunning, monotonicNanoseconds() < deadline {
      try await Task.sleep(for: .milliseconds(20))
    }
    guard let first = after.firstSound(from: 0) else {
      return Return(note: run.isRunning ? "stays silent" : "dies")
    }
    var result = Return(delay: max(0, Double(after.time(ofFrame: first) - backAt) / 1e6))
    try await settle(after)
    // Past the fade-in the samples are the source's own again.
    let probe = first + SinkMonitor.rate / 20
    let samples = after.samples(0..<after.frameCount)
    if let stoppedAt, let resumed = source.position(of: samples, frame: probe) {
      let gap = Double(resumed - (probe - first) - stoppedAt) / Double(SinkMonitor.rate) * 1_000
      result.positionError = abs(gap)
    }
    return result
  }

  /// Eight busy processes on the machine's cores.
  func load() async throws -> Row {
    let source = try Source.noise(seconds: options.loadSeconds, seed: 0xB055, name: "load", in: folder)
    var row = Row(
      title: "gaps in \(Int(options.loadSeconds)) s under 8 busy processes", unit: "", target: "0")
    var longest: [String: Int] = [:]
    for peer in peers {
      say("under load: \(peer.name)")
      try await withDesktop(seconds: Int(options.loadSeconds) + 40) { desktop, monitor in
        var hogs: [pid_t] = []
        defer {
          for hog in hogs {
            kill(hog, SIGKILL)
            waitpid(hog, nil, 0)
          }
        }
        let busy = Peer(
          name: "busy", executable: "/bin/sh", arguments: { _ in ["-c", "while :; do :; done"] })
        for _ in 0..<8 { hogs.append(try Run(busy, file: "", environment: desktop.environment).pid) }
        let run = try Run(peer, file: source.path, environment: desktop.environment)
        let usage = run.wait(seconds: options.loadSeconds + 30)
        try await settle(monitor, seconds: 0.5)
        let length = monitor.soundLength(from: 0)
        // A player that ended at once has no gap, and played nothing.
        guard usage.exitStatus == 0, length * 100 > source.frames * 95 else {
          row.notes[peer.name] = usage.exitStatus == 0 ? "played \(length) frames" : "dies"
          return
        }
        let gaps = monitor.gaps(from: 0, minimum: 8)
        row.values[peer.name] = Double(gaps.count)
        longest[peer.name] = gaps.map(\.count).max()
        if peer.name == "afterlock", length != source.frames {
          row.notes[peer.name] = "played \(length) frames"
        }
      }
    }
    for (name, frames) in longest where frames > 0 {
      row.notes[name] = "longest \(frames * 1_000 / SinkMonitor.rate) ms"
    }
    let isWhole = row.notes["afterlock"] == nil
    row.judge { $0 == 0 && isWhole }
    return row
  }
}
