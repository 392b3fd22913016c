public import AfterlockDesktop
import Foundation

/// The built `afterlock` command, run as a user runs it.
public enum AfterlockProgram {
  /// Where the command is: beside the test bundle, where the build put it.
  public static func path() throws -> String {
    // The bundle's own path is the running program's only under some runners; the build folder holds both.
    let candidates = CommandLine.arguments.filter { $0.hasSuffix(".xctest") } + [ownPath()]
    for candidate in candidates {
      var folder = URL(fileURLWithPath: candidate).deletingLastPathComponent()
      for _ in 0..<4 {
        let program = folder.appendingPathComponent("afterlock").path
        if access(program, X_OK) == 0, !isFolder(program) { return program }
        folder.deleteLastPathComponent()
      }
    }
    throw DesktopError(
      .programMissing,
      "the afterlock command is not beside the tests (\(candidates)): run `swift build` first")
  }

  /// Runs the command to its end.
  public static func run(
    _ arguments: [String], environment: [String: String]? = nil, limit: Duration = .seconds(60)
  ) async throws -> Command.Output {
    try await Command.run(try path(), arguments, environment: environment, limit: limit)
  }

  /// Starts the command and returns while it runs.
  public static func start(
    _ arguments: [String], environment: [String: String]? = nil, limit: Duration = .seconds(60)
  ) async throws -> RunningCommand {
    try RunningCommand(try path(), arguments, environment: environment, limit: limit)
  }

  private static func ownPath() -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  private static func isFolder(_ path: String) -> Bool {
    var folder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &folder) && folder.boolValue
  }
}
