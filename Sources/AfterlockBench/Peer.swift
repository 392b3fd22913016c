internal import Foundation
internal import Glibc

/// A player that is measured.
struct Peer {
  let name: String
  let executable: String
  var arguments: @Sendable (_ file: String) -> [String]
  var environment: [String: String] = [:]
  /// What `playerctl` calls it; `nil` where nothing can be asked of it over the bus.
  var busName: String?
  /// What it needs besides to be asked over the bus.
  var remoteArguments: [String] = []

  /// The same player, to be asked over the bus.
  var underRemoteControl: Peer {
    var peer = self
    let (plain, more) = (arguments, remoteArguments)
    peer.arguments = { more + plain($0) }
    return peer
  }

  /// The command that asks something of the player that `name` stands for.
  static func playerctl(_ name: String, _ word: String) throws(BenchFailure) -> Peer {
    guard let path = find("playerctl") else {
      throw BenchFailure("no playerctl: install it, or measure the other parts with --only")
    }
    return Peer(name: "playerctl", executable: path, arguments: { _ in ["-p", name, word] })
  }

  /// mpv has no MPRIS of its own.
  private static let mpvPlugin = "/usr/lib/mpv-mpris/mpris.so"

  /// Those that are installed, ours last; `afterlock` is looked for beside this program.
  static func installed() throws(BenchFailure) -> [Peer] {
    let beside =
      Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "afterlock").path ?? ""
    guard access(beside, X_OK) == 0 else {
      throw BenchFailure(
        "no afterlock beside the benchmark: run `swift build -c release --product afterlock`")
    }
    let others: [(String, [String], [String: String])] = [
      ("pw-play", [], [:]),
      ("mpv", ["--no-config", "--no-video", "--really-quiet", "--no-terminal", "--ao=pipewire"], [:]),
      ("ffplay", ["-nodisp", "-autoexit", "-loglevel", "quiet"], ["SDL_AUDIODRIVER": "pipewire"]),
    ]
    var peers: [Peer] = []
    for (name, arguments, environment) in others {
      guard let path = find(name) else { continue }
      peers.append(
        Peer(name: name, executable: path, arguments: { arguments + [$0] }, environment: environment))
    }
    if let index = peers.firstIndex(where: { $0.name == "mpv" }), access(mpvPlugin, R_OK) == 0 {
      peers[index].busName = "mpv"
      peers[index].remoteArguments = ["--script=\(mpvPlugin)"]
    }
    peers.append(
      Peer(
        name: "afterlock", executable: beside, arguments: { ["play", "--quiet", $0] }, busName: "afterlock"))
    return peers
  }

  private static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}

/// What a finished process used.
struct Usage {
  /// User and system time, in seconds.
  var cpu: Double
  /// The most memory that was resident, in MiB.
  var peakMemory: Double
  var exitStatus: Int32
}

/// One run of a player, started with nothing between the clock and the `exec`.
struct Run {
  let pid: pid_t
  /// The monotonic clock just before the program was started, in nanoseconds.
  let startedAt: Int64

  init(_ peer: Peer, file: String, environment: [String: String]) throws(BenchFailure) {
    let merged = environment.merging(peer.environment) { $1 }
    let words = [peer.executable] + peer.arguments(file)
    var arguments = words.map { strdup($0) } + [nil]
    var variables = merged.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(0)...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var pid = pid_t()
    startedAt = monotonicNanoseconds()
    let error = posix_spawn(&pid, peer.executable, &actions, nil, &arguments, &variables)
    guard error == 0 else {
      throw BenchFailure("\(peer.name) did not start: \(String(cString: strerror(error)))")
    }
    self.pid = pid
  }

  /// Waits for the end, killing the process after `seconds`.
  ///
  /// The peak is read from `/proc` while it runs: what `wait4` says counts the benchmark's own memory too, which the
  /// child shared until its `exec`.
  /// - Parameter microseconds: how long it sleeps between two looks.
  func wait(seconds: Double, every microseconds: UInt32 = 20_000) -> Usage {
    let limit = monotonicNanoseconds() + Int64(seconds * 1e9)
    var status: Int32 = 0
    var usage = rusage()
    var peak = 0.0
    while wait4(pid, &status, WNOHANG, &usage) == 0 {
      if monotonicNanoseconds() > limit { kill(pid, SIGKILL) }
      peak = max(peak, residentPeak())
      usleep(microseconds)
    }
    let cpu =
      Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    let exited = status & 0x7f == 0
    return Usage(
      cpu: cpu, peakMemory: peak,
      exitStatus: exited ? (status >> 8) & 0xff : -(status & 0x7f))
  }

  /// The most memory that was resident so far, in MiB; 0 once the process has ended.
  private func residentPeak() -> Double {
    guard let file = fopen("/proc/\(pid)/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("VmHWM:") else { continue }
      return (text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
    }
    return 0
  }

  /// `true` while the process has not ended.
  var isRunning: Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0
      && info._sifields._kill.si_pid == 0
  }
}

func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
