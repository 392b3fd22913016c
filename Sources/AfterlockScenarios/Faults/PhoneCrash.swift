import AfterlockDesktop
import Foundation

/// The crash of an app whose artwork closure was formed in main-actor code, made in a child process (P9).
struct PhoneCrash {
  /// The `afterlock` program; `nil` where there is none.
  let program: String?

  /// The child lives on: there is no fault to show.
  static let survival = ScenarioFault(
    kind: .unknown,
    message:
      "the app did not crash, although its artwork closure was formed in main-actor code and called on "
      + "another thread: the Swift runtime of this program does not check that")

  private static let limit = Duration.seconds(60)

  /// Runs the child twice: as it is, for signal and stack; and with the runtime told to say what it checks, for the place.
  /// - Returns: `nil` when the child lives on.
  func fault() async -> ScenarioFault? {
    guard let program else {
      return ScenarioFault(
        kind: .unknown,
        message: "there is no afterlock program beside this one to crash in its place: build it (swift build "
          + "--product afterlock) or run the scenario with it (afterlock scenario run)")
    }
    do throws(DesktopError) {
      let crash = try await run(program, ["SWIFT_BACKTRACE": backtraceSettings])
      guard case .signal(let signal) = crash.status else { return Self.failure(of: crash) }
      let check = try await run(
        program,
        [
          "SWIFT_BACKTRACE": "enable=no", "SWIFT_IS_CURRENT_EXECUTOR_LEGACY_MODE_OVERRIDE": "legacy",
          "SWIFT_UNEXPECTED_EXECUTOR_LOG_LEVEL": "2",
        ])
      let stack = Self.stack(in: crash.errorText)
      var message = "the artwork closure was formed in main-actor code and called on another thread"
      if stack.isEmpty {
        message += "; there is no stack, because swift-backtrace was not found: put Swift's toolchain on PATH"
      }
      return ScenarioFault(
        kind: .crash, message: message, signal: Self.name(of: signal), place: Self.place(in: check.errorText),
        text: stack)
    } catch {
      return ScenarioFault(kind: .unknown, message: "the app could not be run: \(error.message)")
    }
  }

  /// A child that returns has lived; one that fails otherwise says nothing about the closure.
  private static func failure(of output: Command.Output) -> ScenarioFault? {
    if output.status == .code(0), !output.timedOut { return nil }
    let end = output.timedOut ? "it did not end" : "\(output.status)"
    return ScenarioFault(
      kind: .unknown, message: "the app ended otherwise than by a crash: \(end)",
      text: lines(of: output.errorText))
  }

  private func run(
    _ program: String, _ settings: [String: String]
  ) async throws(DesktopError) -> Command.Output {
    let environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
    return try await Command.run(
      program, [PhoneChild.word, AppParts.ArtworkOrigin.mainActor.rawValue], environment: environment,
      limit: Self.limit)
  }

  /// Only the thread that crashed. A program that carries the Swift runtime in itself does not find the backtracer by
  /// itself: it is the toolchain's.
  private var backtraceSettings: String {
    let settings = "enable=yes,interactive=no,color=no,threads=crashed,registers=none,images=none"
    guard let compiler = Programs.path(of: "swiftc") else { return settings }
    let folder = URL(fileURLWithPath: compiler).resolvingSymlinksInPath().deletingLastPathComponent()
    let backtracer = folder.deletingLastPathComponent().path + "/libexec/swift/linux/swift-backtrace"
    guard FileManager.default.isExecutableFile(atPath: backtracer) else { return settings }
    return settings + ",swift-backtrace=\(backtracer)"
  }

  // MARK: Reading

  /// The frames of the thread that crashed, as the backtracer writes them: numbered, between empty lines.
  static func stack(in report: String) -> [String] {
    let lines = Self.lines(of: report)
    guard let head = lines.firstIndex(where: { $0.hasPrefix("Thread ") && $0.contains(" crashed") }) else {
      return []
    }
    let frames = lines[(head + 1)...].drop(while: \.isEmpty).prefix { !$0.isEmpty }
    return frames.filter { $0.drop(while: { $0 == " " }).first?.isNumber == true }
  }

  /// From "@MainActor function at Module/File.swift:12 was not called on the main thread".
  static func place(in text: String) -> ScenarioFault.Place? {
    guard let begin = text.range(of: "@MainActor function at "),
      let end = text[begin.upperBound...].range(of: " was not called")
    else { return nil }
    let parts = text[begin.upperBound..<end.lowerBound].split(separator: ":")
    guard parts.count == 2, let line = Int(parts[1]), let file = parts[0].split(separator: "/").last else {
      return nil
    }
    return ScenarioFault.Place(file: String(file), line: line)
  }

  private static func name(of signal: Int32) -> String {
    switch signal {
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGABRT: "SIGABRT"
    case SIGSEGV: "SIGSEGV"
    default: "signal \(signal)"
    }
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
