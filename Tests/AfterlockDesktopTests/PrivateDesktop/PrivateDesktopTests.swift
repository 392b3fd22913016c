import AfterlockTestSupport
import Foundation
import Synchronization
import Testing

@testable import AfterlockDesktop

@Suite struct PrivateDesktopTests {
  @Test func `a desktop starts, linkable and with a default sink`() async throws {
    try await DesktopPermits.shared.withPermit {
      let start = ContinuousClock.now
      let desktop = try await PrivateDesktop.start()
      let took = ContinuousClock.now - start
      let graph = try await desktop.graph()
      await desktop.close()
      #expect(graph.isLinkable(VirtualSink()))
      #expect(graph.defaultSink == "afterlock-sink")
      #expect(graph.sinks.map(\.name) == ["afterlock-sink"])
      #expect(graph.settings["clock.quantum"] == "4096")
      // 0.13 s on an idle machine with two cores; other tests run beside this one.
      #expect(took < .seconds(30), "starting took \(took)")
    }
  }

  @Test func `closing leaves no process and no file behind`() async throws {
    try await withLiveDesktop { live in
      let folder = live.desktop.runtimeDirectory
      #expect(DesktopTraces.processes(holding: folder).count >= 4, "the tester must see what runs")
      await live.desktop.close()
      #expect(DesktopTraces.processes(holding: folder).isEmpty)
      #expect(!FileManager.default.fileExists(atPath: folder))
      await live.desktop.close()
    }
  }

  @Test func `a killed owner leaves no process and no file behind`() async throws {
    let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
      let desktop = try await PrivateDesktop.start()
      _ = try await SinkCapture.start(on: desktop)
      print("folder=\(desktop.runtimeDirectory)=")
      fflush(nil)
      kill(getpid(), SIGKILL)
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let folder = try #require(text.split(separator: "=").first { $0.hasPrefix("/tmp/afterlock.") }, "\(text)")
    try await DesktopTraces.waitUntilGone(String(folder))
  }

  @Test func `an owner that just exits leaves no process and no file behind`() async throws {
    let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardOutputContent]) {
      let desktop = try await PrivateDesktop.start()
      print("folder=\(desktop.runtimeDirectory)=")
      fflush(nil)
      exit(7)
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let folder = try #require(text.split(separator: "=").first { $0.hasPrefix("/tmp/afterlock.") }, "\(text)")
    try await DesktopTraces.waitUntilGone(String(folder))
  }

  /// The number of a process that has ended may be another program's by now.
  @Test func `nothing is signalled that the desktop has not started itself`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "afterlock-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let supervisor = try DesktopSupervisor(
      folder: folder.path, shell: "/bin/sh", environment: ProcessInfo.processInfo.environment)
    let other = try RunningCommand("sleep", ["120"], limit: .seconds(120))
    defer { other.send(signal: SIGKILL) }
    let own = try supervisor.start("own", ["sleep", "120"])
    #expect(ChildProcess.isRunning(other.processID))
    #expect(!ChildProcess.isRunning(other.processID, childOf: supervisor.processID))
    #expect(ChildProcess.isRunning(own, childOf: supervisor.processID))
    for pid in [other.processID, own] { try supervisor.signal("KILL", to: pid) }
    try await waitUntil("its own to end") { !ChildProcess.isRunning(own, childOf: supervisor.processID) }
    supervisor.close()
    #expect(ChildProcess.isRunning(other.processID))
  }

  @Test(arguments: ["dbus-daemon", "pipewire", "wireplumber"])
  func `a killed child is an error for later calls and leaves nothing behind`(name: String) async throws {
    try await withLiveDesktop { live in
      let pid = try #require(await live.desktop.processIDs[name])
      kill(pid, SIGKILL)
      await #expect(throws: DesktopError.self) {
        try await live.desktop.waitForGraph("what never comes") { _ in false }
      }
      let folder = live.desktop.runtimeDirectory
      await live.desktop.close()
      try await DesktopTraces.waitUntilGone(folder)
    }
  }

  @Test func `a killed supervisor takes its servers along, and closing removes the folder`() async throws {
    try await withLiveDesktop { live in
      let folder = live.desktop.runtimeDirectory
      let pid = try #require(await live.desktop.processIDs["pipewire"])
      let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      let supervisor = try #require(stat.split(separator: " ").dropFirst(3).first.flatMap { Int32($0) })
      kill(supervisor, SIGKILL)
      await #expect(throws: DesktopError.self) {
        try await live.desktop.waitForGraph("what never comes") { _ in false }
      }
      await #expect(throws: DesktopError.self) { try await live.desktop.restartServer() }
      await live.desktop.close()
      try await DesktopTraces.waitUntilGone(folder)
    }
  }

  @Test func `a folder whose owner and supervisor were both killed is removed by the next desktop`()
    async throws
  {
    let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
      let desktop = try await PrivateDesktop.start()
      let pid = try #require(await desktop.processIDs["pipewire"])
      let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      let supervisor = try #require(stat.split(separator: " ").dropFirst(3).first.flatMap { Int32($0) })
      print("folder=\(desktop.runtimeDirectory)=")
      fflush(nil)
      kill(supervisor, SIGKILL)
      kill(getpid(), SIGKILL)
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let folder = try #require(text.split(separator: "=").first { $0.hasPrefix("/tmp/afterlock.") }, "\(text)")
    try await DesktopTraces.waitUntilNoProcess(holds: String(folder))
    #expect(FileManager.default.fileExists(atPath: String(folder)), "nobody was left to remove it")
    // A folder counts as abandoned after a minute.
    var times = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
    utimes("\(folder)/lock", &times)
    try await withLiveDesktop { _ in
      #expect(!FileManager.default.fileExists(atPath: String(folder)))
    }
  }

  @Test func `a live desktop's folder is never taken for an abandoned one`() async throws {
    try await withLiveDesktop { live in
      var times = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
      utimes("\(live.desktop.runtimeDirectory)/lock", &times)
      let second = try await PrivateDesktop.start()
      #expect(FileManager.default.fileExists(atPath: live.socketPath))
      await second.close()
    }
  }

  @Test func `a folder that is young or somebody else's is left alone, and an old one is not`() async throws {
    var template = Array("/tmp/afterlock.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data().write(to: URL(fileURLWithPath: "\(folder)/lock"))
    // Its owner may be about to lock it.
    DesktopFolder.removeAbandoned()
    #expect(FileManager.default.fileExists(atPath: folder))
    DesktopFolder.removeAbandoned(olderThan: 0, of: getuid() + 1)
    #expect(FileManager.default.fileExists(atPath: folder))
    var times = [timeval(tv_sec: time(nil) - 61, tv_usec: 0), timeval(tv_sec: time(nil) - 61, tv_usec: 0)]
    utimes("\(folder)/lock", &times)
    // Another desktop that starts at this moment may look at the folder, and hold its lock while it does.
    try await waitUntil("the old folder to go") {
      DesktopFolder.removeAbandoned()
      return !FileManager.default.fileExists(atPath: folder)
    }
  }

  @Test func `sinks are added and removed while the server runs`() async throws {
    try await withLiveDesktop { live in
      let headset = VirtualSink(name: "headset", rate: 44_100, channels: ["MONO"])
      try await live.desktop.addSink(headset)
      let graph = try await live.desktop.graph()
      #expect(graph.isLinkable(headset))
      #expect(graph.node(named: "headset")?.rate == 44_100)
      try await live.desktop.removeSink(named: "headset")
      #expect(try await live.desktop.graph().node(named: "headset") == nil)
      await #expect(throws: DesktopError.self) { try await live.desktop.removeSink(named: "headset") }
    }
  }

  @Test func `a killed server leaves a dead socket, and comes back with its sinks`() async throws {
    try await withLiveDesktop { live in
      try await live.desktop.addSink(VirtualSink(name: "second"))
      try await live.desktop.killServer()
      #expect(FileManager.default.fileExists(atPath: live.socketPath))
      await #expect(throws: DesktopError.self) { try await live.desktop.graph() }
      let before = ContinuousClock.now
      let socketIsBack = try await live.desktop.restartServer()
      #expect(socketIsBack >= before && socketIsBack <= ContinuousClock.now)
      #expect(try await live.desktop.graph().sinks.map(\.name).sorted() == ["afterlock-sink", "second"])
    }
  }

  @Test func `a stopped server takes its socket along, and comes back`() async throws {
    try await withLiveDesktop { live in
      try await live.desktop.stopServer()
      #expect(!FileManager.default.fileExists(atPath: live.socketPath))
      try await live.desktop.restartServer()
      #expect(try await live.desktop.graph().defaultSink == "afterlock-sink")
    }
  }

  @Test func `a wait in vain says what there was instead`() async throws {
    try await withLiveDesktop { live in
      let error = await #expect(throws: DesktopError.self) {
        try await live.desktop.waitForGraph("what never comes", limit: .milliseconds(200)) { _ in false }
      }
      let words = "\(try #require(error))"
      #expect(words.contains("waited 0.2 seconds in vain for what never comes"), "\(words)")
      #expect(words.contains("default sink afterlock-sink"), "\(words)")
      // A session manager that hangs keeps every program waiting that asks for its metadata.
      let manager = try #require(await live.desktop.processIDs["wireplumber"])
      kill(manager, SIGSTOP)
      let second = await #expect(throws: DesktopError.self) {
        try await live.desktop.waitForGraph("what never comes", limit: .milliseconds(200)) { _ in false }
      }
      kill(manager, SIGCONT)
      #expect("\(try #require(second))".contains("the server did not answer pw-dump within 0.2 seconds"))
    }
  }

  /// On a busy machine the one look before the end of the limit may be older than what it waits for.
  @Test func `a wait ends only with a look that was begun when its limit was over`() async throws {
    try await withLiveDesktop { live in
      var limit = Duration.milliseconds(300)
      var isTried = false
      while !isTried {
        let over = ContinuousClock.now + limit
        let looks = Mutex<[ContinuousClock.Instant]>([])
        /// Keeps the first look until the limit is over, as a busy machine would, and sees it with the second alone.
        @Sendable func isSeen() -> Bool {
          let number = looks.withLock {
            $0.append(.now)
            return $0.count
          }
          while number == 1, ContinuousClock.now < over { usleep(1_000) }
          return number > 1
        }
        do {
          try await live.desktop.waitForGraph("what a second look sees", limit: limit) { _ in isSeen() }
          isTried = true
        } catch {
          // The first look came too late for this: once more, with more time.
          guard looks.withLock({ $0.first.map { $0 > over } ?? true }), limit < .seconds(10) else {
            throw error
          }
          limit *= 2
        }
      }
    }
  }

  @Test func `a desktop without a sink starts too`() async throws {
    try await DesktopPermits.shared.withPermit {
      let desktop = try await PrivateDesktop.start(.init(sinks: []))
      #expect(try await desktop.graph().sinks.isEmpty)
      await desktop.close()
    }
  }

  @Test func `the desktop's programs see its folders and nothing of the user's sound setup`() async throws {
    try await withLiveDesktop { live in
      let environment = live.environment
      for name in ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"]
      {
        #expect(environment[name]?.hasPrefix(live.desktop.runtimeDirectory) == true)
      }
      #expect(environment["HOME"] == ProcessInfo.processInfo.environment["HOME"])
      #expect(!environment.keys.contains { $0.hasPrefix("PIPEWIRE_") || $0.hasPrefix("PULSE_") })
      let mode = try FileManager.default.attributesOfItem(atPath: live.desktop.runtimeDirectory)
      #expect(mode[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func `a missing program is an error with the line that installs it`() {
    let error = #expect(throws: DesktopError.self) {
      try Programs.require(["sh", "no-such-program", "pw-dump"])
    }
    #expect(error?.code == .programMissing)
    #expect(error?.message.hasSuffix("sudo apt-get install no-such-program") == true)
  }

  @Test func `the limits are errors that carry what the servers said`() async throws {
    try await withLiveDesktop { live in
      let error = await #expect(throws: DesktopError.self) {
        try await live.desktop.waitForGraph("a sink that nobody makes", limit: .milliseconds(50)) { _ in false
        }
      }
      #expect(error?.code == .timedOut)
      #expect(error?.message.contains("a sink that nobody makes") == true)
    }
  }
}
