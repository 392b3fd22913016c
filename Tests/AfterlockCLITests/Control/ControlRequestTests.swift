import AfterlockDesktop
import Testing

@testable import AfterlockCLI

@Suite("What control is asked for")
struct ControlRequestTests {
  private func request(_ words: String...) throws -> ControlRequest {
    try ControlRequest(words.map { Array($0.utf8) })
  }

  @Test func `reads places and ways, percentages and changes`() throws {
    #expect(try request("toggle") == .toggle)
    #expect(try request("seek", "1:30") == .seek(to: .seconds(90)))
    #expect(try request("seek", "+10") == .seekBy(.seconds(10)))
    #expect(try request("seek", "-1:00") == .seekBy(.seconds(-60)))
    #expect(try request("volume") == .showVolume)
    #expect(try request("volume", "50%") == .setVolume(percent: 50))
    #expect(try request("volume", "-5") == .changeVolume(percent: -5))
  }

  @Test(arguments: [
    (["togle"], "did you mean \"toggle\""), (["seek"], "needs a place"), (["seek", "soon"], "is no time"),
    (["volume", "200"], "no percentage"), (["play", "x"], "takes no value"),
  ])
  func `says what is wrong`(words: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try ControlRequest(words.map { Array($0.utf8) }) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.command == "control")
  }

  @Test func `a change downwards is a value and no option`() throws {
    let words = ["control", "volume", "-5", "--player", "mpv"].map { Array($0.utf8) }
    #expect(try CommandLineRequest(words) == .control(.changeVolume(percent: -5), player: "mpv"))
    let play = ["play", "-5"].map { Array($0.utf8) }
    #expect(throws: UsageError.self) { try CommandLineRequest(play) }
  }

  @Test func `shows what is known on one line`() {
    var status = RemotePlayerStatus()
    status.status = "Stopped"
    #expect(ControlCommand.line(status) == "Stopped")
    status.status = "Playing"
    status.title = "Title"
    status.artists = ["One", "Two"]
    status.position = .seconds(7)
    status.length = .seconds(201)
    status.volumePercent = 80
    #expect(ControlCommand.line(status) == "Playing: Title — One, Two  0:07 / 3:21  80%")
  }
}
