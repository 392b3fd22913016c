import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI
@testable import AfterlockDesktop

/// Locks of the screen, told by real services on real buses, and what is heard meanwhile (L1).
@Suite("The screen locks while it plays")
struct LockLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private func withLogin(_ body: (LiveDesktop, MockedLogin, RunningCommand) async throws -> Void) async throws
  {
    try await withLiveDesktop { live in
      let login = try MockedLogin(on: live)
      let logind = try await login.start()
      let result = await Result { try await body(live, login, logind) }
      await login.close()
      try result.get()
    }
  }

  /// How often somebody has asked a mock for the method.
  private func calls(of method: String, _ mock: RunningCommand) -> Int {
    mock.textSoFar.components(separatedBy: " \(method)").count - 1
  }

  @Test func `a lock that three sources tell of is one lock, and not one frame is missing`() async throws {
    let source = Signals.noise16(frames: 48_000 * 5)
    try folder.file(folder.bytes("a.wav"), Array(MediaFiles.wav16(source)))
    try await withLogin { live, login, logind in
      let savers = [try await login.startSaver(.gnome), try await login.startSaver(.freedesktop)]
      let asked = savers.map { calls(of: "GetActive", $0) }
      let program = try RunningProgram(
        playing: ["--log", "-", "\(folder.path)/a.wav"], on: live, session: "c1")
      defer { program.kill() }
      try await waitUntil("both screen savers and logind to be asked\n\(program.standardError)") {
        zip(savers, asked).allSatisfy { calls(of: "GetActive", $0) > $1 }
          && logind.textSoFar.contains("GetSession")
      }
      for source in [ScreenLock.Source.gnome, .lockedHint, .freedesktop] {
        try await login.tell(source, isLocked: true)
      }
      try await program.waitForOutput("\"reason\":\"screenLocked\"")
      await live.capture.wait(frames: 24_000)
      for source in [ScreenLock.Source.lockedHint, .gnome, .freedesktop] {
        try await login.tell(source, isLocked: false)
      }
      try await program.waitForOutput("\"reason\":\"screenUnlocked\"")
      #expect(try await program.exitStatus() == 0)
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: source))
      #expect(report.equalsSource, "\(report)")
      let lines = program.standardOutput.split(separator: "\n")
      let locks = lines.filter { $0.contains("\"reason\":\"screenLocked\"") }
      // They are on two buses: which of them is heard first is chance.
      let tellers = ScreenLock.Source.allCases.filter { source in
        locks.contains { $0.contains("told by \(source.rawValue)") }
      }
      #expect(locks.count == 1 && tellers.count == 1, "\(locks)")
      #expect(lines.count { $0.contains("\"reason\":\"screenUnlocked\"") } == 1)
      let layers = lines.filter { $0.contains("\"event\":\"layer\"") }
      #expect(layers.count == 2 && layers[0].contains("detached") && layers[1].contains("attached"))
    }
  }

  @Test(arguments: ScreenLock.Source.allCases)
  func `with pause it is silent until the unlock, and goes on where it was`(source: ScreenLock.Source)
    async throws
  {
    try await withLogin { live, login, logind in
      let saver = source == .lockedHint ? nil : try await login.startSaver(source)
      let asked = saver.map { calls(of: "GetActive", $0) } ?? 0
      let run = try RampRun(["--on-lock", "pause"], in: folder, on: live, login)
      defer { run.program.kill() }
      try await waitUntil("the source to be asked") {
        saver.map { calls(of: "GetActive", $0) > asked } ?? logind.textSoFar.contains("GetSession")
      }
      try await run.waitForSound()
      try await login.tell(source, isLocked: true)
      try await run.waitForRate(0, because: "screenLocked")
      #expect(try await run.isSilent())
      let middle = live.capture.framesCaptured
      try await login.tell(source, isLocked: false)
      try await run.waitForSound()
      let (end, start) = try await run.edges(around: middle)
      #expect(abs(start.number - end.number - 1) <= 4_800, "\(end) \(start)")
      #expect(run.count(of: "screenLocked") == 1 && run.count(of: "screenUnlocked") == 1)
      #expect(run.lines.contains { $0.contains("told by \(source.rawValue)") })
    }
  }

  @Test func `an unlock starts nothing that the viewer has paused meanwhile`() async throws {
    try await withLogin { live, login, logind in
      let run = try RampRun(["--on-lock", "pause"], in: folder, on: live, login)
      defer { run.program.kill() }
      try await run.waitForSound()
      try await waitUntil("logind to be asked") { logind.textSoFar.contains("GetSession") }
      try await login.tell(.lockedHint, isLocked: true)
      try await run.waitForRate(0, because: "screenLocked")
      func playerctl(_ word: String) async throws {
        let output = try await live.run("playerctl", ["-p", "afterlock", word])
        #expect(output.status == .code(0), "\(output.errorText)")
      }
      try await playerctl("pause")
      try await login.tell(.lockedHint, isLocked: false)
      try await run.program.waitForOutput("\"reason\":\"screenUnlocked\"")
      #expect(try await run.isSilent())
      try await playerctl("play")
      try await run.waitForSound()
      // The next lock: whoever says Play on the lock screen hears it.
      try await login.tell(.lockedHint, isLocked: true)
      try await waitUntil("the second lock") { run.count(of: "screenLocked") == 2 }
      #expect(try await run.isSilent())
      try await playerctl("play")
      try await run.waitForSound()
    }
  }

  @Test func `a Lock that nobody confirms is silent at once, and over after a while`() async throws {
    try await withLogin { live, login, _ in
      let run = try RampRun(["--on-lock", "pause"], in: folder, on: live, login)
      defer { run.program.kill() }
      try await run.waitForSound()
      // The first ones may come before the player listens; while one counts the others are no news.
      try await waitUntil("the lock") {
        try await login.request("Lock")
        return run.count(of: "screenLocked") == 1
      }
      #expect(try await run.isSilent(frames: 9_600))
      try await run.waitForSound()
      #expect(run.lines.contains { $0.contains("told by logind's Lock, which nobody confirmed") })
      // One that is taken back need not be waited out.
      try await login.request("Lock")
      try await waitUntil("the next lock") { run.count(of: "screenLocked") == 2 }
      try await login.request("Unlock")
      try await waitUntil("the unlock") { run.lines.contains { $0.contains("told by logind's Unlock") } }
      try await run.waitForSound()
    }
  }

  @Test func `a lock that was there before is heard of, and ends with the screen saver that told of it`()
    async throws
  {
    try await withLogin { live, login, _ in
      let saver = try await login.startSaver(.gnome)
      try await login.tell(.gnome, isLocked: true)
      let run = try RampRun(["--on-lock", "pause"], in: folder, on: live, login)
      defer { run.program.kill() }
      try await run.waitForRate(0, because: "screenLocked")
      #expect(try await run.isSilent())
      saver.send(signal: SIGKILL)
      try await run.waitForSound()
      #expect(run.lines.contains { $0.contains("told by the end of org.gnome.ScreenSaver") })
      // Another one that comes is listened to.
      let next = try await login.startSaver(.gnome)
      try await waitUntil("the next screen saver to be asked") { calls(of: "GetActive", next) >= 2 }
      try await login.tell(.gnome, isLocked: true)
      try await waitUntil("the second lock") { run.count(of: "screenLocked") == 2 }
    }
  }

  @Test func `a screen saver at the other place where KDE has had it is asked and heard`() async throws {
    try await withLogin { live, login, _ in
      _ = try await login.startSaver(.freedesktop, at: 1)
      try await login.tell(.freedesktop, isLocked: true, at: 1)
      let run = try RampRun(["--on-lock", "pause"], in: folder, on: live, login)
      defer { run.program.kill() }
      try await run.waitForRate(0, because: "screenLocked")
      #expect(try await run.isSilent())
      try await login.tell(.freedesktop, isLocked: false, at: 1)
      try await run.waitForSound()
    }
  }

  @Test(arguments: ["GetSessionByPID", "GetUser"])
  func `without a word in the environment the session is the process's, or the one with the user's screen`(
    method: String
  ) async throws {
    try await withLogin { live, login, logind in
      if method == "GetUser" {
        try await login.nameSessionOfScreen()
      } else {
        try await login.nameSessionOfProcesses()
      }
      let run = try RampRun(in: folder, on: live, login, session: nil)
      defer { run.program.kill() }
      try await waitUntil("logind to be asked") { logind.textSoFar.contains(" \(method) ") }
      try await login.tell(.lockedHint, isLocked: true)
      try await waitUntil("the lock\n\(logind.textSoFar)") { run.count(of: "screenLocked") == 1 }
    }
  }

  @Test func `off the session bus logind alone is heard`() async throws {
    try await withLogin { live, login, logind in
      let saver = try await login.startSaver(.gnome)
      let asked = calls(of: "GetActive", saver)
      let run = try RampRun(["--on-lock", "pause", "--no-mpris"], in: folder, on: live, login)
      defer { run.program.kill() }
      try await run.waitForSound()
      try await waitUntil("logind to be asked") { logind.textSoFar.contains("GetSession") }
      try await login.tell(.gnome, isLocked: true)
      try await login.tell(.lockedHint, isLocked: true)
      try await run.waitForRate(0, because: "screenLocked")
      #expect(run.lines.contains { $0.contains("told by logind's LockedHint") })
      #expect(calls(of: "GetActive", saver) == asked)
    }
  }
}
