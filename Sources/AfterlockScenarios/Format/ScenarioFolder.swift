import AfterlockCore
import Foundation

/// Finds scenario files.
public enum ScenarioFolder {
  /// What the name of a scenario file ends in.
  public static let suffix = ".json5"

  /// The files that are meant by some paths: each file itself, and of each folder the scenario files at any depth, in
  /// the order of their paths. Each is named once.
  ///
  /// Symbolic links to folders are not followed, and hidden names are left out. Throws what is not there or cannot be
  /// read, and a folder that has no scenario.
  public static func files(under paths: [String]) throws(ScenarioFileError) -> [String] {
    var files: [String] = []
    var known: Set<String> = []
    for path in paths {
      for file in try Self.files(under: path) where known.insert(URL(fileURLWithPath: file).path).inserted {
        files.append(file)
      }
    }
    return files
  }

  /// The files that are meant by one path.
  public static func files(under path: String) throws(ScenarioFileError) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ScenarioFileError(unreadable: path, "there is no such file or folder")
    }
    guard isFolder.boolValue else { return [path] }
    let found = try scenarios(in: path)
    guard !found.isEmpty else {
      throw ScenarioFileError(unreadable: path, "has no scenario in it; their names end in \(suffix)")
    }
    return found
  }

  private static func scenarios(in folder: String) throws(ScenarioFileError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ScenarioFileError(reading: folder, error)
    }
    var files: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      if attributes?[.type] as? FileAttributeType == .typeDirectory {
        files += try scenarios(in: path)
      } else if name.hasSuffix(suffix) {
        files.append(path)
      }
    }
    return files
  }
}
