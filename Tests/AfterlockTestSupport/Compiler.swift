import AfterlockDesktop
import Foundation

/// The real compiler, to show what it refuses.
///
/// It goes as far as SIL: a type check alone runs no region isolation and finds nothing sent across isolation.
public enum Compiler {
  /// What came of a source.
  public struct Outcome: Sendable {
    /// 0 when it compiled.
    public var status: Int32
    /// What the compiler said, one line a diagnostic.
    public var diagnostics: String

    /// The lines of the source that have an error of `group`, from 1, each once.
    public func errorLines(ofGroup group: String) -> [Int] {
      let lines = diagnostics.split(separator: "\n").compactMap { line -> Int? in
        guard line.contains(": error: "), line.contains("[#\(group)]") else { return nil }
        let parts = line.split(separator: ":")
        return parts.count > 1 ? Int(parts[1]) : nil
      }
      return Set(lines).sorted()
    }
  }

  /// A compiler or a built module could not be found.
  public struct SetupError: Error, CustomStringConvertible {
    /// What is missing and what to do.
    public var description: String
  }

  /// Compiles `source` as this package is compiled, against its built modules.
  public static func compile(_ source: String, flags: [String] = []) async throws -> Outcome {
    let build = try buildFolder()
    let folder = try TemporaryFolder()
    try folder.write("Source.swift", text: source)
    let arguments =
      [
        "-emit-sil", "-o", "/dev/null", "Source.swift", "-parse-as-library", "-module-name", "Source",
        "-swift-version", "6", "-diagnostic-style", "llvm",
        "-I", build.appendingPathComponent("Modules").path,
        "-module-cache-path", build.appendingPathComponent("ModuleCache").path,
      ]
      + [
        "ExistentialAny", "MemberImportVisibility", "InferIsolatedConformances",
        "NonisolatedNonsendingByDefault",
      ]
      .flatMap { ["-enable-upcoming-feature", $0] } + flags
    return try await run(arguments, in: folder)
  }

  /// Numbers of the lines of `source` that end in `// refused`, from 1.
  public static func refusedLines(of source: String) -> [Int] {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { lines[$0].hasSuffix("// refused") }.map { $0 + 1 }
  }

  private static func run(_ arguments: [String], in folder: TemporaryFolder) async throws -> Outcome {
    let output = try await Command.run(
      "env", ["-C", folder.path, try compilerPath()] + arguments, limit: .seconds(300))
    guard case .code(let status) = output.status else {
      throw SetupError(description: "swiftc ended by \(output.status): \(output.errorText)")
    }
    return Outcome(status: status, diagnostics: output.text + output.errorText)
  }

  private static func compilerPath() throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for folder in folders {
      let path = "\(folder)/swiftc"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw SetupError(description: "there is no swiftc on PATH: add the toolchain's usr/bin to it")
  }

  /// The folder that the tests were built into; the modules are in it.
  private static func buildFolder() throws -> URL {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let programs = CommandLine.arguments.filter { $0.hasSuffix(".xctest") } + [own].compactMap { $0 }
    for program in programs {
      var folder = URL(fileURLWithPath: program).deletingLastPathComponent()
      for _ in 0..<4 {
        let module = folder.appendingPathComponent("Modules/AfterlockCore.swiftmodule").path
        if FileManager.default.fileExists(atPath: module) { return folder }
        folder.deleteLastPathComponent()
      }
    }
    throw SetupError(
      description: "no built AfterlockCore beside \(programs): run `swift build --build-tests`")
  }
}
