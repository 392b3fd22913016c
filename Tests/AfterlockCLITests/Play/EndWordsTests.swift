import AfterlockCore
import Glibc
import Testing

@testable import AfterlockCLI

@Suite("Why a run was ended, in words for the log")
struct EndWordsTests {
  private static let remote = CommandOrigin.remote(busName: ":1.7", processID: 7, program: "playerctl")

  @Test(
    arguments: [
      (128 + SIGINT, .viewer, "Ctrl-C was pressed (SIGINT)"),
      (128 + SIGHUP, .viewer, "the terminal was closed (SIGHUP)"),
      (128 + SIGTERM, .system, "it was told to end (SIGTERM)"),
      (128 + SIGQUIT, .viewer, "Ctrl-\\ was pressed (SIGQUIT)"), (0, .viewer, "q was pressed"),
      (1, .viewer, "q was pressed"), (0, remote, "it was asked to quit over the session bus"),
      (3, .engine, "there was no PipeWire"), (1, .engine, "something that it needs had ended"),
    ] as [(Int32, CommandOrigin, String)])
  func `names the key, the signal or the program's wish`(
    status: Int32, origin: CommandOrigin, words: String
  ) {
    #expect(EndWords.message(status: status, origin) == words)
  }
}
