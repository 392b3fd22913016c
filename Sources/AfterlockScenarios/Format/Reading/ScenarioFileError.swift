import AfterlockCore
import Foundation

/// Everything that keeps a file from being a scenario.
public struct ScenarioFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for code that decides by it.
  public enum Code: String, Hashable, Sendable {
    /// There is no such file, or it cannot be read.
    case unreadable
    /// It is no text, or no JSON5.
    case malformed
    /// It is JSON5, and no scenario.
    case invalid
  }

  /// The kind of failure.
  public let code: Code
  /// The file, as the caller named it.
  public let file: String
  /// What is wrong, in the order of the file; never empty.
  public let problems: [ScenarioFileProblem]

  /// An error of these parts.
  init(_ code: Code, file: String, problems: [ScenarioFileProblem]) {
    self.code = code
    self.file = file
    self.problems = problems
  }

  /// A file or folder that cannot be read, for this cause.
  init(unreadable file: String, _ cause: String) {
    self.init(.unreadable, file: file, problems: [ScenarioFileProblem(cause)])
  }

  /// A file or folder that could not be read, for this cause.
  init(reading file: String, _ error: any Error) {
    let cause =
      switch (error as? CocoaError)?.code {
      case .fileReadNoPermission?: "cannot be read: permission denied"
      case .fileNoSuchFile?, .fileReadNoSuchFile?: "there is no such file or folder"
      default: "cannot be read: \(error.localizedDescription)"
      }
    self.init(unreadable: file, cause)
  }

  /// One line for each problem: "lock/side-button.json5:7: timeline[2].do: unknown action …".
  public var description: String {
    problems.map { problem in
      let place = [problem.line, problem.column].compactMap { $0.map { ":\($0)" } }.joined()
      let path = problem.path.isEmpty ? "" : " \(problem.path):"
      return "\(MediaPath(file).display)\(place):\(path) \(problem.message)"
    }.joined(separator: "\n")
  }
}

/// One thing that is wrong with a scenario file.
public struct ScenarioFileProblem: Hashable, Sendable {
  /// The line, from 1; `nil` when the whole file is meant.
  public let line: Int?
  /// The column in that line, from 1; `nil` when the whole value is meant.
  public let column: Int?
  /// Where in the scenario, such as `timeline[2].do`; empty for the scenario itself.
  public let path: String
  /// What was found and what to do about it, on one line.
  public let message: String

  /// A problem with all that is known of its place.
  init(line: Int? = nil, column: Int? = nil, path: String = "", _ message: String) {
    self.line = line
    self.column = column
    self.path = path
    self.message = message
  }
}
