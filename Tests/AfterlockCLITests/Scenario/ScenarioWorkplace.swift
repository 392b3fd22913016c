import AfterlockDesktop
import AfterlockTestSupport
import Foundation

/// A folder with scenarios for the command to run, in which it is also started.
struct ScenarioWorkplace {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The side button while a video plays, in an app of these parts.
  @discardableResult
  func write(_ name: String, title: String = "the side button", app: String = "", kind: String = "video")
    throws
    -> String
  {
    try folder.write(
      name,
      text: """
        {
          name: "\(title)", about: "P4, P6–P7: a lock", platform: "phone", app: { \(app) },
          queue: [ { title: "Clip", kind: "\(kind)", duration: 60 } ],
          timeline: [ { at: 0, do: "play" }, { at: 2, do: "sideButton" } ],
          expect: [ { at: 3, rate: 1 }, { outcome: "plays" } ],
        }
        """)
  }

  /// One that fails: the pause by the system is not undone.
  @discardableResult
  func writeFailing(_ name: String) throws -> String {
    try write(name, title: "a late detach", app: #"detachesLayersAt: "never", undoesSystemPause: false"#)
  }

  /// One that is none.
  @discardableResult
  func writeWrong(_ name: String) throws -> String {
    try folder.write(name, text: "{\n  nane: \"x\",\n  platform: \"fone\",\n}\n")
  }

  /// Runs the command in the folder.
  func run(_ words: String..., environment: [String: String] = [:]) async throws -> Command.Output {
    try await run(words, script: "exec \"$@\"", environment: environment)
  }

  /// Has a script of the shell, which is in the folder, run the command as `"$@"`.
  func run(
    _ words: [String], script: String, environment: [String: String] = [:]
  ) async throws -> Command.Output {
    // The command is started by a shell, since a folder to start in is the shell's to choose.
    try await Command.run(
      "/bin/sh",
      ["-c", "cd \"$0\" && " + script, folder.path, AfterlockProgram.path(), "scenario"] + words,
      environment: [
        "LC_ALL": "C.UTF-8", "TERM": "xterm", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
      ]
      .merging(environment) { $1 })
  }
}
