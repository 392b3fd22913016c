import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@Suite struct DoctorTests {
  private func examine(
    _ environment: [String: String], limit: Duration = .seconds(10),
    codecs: @escaping @Sendable () async -> [DoctorReport.Finding] = { [.init(.ok, "FLAC")] }
  ) async -> DoctorReport {
    await Doctor.run(environment: environment, limit: limit, codecs: codecs)
  }

  /// A place where nothing is: no server, no bus.
  private func nowhere(_ folder: TemporaryFolder) -> [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path,
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.file("no-system-bus"))",
    ]
  }

  @Test func `a private desktop is found well: server, sinks, session manager, bus`() async throws {
    try await withLiveDesktop { live in
      let report = await examine(live.environment)
      let text = report.text(colour: false)
      for title in ["PipeWire", "Sinks", "Session manager", "Session bus", "Codecs"] {
        #expect(report.section(title)?.verdict == .ok, "\(text)")
      }
      #expect(text.contains("afterlock-sink, 48000 Hz"))
      #expect(text.contains("the default is afterlock-sink"))
      #expect(text.contains("WirePlumber is running"))
      #expect(text.contains("48000 Hz, 4096 frames a cycle"))
    }
  }

  @Test func `where nothing is, each part is named with what to do`() async throws {
    let folder = try TemporaryFolder()
    let report = await examine(nowhere(folder))
    let text = report.text(colour: false)
    #expect(report.verdict == .failure)
    #expect(text.contains("there is no socket \(folder.path)/pipewire-0"))
    #expect(text.contains("systemctl --user start pipewire wireplumber"))
    #expect(text.contains("there is no session bus"))
    #expect(text.contains("the system bus cannot be reached"))
    #expect(text.contains("nothing here tells that the screen locks"))
    #expect(report.section("Codecs")?.verdict == .ok)
  }

  @Test func `without a runtime directory the report says so`() async throws {
    let folder = try TemporaryFolder()
    var environment = nowhere(folder)
    environment["XDG_RUNTIME_DIR"] = nil
    let report = await examine(environment)
    #expect(report.text(colour: false).contains("XDG_RUNTIME_DIR is not set"))
  }

  @Test func `a socket that a killed server left is not taken for a server`() async throws {
    try await withLiveDesktop { live in
      try await live.desktop.killServer()
      let text = await examine(live.environment).text(colour: false)
      #expect(text.contains("nobody listens at \(live.socketPath)"))
    }
  }

  @Test func `a server that hangs is a finding within the limit`() async throws {
    try await withLiveDesktop { live in
      let pid = try #require(await live.desktop.processIDs["pipewire"])
      kill(pid, SIGSTOP)
      let start = ContinuousClock.now
      let report = await examine(live.environment, limit: .milliseconds(500))
      #expect(ContinuousClock.now - start < .seconds(10))
      #expect(report.section("PipeWire")?.verdict == .failure)
      #expect(report.text(colour: false).contains("it did not answer within"))
    }
  }

  @Test func `a bus that hangs is a finding within the limit`() async throws {
    try await withLiveDesktop { live in
      let pid = try #require(await live.desktop.processIDs["dbus-daemon"])
      kill(pid, SIGSTOP)
      var environment = live.environment
      environment["DBUS_SYSTEM_BUS_ADDRESS"] = live.desktop.busAddress
      let report = await examine(environment, limit: .milliseconds(500))
      #expect(report.section("Session bus")?.verdict == .warning)
      #expect(report.section("logind")?.verdict == .warning)
    }
  }

  @Test func `decoders that never answer are a finding within the limit`() async throws {
    let folder = try TemporaryFolder()
    let report = await examine(nowhere(folder), limit: .milliseconds(200)) {
      try? await Task.sleep(for: .seconds(3_600))
      return []
    }
    #expect(report.section("Codecs")?.verdict == .warning)
  }

  @Test func `a stopped session manager and missing sinks are failures`() async throws {
    try await DesktopPermits.shared.withPermit {
      let desktop = try await PrivateDesktop.start(.init(sinks: []))
      let pid = try #require(await desktop.processIDs["wireplumber"])
      kill(pid, SIGKILL)
      var report = await examine(desktop.environment)
      let deadline = ContinuousClock.now + .seconds(20)
      // A look at the very moment at which it dies may see nothing at all.
      while report.section("Session manager")?.verdict != .failure, ContinuousClock.now < deadline {
        report = await examine(desktop.environment)
      }
      await desktop.close()
      #expect(report.section("Session manager")?.verdict == .failure)
      #expect(report.section("Sinks")?.verdict == .failure)
    }
  }

  @Test func `tools that are missing are named with the line that installs them`() async throws {
    try await withLiveDesktop { live in
      let empty = try TemporaryFolder()
      var environment = live.environment
      environment["PATH"] = empty.path
      let text = await examine(environment).text(colour: false)
      #expect(text.contains("sudo apt-get install pipewire-bin"))
      #expect(text.contains("sudo apt-get install dbus"))
    }
  }

  @Test func `who owns the screen saver's name is named, and logind's session with its lock`() async throws {
    try await withLiveDesktop { live in
      var environment = live.environment
      environment["DBUS_SYSTEM_BUS_ADDRESS"] = live.desktop.busAddress
      environment["XDG_SESSION_ID"] = "c7"
      let saver = "org.freedesktop.ScreenSaver"
      let mocks = [
        try RunningCommand(
          "/usr/bin/python3", ["-m", "dbusmock", "--session", saver, "/org/freedesktop/ScreenSaver", saver],
          environment: environment),
        try RunningCommand(
          "/usr/bin/python3", ["-m", "dbusmock", "--system", "--template", "logind"], environment: environment
        ),
      ]
      defer { for mock in mocks { mock.send(signal: SIGKILL) } }
      let session = "/org/freedesktop/login1/session/c7"
      let arguments = ["string:c7", "string:seat0", "uint32:0", "string:viewer", "boolean:true"]
      try await waitUntil("logind to be mocked") {
        try await live.run(
          "dbus-send",
          [
            "--session", "--print-reply", "--dest=org.freedesktop.login1", "/org/freedesktop/login1",
            "org.freedesktop.DBus.Mock.AddSession",
          ] + arguments
        ).status == .code(0)
      }
      try await waitUntil("the screen saver to be mocked") {
        await examine(environment).text(colour: false).contains("\(saver) is owned by python3, process")
      }
      let text = await examine(environment).text(colour: false)
      #expect(text.contains("logind answers"))
      #expect(text.contains("the session is \(session), not locked now"))
      #expect(text.contains("logind keeps LockedHint"))
      _ = try await live.run(
        "dbus-send",
        [
          "--session", "--print-reply", "--dest=org.freedesktop.login1", session,
          "org.freedesktop.login1.Session.SetLockedHint", "boolean:true",
        ])
      #expect(
        await examine(environment).text(colour: false).contains("the session is \(session), locked now"))
    }
  }
}

extension DoctorReport {
  fileprivate func section(_ title: String) -> Section? { sections.first { $0.title == title } }
}
