import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockDesktop

/// What keeps an idle machine awake, as the desktop's power managers see it, beside what is heard (L3).
@Suite("The machine stays awake while it plays, and its screen may lock")
struct IdleSleepLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  /// How a mock writes down what it is asked for.
  private static func words(of manager: PowerManager) -> (inhibit: String, release: String) {
    switch manager {
    case .gnome: (#"Inhibit "afterlock" 0 "Playing" 4"#, "Uninhibit 7")
    case .freedesktop: (#"Inhibit "afterlock" "Playing""#, "UnInhibit 7")
    }
  }

  @Test(arguments: PowerManager.allCases)
  func `what sounds is kept awake, and what is silent holds nothing`(manager: PowerManager) async throws {
    try await withLogin { live, login in
      try await login.start()
      _ = try await login.startSaver(.freedesktop)
      let mock = try await login.startPowerManager(manager)
      func calls(_ method: String) -> Int { mock.textSoFar.components(separatedBy: " \(method)").count - 1 }
      let listener = try await BusListener(on: live)
      let run = try RampRun(in: folder, on: live, login)
      defer { run.program.kill() }
      let (inhibit, release) = Self.words(of: manager)
      for round in 1...2 {
        try await run.waitForSound()
        try await waitUntil("\(manager.name) to be asked\n\(mock.textSoFar)") { calls(inhibit) == round }
        try await login.waitUntilHeld(["sleep delay afterlock"])
        try await playerctl(live, "pause")
        try await waitUntil("\(manager.name) to be let go of") { calls(release) == round }
        try await login.waitUntilHeld([])
        #expect(try await run.isSilent())
        try await playerctl(live, "play")
      }
      try await run.waitForSound()
      try await waitUntil("the third time") { calls(inhibit) == 3 }
      let names = try await listener.names(of: run.program.processID)
      run.program.signal(SIGTERM)
      #expect(try await run.program.exitStatus() == 143)
      try await login.waitUntilHeld([])
      #expect(try await listener.names(of: run.program.processID).isEmpty, "what it held goes with it")
      let said = try await listener.messages().filter {
        names.contains($0.sender) && $0.type == "method_call"
      }
      await listener.close()
      let asked = said.filter { $0.destination == manager.name && $0.member == "Inhibit" }
      #expect(asked.count == 3, "\(asked.map(\.words))")
      // The screen may blank and lock.
      let savers = said.filter { $0.interface.contains("ScreenSaver") }
      #expect(savers.allSatisfy { $0.member == "GetActive" }, "\(savers.map(\.words))")
    }
  }

  @Test(arguments: PowerManager.allCases)
  func `a power manager that hangs holds neither the sound nor the end`(manager: PowerManager) async throws {
    let source = Signals.noise16(frames: 48_000 * 3)
    try folder.file(folder.bytes("a.wav"), Array(MediaFiles.wav16(source)))
    try await withLogin { live, login in
      let mock = try await login.startPowerManager(manager)
      mock.send(signal: SIGSTOP)
      defer { mock.send(signal: SIGCONT) }
      let program = try RunningProgram(playing: ["\(folder.path)/a.wav"], on: live)
      defer { program.kill() }
      #expect(try await program.exitStatus(within: .seconds(40)) == 0)
      let report = try await live.compare(with: SoundClip(rate: 48_000, channels: 2, samples: source))
      #expect(report.equalsSource, "\(report)")
    }
  }

  @Test func `what a slow power manager gives after a pause is given back`() async throws {
    try await withLogin { live, login in
      let mock = try await login.startPowerManager(.gnome, afterSeconds: 6)
      let run = try RampRun(in: folder, on: live, login)
      defer { run.program.kill() }
      try await waitUntil("to be asked") { mock.textSoFar.contains(" Inhibit") }
      try await playerctl(live, "pause")
      try await waitUntil("to be let go of\n\(mock.textSoFar)") { mock.textSoFar.contains(" Uninhibit 7") }
      #expect(try await run.isSilent())
    }
  }

  @Test func `what waits for a word, or for a sink, holds nothing`() async throws {
    let headset = VirtualSink(name: "head", properties: ["device.form-factor": "headset"])
    try await withLiveDesktop(.init(sinks: [headset])) { live in
      let login = try MockedLogin(on: live)
      try await login.start()
      let run = try RampRun(in: folder, on: live, login)
      defer { run.program.kill() }
      try await run.waitForSound()
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
      try await live.desktop.removeSink(named: "head")
      try await login.waitUntilHeld([])
      let next = VirtualSink(name: "next")
      try await live.desktop.addSink(next)
      let capture = try await SinkCapture.start(of: next, on: live.desktop)
      #expect(try await capture.isSilent())
      #expect(try await login.inhibitors() == [])
      try await playerctl(live, "play")
      try await login.waitUntilHeld(MockedLogin.heldWhilePlaying)
      try await waitUntil("sound") { try await !capture.isSilent(for: 4_800) }
      await login.close()
    }
  }
}
