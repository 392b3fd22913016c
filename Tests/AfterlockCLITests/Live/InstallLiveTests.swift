import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("Installing with the program itself")
struct InstallLiveTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private func run(
    _ words: String..., environment: [String: String] = [:]
  ) async throws -> (lines: [String], errors: [String], status: Int32) {
    let own = ["HOME": folder.path, "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""]
    let program = try RunningProgram(
      words.map { Array($0.utf8) }, environment: own.merging(environment) { $1 })
    defer { program.kill() }
    let status = try await program.exitStatus()
    let lines = program.standardOutput.split(separator: "\n").map {
      String($0).replacing(folder.path, with: "~")
    }
    return (lines, program.errorLines.map { $0.replacing(folder.path, with: "~") }, status)
  }

  private var files: [String] {
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.split(separator: "/").last?.contains("afterlock") == true }.sorted()
  }

  @Test func `writes, says so, does it once, and takes it back`() async throws {
    let dry = try await run("install", "--user", "--dry-run")
    #expect(dry.status == 0 && dry.lines.count == 7 && files.isEmpty)
    #expect(dry.lines.allSatisfy { $0.hasPrefix("would be written: ~/") }, "\(dry.lines)")
    let first = try await run("install", "--user")
    #expect(first.status == 0 && files.count == 7 && first.errors.isEmpty)
    #expect(first.lines[0] == "written: ~/.local/share/applications/afterlock.desktop")
    #expect(first.lines.contains { $0.hasSuffix(": systemctl --user enable --now afterlock") })
    let entry = try String(
      contentsOfFile: "\(folder.path)/.local/share/applications/afterlock.desktop", encoding: .utf8)
    #expect(entry.contains("\nExec=\(try AfterlockProgram.path()) play -- %U\n"))
    let second = try await run("install", "--user")
    #expect(second.lines.prefix(7).allSatisfy { $0.hasPrefix("as it should be: ") } && second.status == 0)
    let removed = try await run("install", "--uninstall")
    #expect(removed.lines.allSatisfy { $0.hasPrefix("removed: ") } && removed.lines.count == 7)
    #expect(removed.status == 0 && files.isEmpty)
    #expect(try await run("install", "--uninstall").lines.allSatisfy { $0.hasPrefix("not there: ") })
  }

  @Test func `a file of somebody else's is named and left, and the others are written`() async throws {
    let path = "\(folder.path)/.config/systemd/user"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let mine = Array("\(path)/afterlock.service".utf8)
    try folder.file(mine, Array("[Unit]\n".utf8))
    for words in [["--user"], ["--uninstall"]] {
      let result = try await run("install", words[0])
      #expect(result.status == 1)
      #expect(
        result.errors == [
          "afterlock: ~/.config/systemd/user/afterlock.service is left as it is: afterlock has not written it"
        ])
      #expect(files.count == (words == ["--user"] ? 7 : 1))
    }
    #expect(try String(contentsOfFile: "\(path)/afterlock.service", encoding: .utf8) == "[Unit]\n")
    let homeless = try await run("install", "--user", environment: ["HOME": ""])
    #expect(homeless.status == 1)
    #expect(homeless.errors == ["afterlock: HOME names no folder, so there is none to install into"])
  }

  @Test func `what was changed by hand, and the link of a unit that is on, go too, and that is said`()
    async throws
  {
    #expect(try await run("install", "--user").status == 0)
    let units = "\(folder.path)/.config/systemd/user"
    let unit = "\(units)/afterlock.service"
    try (try String(contentsOfFile: unit, encoding: .utf8) + "# mine\n").write(
      toFile: unit, atomically: true, encoding: .utf8)
    // As "systemctl --user enable" makes it.
    let wants = "\(units)/default.target.wants"
    try FileManager.default.createDirectory(atPath: wants, withIntermediateDirectories: true)
    for (name, target) in [("afterlock", unit), ("other", "\(units)/other.service")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(wants)/\(name).service", withDestinationPath: target)
    }
    let dry = try await run("install", "--uninstall", "--dry-run")
    #expect(dry.status == 0 && files.count == 8)
    let removed = try await run("install", "--uninstall")
    #expect(removed.status == 0 && removed.errors.isEmpty, "\(removed.errors)")
    #expect(dry.lines == removed.lines.map { "would be " + $0 }, "\(dry.lines)")
    #expect(removed.lines.count == 8)
    let place = "~/.config/systemd/user"
    #expect(removed.lines.contains("removed: \(place)/default.target.wants/afterlock.service"))
    #expect(
      removed.lines.contains(
        "removed (it was not as this program writes it): \(place)/afterlock.service"), "\(removed.lines)")
    #expect(removed.lines.filter { $0.hasPrefix("removed: ") }.count == 7)
    #expect(files.isEmpty, "\(files)")
    let others = try FileManager.default.contentsOfDirectory(atPath: wants)
    #expect(others == ["other.service"], "another's link is none of ours")
  }

  @Test func `a link that leads elsewhere is left`() async throws {
    #expect(try await run("install", "--user").status == 0)
    let wants = "\(folder.path)/.config/systemd/user/default.target.wants"
    try FileManager.default.createDirectory(atPath: wants, withIntermediateDirectories: true)
    let link = "\(wants)/afterlock.service"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/usr/lib/mine.service")
    let removed = try await run("install", "--uninstall")
    #expect(removed.status == 0 && removed.lines.count == 7, "\(removed)")
    #expect(files == [".config/systemd/user/default.target.wants/afterlock.service"])
  }

  @Test func `man and the completions are printed`() async throws {
    let page = try await run("man")
    #expect(page.status == 0 && page.lines.first?.hasPrefix(".TH AFTERLOCK 1") == true)
    for shell in Shell.allCases {
      let completions = try await run("completions", shell.rawValue)
      #expect(completions.status == 0 && completions.lines.count > 20)
    }
  }

  @Test func `the unit's player waits with the music loaded, and the first Play of a media key is heard`()
    async throws
  {
    let music = try folder.folder("Music")
    try folder.wav("Music/a.wav", frames: 48_000 * 5)
    #expect(try await run("install", "--user").status == 0)
    let unit = try String(
      contentsOfFile: "\(folder.path)/.config/systemd/user/afterlock.service", encoding: .utf8)
    let lines = unit.split(separator: "\n")
    let start = try #require(lines.first { $0.hasPrefix("ExecStart=") }).dropFirst("ExecStart=".count)
    #expect(unit.contains("Environment=\"AFTERLOCK_PLAY=\(String(decoding: music, as: UTF8.self))\""))
    try await withLiveDesktop { live in
      let environment = live.environment.merging(["AFTERLOCK_PLAY": "\(folder.path)/Music"]) { $1 }
      // The unit's words mean the same to a shell.
      let player = try RunningCommand(
        "/bin/sh", ["-c", "exec \(start)"], environment: environment, limit: .seconds(60))
      defer { player.send(signal: SIGKILL) }
      try await waitUntil("the player to wait: \(player.textSoFar)") {
        try await live.run("playerctl", ["-p", "afterlock", "status"]).text == "Paused\n"
      }
      #expect(try await live.capture.soFar().samples.allSatisfy { $0 == 0 })
      #expect(try await live.run("playerctl", ["-p", "afterlock", "play"]).status == .code(0))
      try await waitUntil("the music") { try await live.capture.soFar().samples.contains { $0 != 0 } }
    }
  }
}
