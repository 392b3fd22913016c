import AfterlockScenarios
import Foundation

/// The scenario files that a command line names, read.
struct ScenarioSelection: Sendable {
  /// A file that is a scenario.
  struct File: Hashable, Sendable {
    let path: String
    let scenario: Scenario
  }

  /// In the order of the command line; the files of a folder in the order of their paths.
  private(set) var files: [File] = []
  /// What is no scenario, or is not there.
  private(set) var wrongFiles: [ScenarioFileError] = []

  /// Where scenarios are looked for when nothing is named.
  static let usualFolder = "Scenarios"

  /// Reads files, and whatever is in folders and below them.
  /// - Parameter command: the words of the command, for its help.
  init(_ paths: [[UInt8]], for command: String) throws(UsageError) {
    var names = paths.map { String(decoding: $0, as: UTF8.self) }
    if names.isEmpty {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: Self.usualFolder, isDirectory: &isFolder),
        isFolder.boolValue
      else {
        throw UsageError(
          message:
            "nothing to do: there is no folder \(Self.usualFolder) here, so name a scenario file or a folder",
          command: command)
      }
      names = [Self.usualFolder]
    }
    for name in names {
      do throws(ScenarioFileError) {
        for path in try ScenarioFolder.files(under: name) where !files.contains(where: { $0.path == path }) {
          read(path)
        }
      } catch {
        wrongFiles.append(error)
      }
    }
  }

  private mutating func read(_ path: String) {
    do throws(ScenarioFileError) {
      files.append(File(path: path, scenario: try ScenarioFile.read(path)))
    } catch {
      wrongFiles.append(error)
    }
  }

  /// Says what is wrong with each wrong file, on standard error.
  func complain() {
    for error in wrongFiles { StandardStream.error.write(error.description + "\n") }
  }
}
