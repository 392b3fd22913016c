import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI
@testable import AfterlockDesktop

/// The machine sleeps, or is kept from it, as logind sees it, and what is heard meanwhile (L2, L3).
@Suite("The machine sleeps while it plays")
struct SleepLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  @Test func `it is silent and lets go within 250 ms, and sounds again within a second of waking`()
    async throws
  {
    try await withLogin { live, login in
      try await login.start()
      let run = try RampRun(in: folder, on: live, login)
      defer { run.program.kill() }
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
      try await run.waitForSound()
      let quantum = try #require(live.desktop.configuration.quantum)

      let (asleep, before) = (live.capture.framesCaptured, ContinuousClock.now)
      try await login.prepareForSleep(true)
      try await login.waitUntilHeld([])
      let held = ContinuousClock.now - before
      #expect(held <= .milliseconds(250), "let go after \(held)")
      #expect(try await run.isSilent())

      let awake = live.capture.framesCaptured
      try await login.prepareForSleep(false)
      try await run.waitForSound()
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
      let (end, start) = try await run.edges(around: awake)
      // The capture's file is behind the sink by a cycle or two.
      #expect(end.captured - asleep <= 12_000 + 2 * quantum, "silent after \(end.captured - asleep) frames")
      #expect(start.captured - awake <= 48_000, "sound after \(start.captured - awake) frames")
      // Not one old frame again, and no more than 100 ms is lost.
      let jump = start.number - end.number - 1
      #expect((0...4_800).contains(jump), "a jump of \(jump) frames")
      #expect(run.count(of: "systemWillSleep") == 1 && run.count(of: "systemDidWake") == 1)
      #expect(run.lines.contains { $0.contains("told by logind's PrepareForSleep") })
    }
  }

  @Test func `nothing is held while it is paused, and everything while it plays`() async throws {
    try await withLogin { live, login in
      let logind = try await login.start()
      let run = try RampRun(["--paused"], in: folder, on: live, login)
      defer { run.program.kill() }
      try await waitUntil("logind to be asked") { logind.textSoFar.contains("GetSession") }
      #expect(try await login.inhibitors() == [])
      for _ in 1...3 {
        try await playerctl(live, "play")
        try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
        try await playerctl(live, "pause")
        try await login.waitUntilHeld([])
      }
      try await playerctl(live, "play")
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
      run.program.signal(SIGTERM)
      #expect(try await run.program.exitStatus() == 143)
      #expect(try await login.inhibitors() == [])
    }
  }

  @Test func `whoever pauses during a sleep wakes to silence`() async throws {
    try await withLogin { live, login in
      try await login.start()
      let run = try RampRun(in: folder, on: live, login)
      defer { run.program.kill() }
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
      try await run.waitForSound()
      try await login.prepareForSleep(true)
      try await login.waitUntilHeld([])
      try await playerctl(live, "pause")
      try await login.prepareForSleep(false)
      try await run.program.waitForOutput("\"reason\":\"systemDidWake\"")
      #expect(try await run.isSilent())
      #expect(try await login.inhibitors() == [])
    }
  }

  @Test func `a logind that dies during a sleep does not keep it silent`() async throws {
    try await withLogin { live, login in
      let logind = try await login.start()
      let run = try RampRun(in: folder, on: live, login)
      defer { run.program.kill() }
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
      try await run.waitForSound()
      try await login.prepareForSleep(true)
      try await login.waitUntilHeld([])
      logind.send(signal: SIGKILL)
      try await run.program.waitForOutput("told by the end of logind")
      try await run.waitForSound()
      // The next logind is asked for all of it again.
      _ = try await login.startLogind()
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
    }
  }

  @Test func `a logind that hangs holds neither the sound nor the end`() async throws {
    let source = Signals.noise16(frames: 48_000 * 3)
    try folder.file(folder.bytes("a.wav"), Array(MediaFiles.wav16(source)))
    try await withLogin { live, login in
      let logind = try await login.start()
      logind.send(signal: SIGSTOP)
      defer { logind.send(signal: SIGCONT) }
      let program = try RunningProgram(
        playing: ["--quiet", "\(folder.path)/a.wav"], on: live, session: "c1")
      defer { program.kill() }
      #expect(try await program.exitStatus(within: .seconds(20)) == 0)
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: source))
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test func `a system bus that comes late, dies and returns is found`() async throws {
    try await withLogin { live, login in
      let run = try RampRun(in: folder, on: live, login)
      defer { run.program.kill() }
      try await run.waitForSound()
      for round in 1...2 {
        let bus = try await login.services.startSystemBus()
        let logind = try await login.startLogind()
        try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
        try await login.tell(.lockedHint, isLocked: true)
        try await waitUntil("the lock") { run.count(of: "screenLocked") == round }
        bus.send(signal: SIGKILL)
        logind.send(signal: SIGKILL)
        try await waitUntil("the end of the lock") { run.count(of: "screenUnlocked") == round }
        try await run.waitForSound()
      }
    }
  }

  @Test func `the desktop's power manager is asked where there is one, and logind puts off a sleep alone`()
    async throws
  {
    try await withLogin { live, login in
      try await login.start()
      let run = try RampRun(in: folder, on: live, login)
      defer { run.program.kill() }
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
      let name = PowerManager.gnome.name
      let manager = try await login.startPowerManager()
      try await waitUntil("the power manager to be asked\n\(manager.textSoFar)") {
        manager.textSoFar.contains(" Inhibit \"afterlock\" 0 \"Playing\" 4")
      }
      try await login.waitUntilHeld(["sleep delay afterlock"])
      try await playerctl(live, "pause")
      try await waitUntil("\(name) to be let go of") { manager.textSoFar.contains(" Uninhibit 7") }
      try await login.waitUntilHeld([])
      try await playerctl(live, "play")
      try await login.waitUntilHeld(["sleep delay afterlock"])
      manager.send(signal: SIGKILL)
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
    }
  }
}
