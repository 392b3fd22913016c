import Foundation

/// What a session manager does to a player over the bus, by a program of its name: WirePlumber pauses players itself since
/// 0.5.11, and older ones do not (L4).
extension PrivateDesktop {
  /// Calls a method of the player on the bus as WirePlumber does, and returns with its answer.
  /// - Throws: that `busctl` is missing, or what the player says against it.
  package func callPlayerAsSessionManager(_ method: String) async throws(DesktopError) {
    try requireOpen()
    let program = try sessionManagerProgram()
    let output = try await Command.run(
      program,
      [
        "--address=\(busAddress)", "call", DesktopSession.busName, "/org/mpris/MediaPlayer2",
        "org.mpris.MediaPlayer2.Player", method,
      ], environment: environment, limit: configuration.limit)
    guard !output.timedOut, output.status == .code(0) else {
      throw DesktopError(
        .programEnded, "the player does not do what the session manager asks for: \(method)",
        details: output.errorText)
    }
  }

  /// Whoever asks for the sender's name is told what its file is called.
  private func sessionManagerProgram() throws(DesktopError) -> String {
    let program = "\(runtimeDirectory)/wireplumber"
    if FileManager.default.fileExists(atPath: program) { return program }
    let busctl = try Programs.require(["busctl"])["busctl"] ?? "busctl"
    do {
      try FileManager.default.copyItem(atPath: busctl, toPath: program)
    } catch {
      throw DesktopError(.fileSystem, "cannot copy \(busctl) to \(program): \(error.localizedDescription)")
    }
    return program
  }
}
