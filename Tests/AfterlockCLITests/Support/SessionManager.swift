import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockDesktop

/// A program that is WirePlumber by its name, since 0.4 does not pause players (L4).
struct SessionManager: Sendable {
  private let program: String

  /// Has its program in the folder.
  init(in folder: ByteNamedFolder) throws {
    program = "\(folder.path)/wireplumber"
    guard !FileManager.default.fileExists(atPath: program) else { return }
    let busctl = try #require(try Programs.require(["busctl"])["busctl"])
    try FileManager.default.copyItem(atPath: busctl, toPath: program)
  }

  /// Calls a method of the player, and returns with its answer.
  func call(_ method: String, on live: LiveDesktop) async throws {
    let output = try await live.run(
      program,
      [
        "--address=\(live.desktop.busAddress)", "call", "org.mpris.MediaPlayer2.afterlock",
        "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", method,
      ])
    #expect(output.status == .code(0), "\(output.errorText)")
  }
}
