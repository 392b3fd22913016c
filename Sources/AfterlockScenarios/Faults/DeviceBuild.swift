import AfterlockDesktop
import Foundation

/// The device's build: the real compiler, in Swift 6 mode and as far as SIL, since a type check alone finds nothing that is
/// sent across isolation (P10).
struct DeviceBuild {
  /// Where the compiler is looked for; `nil` for this process's own `PATH`.
  let searchPath: String?

  private static let limit = Duration.seconds(300)
  /// The group of errors that a notification sent across belongs to.
  private static let group = "[#SendingRisksDataRace]"

  /// - Returns: what the compiler says, `nil` when it has nothing against it.
  func fault(in source: PhoneFaults.Source) async -> ScenarioFault? {
    var environment = ProcessInfo.processInfo.environment
    if let searchPath { environment["PATH"] = searchPath }
    guard let compiler = compiler(in: environment["PATH"] ?? "") else {
      return ScenarioFault(
        kind: .unknown,
        message:
          "there is no Swift compiler to ask: install a Swift toolchain (https://www.swift.org/install) "
          + "and put its usr/bin on PATH")
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("afterlock-build-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try source.text.write(
        to: folder.appendingPathComponent(source.file), atomically: false, encoding: .utf8)
      // Within the folder, so that what the compiler says names no path of this machine.
      let output = try await Command.run(
        "env", ["-C", folder.path, compiler] + arguments(source, environment), environment: environment,
        limit: Self.limit)
      return Self.fault(output, in: source)
    } catch {
      return ScenarioFault(kind: .unknown, message: "the Swift compiler could not be asked: \(error)")
    }
  }

  private func compiler(in searchPath: String) -> String? {
    searchPath.split(separator: ":").lazy.map { "\($0)/swiftc" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private func arguments(_ source: PhoneFaults.Source, _ environment: [String: String]) -> [String] {
    [
      "-emit-sil", "-o", "/dev/null", source.file, "-parse-as-library", "-module-name", "PhoneApp",
      "-swift-version", "6", "-diagnostic-style", "llvm", "-module-cache-path",
      moduleCache(environment),
    ]
  }

  /// The user's own, since a cold Foundation takes seconds; without a home, a temporary one.
  private func moduleCache(_ environment: [String: String]) -> String {
    if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") { return base + "/afterlock/modules" }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.cache/afterlock/modules" }
    return FileManager.default.temporaryDirectory.path + "/afterlock-modules-\(getuid())"
  }

  private static func fault(_ output: Command.Output, in source: PhoneFaults.Source) -> ScenarioFault? {
    if output.status == .code(0) { return nil }
    let text = (output.text + output.errorText).split(separator: "\n").map(String.init)
    guard let error = text.first(where: { $0.contains(": error: ") && $0.contains(group) }) else {
      return ScenarioFault(
        kind: .unknown,
        message: "the Swift compiler refuses the app for another reason than its notification: see its text",
        text: text)
    }
    let line = error.split(separator: ":").dropFirst().first.flatMap { Int($0) }
    return ScenarioFault(
      kind: .refusal,
      message: "the device's build refuses to send a Notification across to the main actor",
      place: line.map { ScenarioFault.Place(file: source.file, line: $0) }, text: text)
  }
}
