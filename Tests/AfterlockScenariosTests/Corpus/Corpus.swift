import AfterlockTestSupport
import Foundation

@testable import AfterlockScenarios

/// The scenario files of the repository.
enum Corpus {
  /// The folder that they stand in.
  static let folder = Repository.root + "/Scenarios"

  /// The themes, each a folder.
  static let themes: Set<String> = [
    "lock", "app-switch", "session", "capability", "interruption", "routes", "remote", "layers", "queue",
    "noise-maker", "desktop-lock", "desktop-sleep", "desktop-routes", "desktop-server",
  ]

  /// Their absolute paths, in order; none when there are none yet.
  static let files = (try? ScenarioFolder.files(under: folder)) ?? []

  /// The path of a file below the folder.
  static func name(of file: String) -> String { String(file.dropFirst(folder.count + 1)) }

  /// What is wrong with the path of a file: it has to be THEME/KEBAB-NAME.json5.
  static func fault(ofPath name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return "\(name) does not stand in the folder of a theme" }
    guard themes.contains(parts[0]) else { return "\(parts[0]) is no theme" }
    guard parts[1].wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*\.json5/) != nil else {
      return "\(parts[1]) is no name of small letters, digits and hyphens"
    }
    return nil
  }

  /// Whether a text cites a rule of a platform, of the fix or of the noise maker.
  static func citesRule(_ text: String) -> Bool {
    text.contains(/\b(P([1-9]|1[0-3])|L[1-9]|F|N)\b/)
  }
}
